#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "support/null_device/null_commands.hpp"
#include "support/null_device/null_state.hpp"
#include "vk_device/submission/timeline.hpp"

namespace aclvk {

/// Runs the submissions of all queues of a null device, one at a time. Those of a queue run in their order, each when
/// the points that it waits for are reached; then it signals its point. A worker thread runs them, or the test step by
/// step. Thread safe.
class NullProcessor {
 public:
  /// The owner of the command buffers keeps them alive until the point is signalled.
  struct Work {
    std::vector<const NullCommandBuffer*> commands;
    std::vector<vk::TimelinePoint> waits;
    vk::TimelinePoint signal;
  };

  NullProcessor(std::shared_ptr<NullState> state, std::size_t queues, NullKernels& kernels, bool stepwise);
  /// Runs what can run, and drops what waits for ever.
  ~NullProcessor();
  NullProcessor(const NullProcessor&) = delete;
  NullProcessor& operator=(const NullProcessor&) = delete;

  /// Throws kDriverError when the device is lost, and like NullTimeline::accept().
  void submit(std::size_t queue, Work work);
  /// Selects whether the worker waits for advance().
  void set_stepwise(bool stepwise);
  /// Runs the next submission of this queue, or of the first queue that has one that can run. Returns false when there
  /// is none, or the device is lost.
  bool advance(std::optional<std::size_t> queue = {});

 private:
  using Lock = std::unique_lock<std::mutex>;

  void work();
  /// Returns whether there was a submission to run. Releases the lock meanwhile.
  bool run_one(Lock& lock, std::optional<std::size_t> queue);
  /// Removes and returns a submission that can run. Requires the lock.
  std::optional<Work> take_ready(std::optional<std::size_t> queue);
  /// Executes the commands. Returns false when a fault loses the device instead.
  bool execute(const Work& work);

  std::shared_ptr<NullState> state_;
  NullKernels& kernels_;
  // Guarded by the state's lock.
  std::vector<std::deque<Work>> queues_;
  bool stepwise_;
  bool stopped_ = false;
  std::thread worker_;  // started last
};

}  // namespace aclvk
