#include "ops/handles.hpp"

namespace aclvk::ops {
namespace {

/// One table a type for the whole process. Made when the library is loaded, so that no process can be forked meanwhile,
/// and never destroyed: programs use handles in destructors of their own globals.
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

}  // namespace aclvk::ops
