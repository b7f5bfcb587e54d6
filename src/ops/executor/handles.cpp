#include "ops/executor/handles.hpp"

#include "base/process_state.hpp"

namespace aclvk::ops {
namespace {

// Created when the library is loaded: a call that creates one holds no lock that a fork waits for.
[[maybe_unused]] const bool kMade =
    (tensor_handles(), scalar_handles(), int_array_handles(), float_array_handles(), bool_array_handles(),
     tensor_list_handles(), scalar_list_handles(), executor_handles(), true);

}  // namespace

TensorHandles& tensor_handles() { return ProcessState<TensorHandles, StateId::kTensorHandles>::get(); }
ScalarHandles& scalar_handles() { return ProcessState<ScalarHandles, StateId::kScalarHandles>::get(); }
IntArrayHandles& int_array_handles() { return ProcessState<IntArrayHandles, StateId::kIntArrayHandles>::get(); }
FloatArrayHandles& float_array_handles() { return ProcessState<FloatArrayHandles, StateId::kFloatArrayHandles>::get(); }
BoolArrayHandles& bool_array_handles() { return ProcessState<BoolArrayHandles, StateId::kBoolArrayHandles>::get(); }
TensorListHandles& tensor_list_handles() { return ProcessState<TensorListHandles, StateId::kTensorListHandles>::get(); }
ScalarListHandles& scalar_list_handles() { return ProcessState<ScalarListHandles, StateId::kScalarListHandles>::get(); }
ExecutorHandles& executor_handles() { return ProcessState<ExecutorHandles, StateId::kExecutorHandles>::get(); }

void require(const void* pointer, const char* name, Code code) { check(pointer != nullptr, code, "{} is NULL.", name); }

std::shared_ptr<Executor> executor_to_run(const void* handle) {
  require(handle, "executor");
  const auto is_used_up = [](const Executor& executor) { return !executor.repeatable(); };
  std::shared_ptr<Executor> executor = executor_handles().find_or_remove(handle, is_used_up);
  check(executor != nullptr, Code::kNnNullptr,
        "executor ({}) is not alive; it was used up, destroyed, or never created as this type.", handle);
  return executor;
}

}  // namespace aclvk::ops
