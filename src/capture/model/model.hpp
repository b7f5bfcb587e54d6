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
/// (CapturedModel) or built from bound streams (BuiltModel). The handle table and each queued run own it. All members
/// except constants require the scheduler lock.
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
  std::string name;
  /// Handles that the introspection functions have returned, by lane and by task.
  std::map<std::uint32_t, void*> stream_handles;
  std::map<NodeId, TaskView> task_views;
  /// Value of Device::releases() at which all memory of the tasks was alive; null after a change of tasks. See
  /// capture/model/lifetime.hpp.
  std::optional<std::uint64_t> alive_at_release;
  /// Cache of uses(): the allocations that the tasks refer to; null after a change of tasks.
  struct Allocations {
    std::vector<std::uint64_t> numbers;  ///< sorted
    std::uint64_t last_query = 0;        ///< the allocation of the last call
    bool last_answer = false;
  };
  std::optional<Allocations> allocations;
  /// Objects that the tasks need until the model ends.
  std::vector<std::shared_ptr<void>> retained;
  /// Streams of synchronous runs (aclmdlRIExecute). Must not be used with the scheduler lock.
  PrivateStreams private_streams;

  State state() const { return state_; }
  void set_state(State state) { state_ = state; }
  runtime::ContextPtr context() const { return context_.lock(); }
  Graph& graph() { return graph_; }
  const Graph& graph() const { return graph_; }

  /// Returns true for a CapturedModel, false for a BuiltModel.
  virtual bool captured() const = 0;
  /// Returns whether the model is the body of a conditional task.
  virtual bool is_sub_model() const { return false; }
  /// Returns " The first error of this capture was: ...", or an empty string.
  virtual std::string first_error_text() const { return {}; }
  /// Returns the nodes of each task group.
  virtual std::vector<std::vector<NodeId>> group_nodes() const { return {}; }
  /// Returns the bodies of all conditional tasks.
  virtual std::vector<SubModel> sub_models() const { return {}; }
  /// Creates the procedure that executes the tasks once, on the stream with this queue. Requires kReady. When it
  /// throws, no stream waits for the pass.
  virtual std::shared_ptr<runtime::Procedure> start_pass(runtime::StreamQueue& queue) = 0;

  /// Appends a run: it begins when the runs before it have ended.
  void enqueue_run(const std::shared_ptr<RunTicket>& ticket) noexcept;
  /// Returns the ticket of the newest run; null when the model has never run.
  const std::shared_ptr<RunTicket>& newest_ticket() const { return newest_ticket_; }
  /// Returns the end of the newest run that was not dropped before it began; null when there is none.
  runtime::PointPtr last_run() const { return newest_ticket_ ? end_of(newest_ticket_) : nullptr; }
  /// Returns whether a run is queued or in progress.
  bool running() const;
  /// Marks all runs that have not ended as stopped.
  void stop_runs();

  /// Throw kParamInvalid for a function that is registered already, or (remove) is not registered.
  void add_destroy_callback(DestroyCallback callback);
  void remove_destroy_callback(void (*function)(void*));
  /// Returns the callbacks and clears the list.
  std::vector<DestroyCallback> take_destroy_callbacks();

  /// Ends the model: detaches its streams and makes all its handles stale.
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

/// Adds a new model to the handle table. Throws kNoModelResource when ACLVK_MAX_MODELS models are alive.
void register_model(const ModelPtr& model);

}  // namespace aclvk::capture
