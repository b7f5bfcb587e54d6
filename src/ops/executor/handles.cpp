#include "ops/executor/handles.hpp"

namespace aclvk::ops {
namespace {

/// One table per type for the whole process. Created when the library is loaded, so that no fork can happen during its
/// creation. Never destroyed, because programs use handles in destructors of their own globals.
template <typename Table>
Table& table = *new Table;

}  // namespace

TensorHandles& tensor_handles() { return table<TensorHandles>; }
ScalarHandles& scalar_handles() { return table<ScalarHandles>; }
IntArrayHandles& int_array_handles() { return table<IntArrayHandles>; }
FloatArrayHandles& float_array_handles() { return table<FloatArrayHandles>; }
BoolArrayHandles& bool_array_handles() { return table<BoolArrayHandles>; }
TensorListHandles& tensor_list_handles() { return table<TensorListHandles>; }
ScalarListHandles& scalar_list_handles() { return table<ScalarListHandles>; }
ExecutorHandles& executor_handles() { return table<ExecutorHandles>; }

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
