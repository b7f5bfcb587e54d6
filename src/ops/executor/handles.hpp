#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/error.hpp"
#include "base/handle.hpp"
#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"
#include "ops/tensor/scalar.hpp"
#include "ops/tensor/tensor.hpp"

namespace aclvk::ops {

/// The objects of the handles aclIntArray, aclFloatArray and aclBoolArray. std::vector<bool> is not used because its
/// elements have no addresses.
using IntArray = std::vector<std::int64_t>;
using FloatArray = std::vector<float>;
using BoolArray = std::vector<std::uint8_t>;

/// The objects of the handles aclTensorList and aclScalarList. They own their members: destroying a list destroys
/// these. Members are untyped here, because the public types only name handles; required() finds the object of a
/// handle.
struct TensorList {
  std::vector<const void*> members;
};
struct ScalarList {
  std::vector<const void*> members;
};

// Tensors are const because another thread may read one: a change replaces the object.
using TensorHandles = HandleTable<const Tensor, HandleTag::kTensor>;
using ScalarHandles = HandleTable<Scalar, HandleTag::kScalar>;
using IntArrayHandles = HandleTable<IntArray, HandleTag::kIntArray>;
using FloatArrayHandles = HandleTable<FloatArray, HandleTag::kFloatArray>;
using BoolArrayHandles = HandleTable<BoolArray, HandleTag::kBoolArray>;
using TensorListHandles = HandleTable<TensorList, HandleTag::kTensorList>;
using ScalarListHandles = HandleTable<ScalarList, HandleTag::kScalarList>;
using ExecutorHandles = HandleTable<Executor, HandleTag::kExecutor>;

TensorHandles& tensor_handles();
ScalarHandles& scalar_handles();
IntArrayHandles& int_array_handles();
FloatArrayHandles& float_array_handles();
BoolArrayHandles& bool_array_handles();
TensorListHandles& tensor_list_handles();
ScalarListHandles& scalar_list_handles();
ExecutorHandles& executor_handles();

// Pointers are untyped where only their value counts: NULL or not, or a key of a table of handles.

/// Throws `code` when a pointer that the caller passed is NULL.
void require(const void* pointer, const char* name, Code code = Code::kNnNullptr);

/// Returns the live object. Throws `code` for NULL and stale handles.
template <typename Table>
auto required(const Table& table, const void* handle, const char* name, Code code = Code::kNnNullptr) {
  require(handle, name, code);
  auto object = table.find(handle);
  check(object != nullptr, code, "{} ({}) is not alive; it was destroyed or never created as this type.", name, handle);
  return object;
}

/// Arguments know their names.
template <typename Object>
void require(const HandleArg<Object>& arg) {
  require(arg.handle, arg.name);
}
template <typename Table, typename Object>
auto required(const Table& table, const HandleArg<Object>& arg) {
  return required(table, arg.handle, arg.name);
}

/// Returns the executor for a second phase, and removes it from the table unless it is repeatable: a second call, of
/// any thread, fails. Throws 161001 for NULL and stale handles.
std::shared_ptr<Executor> executor_to_run(const void* handle);

}  // namespace aclvk::ops
