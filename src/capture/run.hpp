#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "capture/executable.hpp"
#include "runtime/task.hpp"

namespace aclvk::capture {

class Model;
struct Turn;

/// One execution of a model on its way to the device. Submits all segments whose host steps are done as one primary,
/// then does what host steps it can, until nothing moves; goes on when the scheduler calls again. Runs of one model
/// follow each other, on whatever streams: they share its memory.
class Run : public runtime::Procedure {
 public:
  explicit Run(std::shared_ptr<Model> model);

  bool advance(runtime::StreamQueue& queue) override;
  void abandon() override;
  std::string waits_for() const override;

 private:
  void collect_segments();
  bool do_steps(runtime::StreamQueue& queue);
  bool do_step(runtime::StreamQueue& queue, std::uint32_t lane);
  void submit_collected(runtime::StreamQueue& queue);
  bool finished() const;

  std::shared_ptr<Model> model_;
  std::shared_ptr<Turn> turn_;
  std::optional<runtime::Point> last_submitted_;
  bool begun_ = false;
  Clock done_;
  std::vector<bool> issued_;
  std::vector<std::uint32_t> collected_;
  std::vector<std::optional<runtime::Task>> current_;  // this run's copy of each lane's step: host tasks have a state
};

}  // namespace aclvk::capture
