#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/handle.hpp"
#include "capture/graph/graph.hpp"
#include "capture/model/private_streams.hpp"
#include "runtime/context/context.hpp"
#include "runtime/task/scheduler_mutex.hpp"
#include "runtime/task/task.hpp"

namespace aclvk::capture {

/// An entry in the queue of a model's runs, newest first. A run whose stream drops it before it begins keeps its entry;
/// the runs after it wait for the end of the run before it.
struct RunTicket {
  runtime::PointPtr end;
  std::shared_ptr<RunTicket> previous;  ///< null once this run has waited for it
  bool stopped = false;                 ///< by aclmdlRIAbort: the run submits nothing more
  bool dropped = false;                 ///< by its stream, before the run began
};
/// Returns the end of this run or, if it was dropped, of the newest earlier run that was not; null when there is none.
runtime::PointPtr end_of(std::shared_ptr<RunTicket> ticket);

/// A function that aclmdlRIDestroy calls once.
struct DestroyCallback {
  void (*function)(void*) = nullptr;
  void* user_data = nullptr;
};

/// Handles and bytes that the introspection functions have returned for a task; owned by the model.
struct TaskView {
  void* handle = nullptr;            ///< the aclmdlRITask
  void* function = nullptr;          ///< of a kernel
  std::vector<std::byte> arguments;  ///< of a kernel, as aclmdlRITaskGetParams shows them
};

class Model;

/// A sub-model: the `number`-th body of a conditional task.
struct SubModel {
  std::shared_ptr<Model> model;
  NodeId task = kNoNode;
  std::uint32_t number = 0;
};

/// An aclmdlRI: a graph of stored tasks that can be run repeatedly, like a CUDA graph. Created by a capture
/// (CapturedModel) or built from bound streams (BuiltModel). The handle table and each queued run own it.
class Model : public std::enable_shared_from_this<Model> {
 public:
  enum class State {
    kEmpty,              ///< a sub-model that has not been captured yet
    kUnderConstruction,  ///< being captured or built
    kReady,              ///< can run
    kUpdating,           ///< tasks were changed; aclmdlRIUpdate has to compile them
    kFault,              ///< a change of a task failed; the model can only be destroyed
    kTornDown,           ///< the capture failed, or a built model has been destroyed
  };

  virtual ~Model();

  const std::uint32_t id;
  void* handle = nullptr;
  std::string name GUARDED_BY(runtime::scheduler_mutex);
  /// Handles that the introspection functions have returned, by lane and by task.
  std::map<std::uint32_t, void*> stream_handles GUARDED_BY(runtime::scheduler_mutex);
  std::map<NodeId, TaskView> task_views GUARDED_BY(runtime::scheduler_mutex);
  /// Value of Device::releases() at which all memory of the tasks was alive; null after a change of tasks. See
  /// capture/model/lifetime.hpp.
  std::optional<std::uint64_t> alive_at_release GUARDED_BY(runtime::scheduler_mutex);
  /// Cache of uses(): the allocations that the tasks refer to; null after a change of tasks.
  struct Allocations {
    std::vector<std::uint64_t> numbers;  ///< sorted
    std::uint64_t last_query = 0;        ///< the allocation of the last call
    bool last_answer = false;
  };
  std::optional<Allocations> allocations GUARDED_BY(runtime::scheduler_mutex);
  /// Objects that the tasks need until the model ends.
  std::vector<std::shared_ptr<void>> retained GUARDED_BY(runtime::scheduler_mutex);
  /// Streams of synchronous runs (aclmdlRIExecute). Used without the scheduler lock.
  PrivateStreams private_streams;

  State state() const REQUIRES(runtime::scheduler_mutex) { return state_; }
  void set_state(State state) REQUIRES(runtime::scheduler_mutex) { state_ = state; }
  runtime::ContextPtr context() const { return context_.lock(); }
  Graph& graph() REQUIRES(runtime::scheduler_mutex) { return graph_; }
  const Graph& graph() const REQUIRES(runtime::scheduler_mutex) { return graph_; }

  /// Returns true for a CapturedModel, false for a BuiltModel.
  virtual bool captured() const = 0;
  /// Returns whether the model is the body of a conditional task.
  virtual bool is_sub_model() const { return false; }
  /// Returns " The first error of this capture was: ...", or an empty string.
  virtual std::string first_error_text() const REQUIRES(runtime::scheduler_mutex) { return {}; }
  /// Returns the nodes of each task group.
  virtual std::vector<std::vector<NodeId>> group_nodes() const REQUIRES(runtime::scheduler_mutex) { return {}; }
  /// Returns the bodies of all conditional tasks.
  virtual std::vector<SubModel> sub_models() const REQUIRES(runtime::scheduler_mutex) { return {}; }
  /// Creates the procedure that executes the tasks once, on the stream with this queue. Requires kReady. When it
  /// throws, no stream waits for the pass.
  virtual std::shared_ptr<runtime::Procedure> start_pass(runtime::StreamQueue& queue)
      REQUIRES(runtime::scheduler_mutex) = 0;

  /// Appends a run: it begins when the runs before it have ended.
  void enqueue_run(const std::shared_ptr<RunTicket>& ticket) noexcept REQUIRES(runtime::scheduler_mutex);
  /// Returns the ticket of the newest run; null when the model has never run.
  const std::shared_ptr<RunTicket>& newest_ticket() const REQUIRES(runtime::scheduler_mutex) { return newest_ticket_; }
  /// Returns the end of the newest run that was not dropped before it began; null when there is none.
  runtime::PointPtr last_run() const REQUIRES(runtime::scheduler_mutex) {
    return newest_ticket_ ? end_of(newest_ticket_) : nullptr;
  }
  /// Returns whether a run is queued or in progress.
  bool running() const REQUIRES(runtime::scheduler_mutex);
  /// Marks all runs that have not ended as stopped.
  void stop_runs() REQUIRES(runtime::scheduler_mutex);

  /// Throw kParamInvalid for a function that is registered already, or (remove) is not registered.
  void add_destroy_callback(DestroyCallback callback) REQUIRES(runtime::scheduler_mutex);
  void remove_destroy_callback(void (*function)(void*)) REQUIRES(runtime::scheduler_mutex);
  /// Returns the callbacks and clears the list.
  std::vector<DestroyCallback> take_destroy_callbacks() REQUIRES(runtime::scheduler_mutex);

  /// Ends the model: detaches its streams and makes all its handles stale.
  virtual void retire() REQUIRES(runtime::scheduler_mutex);

 protected:
  explicit Model(const runtime::ContextPtr& context);

 private:
  std::weak_ptr<runtime::Context> context_;
  State state_ GUARDED_BY(runtime::scheduler_mutex) = State::kUnderConstruction;
  Graph graph_ GUARDED_BY(runtime::scheduler_mutex);
  std::shared_ptr<RunTicket> newest_ticket_ GUARDED_BY(runtime::scheduler_mutex);
  std::vector<DestroyCallback> destroy_callbacks_ GUARDED_BY(runtime::scheduler_mutex);
};

using ModelPtr = std::shared_ptr<Model>;

/// Returns what errors and logs say of a pass of the model that waits for the tasks with these names.
std::string text_of_wait(const Model& model, const std::vector<std::string>& names);

using ModelHandles = HandleTable<Model, HandleTag::kModel>;
ModelHandles& model_handles();

/// Adds a new model to the handle table. Throws kNoModelResource when ACLVK_MAX_MODELS models are alive.
void register_model(const ModelPtr& model);

}  // namespace aclvk::capture
