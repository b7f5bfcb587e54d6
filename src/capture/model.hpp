#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/handle.hpp"
#include "capture/graph.hpp"
#include "capture/private_streams.hpp"
#include "runtime/context.hpp"
#include "runtime/stream/task.hpp"

namespace aclvk::capture {

/// An entry in the queue of a model's runs, newest first. A run whose stream drops it before it begins keeps its entry;
/// the runs after it wait for the end of the run before it.
struct RunTicket {
  runtime::PointPtr end;
  std::shared_ptr<RunTicket> previous;  ///< null once this run has waited for it
  bool stopped = false;                 ///< by aclmdlRIAbort: what the run has not submitted is dropped
  bool dropped = false;                 ///< before it has begun
};
/// The end of this run, or of the one before it when this one has never begun; null when none has.
runtime::PointPtr end_of(std::shared_ptr<RunTicket> ticket);

/// A function that aclmdlRIDestroy calls, once.
struct DestroyCallback {
  void (*function)(void*) = nullptr;
  void* user_data = nullptr;
};

/// What a program has been given of a task.
struct TaskView {
  void* handle = nullptr;
  void* function = nullptr;          ///< of a kernel
  std::vector<std::byte> arguments;  ///< of a kernel, as aclmdlRITaskGetParams shows them
};

class Model;

/// A model that is the `number`-th body of a conditional task.
struct SubModel {
  std::shared_ptr<Model> model;
  NodeId task = kNoNode;
  std::uint32_t number = 0;
};

/// An aclmdlRI: tasks that were stored and can be run again and again. Made by a capture (CapturedModel) or built from
/// bound streams (BuiltModel). All members need the scheduler's lock, except the constants.
class Model : public std::enable_shared_from_this<Model> {
 public:
  enum class State {
    kEmpty,              ///< a sub-model that has not been captured yet
    kUnderConstruction,  ///< being captured or built
    kReady,              ///< can run
    kUpdating,           ///< tasks were changed; aclmdlRIUpdate must follow
    kFault,              ///< a change of a task failed; it can only be destroyed
    kTornDown,           ///< the capture failed, or a built model has been destroyed
  };

  virtual ~Model();

  const std::uint32_t id;
  void* handle = nullptr;
  std::string name;
  /// What programs have been given of the model's parts, by lane and by task.
  std::map<std::uint32_t, void*> stream_handles;
  std::map<NodeId, TaskView> task_views;
  /// vk::Memory::releases() when all memory of the tasks was known to be alive; null when tasks have changed
  /// since. See capture/lifetime.hpp.
  std::optional<std::uint64_t> alive_at_release;
  /// The allocations that the tasks refer to; null when nobody has asked since tasks have changed.
  struct Allocations {
    std::vector<std::uint64_t> numbers;  ///< in order
    std::uint64_t last_query = 0;        ///< the one that has been asked for last, and the answer
    bool last_answer = false;
  };
  std::optional<Allocations> allocations;
  /// What the tasks need beside their own memory.
  std::vector<std::shared_ptr<void>> retained;
  /// For runs that their callers wait for. To be used without the scheduler's lock.
  PrivateStreams private_streams;

  State state() const { return state_; }
  void set_state(State state) { state_ = state; }
  runtime::ContextPtr context() const { return context_.lock(); }
  Graph& graph() { return graph_; }
  const Graph& graph() const { return graph_; }

  /// Made by a capture, not built from streams.
  virtual bool captured() const = 0;
  /// The body of a conditional task of another model.
  virtual bool is_sub_model() const { return false; }
  /// " The first error of this capture was: ..." or nothing.
  virtual std::string first_error_text() const { return {}; }
  /// The nodes of each task group.
  virtual std::vector<std::vector<NodeId>> group_nodes() const { return {}; }
  /// The bodies of conditional tasks.
  virtual std::vector<SubModel> sub_models() const { return {}; }
  /// One passage through the tasks, for the stream with this queue. The model is ready. When it throws, nobody waits
  /// for the passage.
  virtual std::shared_ptr<runtime::Procedure> start_pass(runtime::StreamQueue& queue) = 0;

  /// Appends a run: it begins when the runs before it have ended.
  void enqueue_run(const std::shared_ptr<RunTicket>& ticket) noexcept;
  /// Returns the ticket of the newest run; null when the model has never run.
  const std::shared_ptr<RunTicket>& newest_ticket() const { return newest_ticket_; }
  /// Where the newest run ends that was not dropped before it began; null when there is none.
  runtime::PointPtr last_run() const { return newest_ticket_ ? end_of(newest_ticket_) : nullptr; }
  bool running() const;
  /// Stops the runs that are not over.
  void stop_runs();

  /// Throw kParamInvalid for a function that is registered already, or is not.
  void add_destroy_callback(DestroyCallback callback);
  void remove_destroy_callback(void (*function)(void*));
  std::vector<DestroyCallback> take_destroy_callbacks();

  /// The end: gives streams back; the handles that belong to the model are stale, its own included.
  virtual void retire();

 protected:
  explicit Model(const runtime::ContextPtr& context);

 private:
  std::weak_ptr<runtime::Context> context_;
  State state_ = State::kUnderConstruction;
  Graph graph_;
  std::shared_ptr<RunTicket> newest_ticket_;
  std::vector<DestroyCallback> destroy_callbacks_;
};

using ModelPtr = std::shared_ptr<Model>;

using ModelHandles = HandleTable<Model, HandleTag::kModel>;
ModelHandles& model_handles();

/// Registers a new model: it gets its handle. Throws kNoModelResource when ACLVK_MAX_MODELS are alive.
void register_model(const ModelPtr& model);

}  // namespace aclvk::capture
