// aclnn/acl_meta.h: tensors, scalars, arrays and lists, and the executors of operators.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <type_traits>

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "api/base/arrays.hpp"
#include "api/base/guard.hpp"
#include "ops/executor/handles.hpp"
#include "ops/executor/tensor_address.hpp"

// The values of ops/tensor/dtype.def are those of the public header.
static_assert(static_cast<int>(aclvk::ops::DType::kFloat) == ACL_FLOAT);
static_assert(static_cast<int>(aclvk::ops::DType::kFloat16) == ACL_FLOAT16);
static_assert(static_cast<int>(aclvk::ops::DType::kInt8) == ACL_INT8);
static_assert(static_cast<int>(aclvk::ops::DType::kInt32) == ACL_INT32);
static_assert(static_cast<int>(aclvk::ops::DType::kUint8) == ACL_UINT8);
static_assert(static_cast<int>(aclvk::ops::DType::kInt16) == ACL_INT16);
static_assert(static_cast<int>(aclvk::ops::DType::kUint16) == ACL_UINT16);
static_assert(static_cast<int>(aclvk::ops::DType::kUint32) == ACL_UINT32);
static_assert(static_cast<int>(aclvk::ops::DType::kInt64) == ACL_INT64);
static_assert(static_cast<int>(aclvk::ops::DType::kUint64) == ACL_UINT64);
static_assert(static_cast<int>(aclvk::ops::DType::kDouble) == ACL_DOUBLE);
static_assert(static_cast<int>(aclvk::ops::DType::kBool) == ACL_BOOL);
static_assert(static_cast<int>(aclvk::ops::DType::kComplex32) == ACL_COMPLEX32);
static_assert(static_cast<int>(aclvk::ops::DType::kComplex64) == ACL_COMPLEX64);
static_assert(static_cast<int>(aclvk::ops::DType::kComplex128) == ACL_COMPLEX128);
static_assert(static_cast<int>(aclvk::ops::DType::kBfloat16) == ACL_BF16);

namespace {

using aclvk::check;
using aclvk::Code;
using aclvk::api::check_array;
using aclvk::api::guard;
using namespace aclvk::ops;

/// Returns the new handle, or NULL where other functions return a code.
template <typename Handle, typename Make>
Handle* created(const char* function, Make&& make) {
  void* handle = nullptr;
  guard(function, [&] { handle = make(); });
  return static_cast<Handle*>(handle);
}

Shape shape_from(const std::int64_t* dims, std::uint64_t count, const char* name) {
  if (count > 0) require(dims, name);
  check_array(dims, count, name, Code::kNnInvalid);
  return count > 0 ? Shape(dims, dims + count) : Shape{};
}

/// The view that aclCreateTensor and aclInitTensor describe, without an address.
Tensor view_from(const std::int64_t* view, std::uint64_t rank, aclDataType dtype, const std::int64_t* strides,
                 std::int64_t offset, aclFormat format, const std::int64_t* storage, std::uint64_t storage_rank) {
  Tensor tensor;
  tensor.description = new_description();
  tensor.shape = shape_from(view, rank, "viewDims");
  if (strides) check_array(strides, rank, "stride", Code::kNnInvalid);
  tensor.strides = strides ? Shape(strides, strides + rank) : contiguous_strides(tensor.shape);
  tensor.offset = offset;
  tensor.storage = shape_from(storage, storage_rank, "storageDims");
  tensor.dtype = static_cast<DType>(dtype);
  tensor.format = format;
  return tensor;
}

/// Accepts NULL and refuses a stale handle.
template <typename Table>
int destroy(const char* function, Table& table, const void* handle) {
  return guard(function, [&] {
    if (!handle) return;
    check(table.remove(handle) != nullptr, Code::kNnNullptr, "the object ({}) is not alive.", handle);
  });
}

/// Copies `size` values; a NULL or empty source makes an empty array, which is valid.
template <typename Array, typename Table, typename Value>
void* insert_array(Table& table, const Value* values, std::uint64_t size) {
  if (values) check_array(values, size, "value", Code::kNnInvalid);
  return table.insert(values ? std::make_shared<Array>(values, values + size) : std::make_shared<Array>());
}

template <typename Table>
int size_of_array(const char* function, const Table& table, const void* handle, std::uint64_t* size) {
  return guard(function, [&] {
    const auto array = required(table, handle, "array");
    require(size, "size");
    *size = array->size();
  });
}

template <typename Table>
int size_of_list(const char* function, const Table& table, const void* handle, std::uint64_t* size) {
  return guard(function, [&] {
    const auto list = required(table, handle, "list");
    require(size, "size");
    *size = list->members.size();
  });
}

template <typename List, typename Table, typename Member>
void* insert_list(Table& table, const Member* const* values, std::uint64_t size) {
  auto list = std::make_shared<List>();
  if (values) check_array(values, size, "value", Code::kNnInvalid);
  if (values) list->members.assign(values, values + size);
  return table.insert(std::move(list));
}

template <typename Lists, typename Members>
int destroy_list(const char* function, Lists& lists, Members& members, const void* handle) {
  return guard(function, [&] {
    if (!handle) return;
    const auto list = lists.remove(handle);
    check(list != nullptr, Code::kNnNullptr, "the list ({}) is not alive.", handle);
    // A member that the caller has destroyed already is not in the table any more, so it is not freed twice.
    for (const void* member : list->members) members.remove(member);
  });
}

int copy_dims(const char* function, const aclTensor* tensor, std::int64_t** dims, std::uint64_t* count,
              Shape Tensor::*member) {
  return guard(function, [&] {
    const auto object = required(tensor_handles(), tensor, "tensor");
    require(dims, "the array");
    require(count, "the number");
    const Shape& source = (*object).*member;
    *dims = new std::int64_t[source.size()];  // the caller frees it with delete[]
    std::copy(source.begin(), source.end(), *dims);
    *count = source.size();
  });
}

template <typename Value, typename Read>
int get(const char* function, const aclTensor* tensor, Value* value, Read&& read) {
  return guard(function, [&] {
    const auto object = required(tensor_handles(), tensor, "tensor");
    require(value, "the result");
    *value = read(*object);
  });
}

std::shared_ptr<Executor> required_executor(const void* handle) {
  return required(executor_handles(), handle, "executor", Code::kNnInnerNullptr);
}

using Count = TensorNumbers::Count;

/// Sets the tensor's address also without an executor, because programs that ignore the code rely on it.
int set_address(const char* function, aclOpExecutor* executor, std::size_t index, aclTensor* tensor, void* address,
                Count count) {
  return guard(function, [&] {
    if (!executor) aclvk::ops::set_address(tensor, address);
    const auto object = required_executor(executor);
    const auto named = required(tensor_handles(), tensor, "tensor", Code::kNnInnerNullptr);
    object->set_address(count, index, *named, address);
    aclvk::ops::set_address(tensor, address);
  });
}

int set_list_address(const char* function, aclOpExecutor* executor, std::size_t slot, std::size_t index,
                     aclTensorList* list, void* address, Count count) {
  return guard(function, [&] {
    const auto tensors = tensor_list_handles().find(list);
    const void* const member = tensors && index < tensors->members.size() ? tensors->members[index] : nullptr;
    if (!executor) aclvk::ops::set_address(member, address);
    const auto object = required_executor(executor);
    required(tensor_list_handles(), list, "tensors", Code::kNnInnerNullptr);
    check(index < tensors->members.size(), Code::kNnInvalid, "relativeIndex is {}; the list has {} tensors.", index,
          tensors->members.size());
    object->set_address_in_list(count, slot, index, tensor_handles().find(member).get(), address);
    aclvk::ops::set_address(member, address);
  });
}

}  // namespace

extern "C" {

aclTensor* aclCreateTensor(const int64_t* viewDims, uint64_t viewDimsNum, aclDataType dataType, const int64_t* stride,
                           int64_t offset, aclFormat format, const int64_t* storageDims, uint64_t storageDimsNum,
                           void* tensorData) {
  return created<aclTensor>(__func__, [&] {
    auto tensor = std::make_shared<Tensor>(
        view_from(viewDims, viewDimsNum, dataType, stride, offset, format, storageDims, storageDimsNum));
    tensor->data = tensorData;
    void* const handle = tensor_handles().insert(tensor);
    tensor->handle = handle;  // no other thread has the handle yet
    return handle;
  });
}

aclnnStatus aclInitTensor(aclTensor* tensor, const int64_t* viewDims, uint64_t viewDimsNum, aclDataType dataType,
                          const int64_t* stride, int64_t offset, aclFormat format, const int64_t* storageDims,
                          uint64_t storageDimsNum, void* tensorDataAddr) {
  return guard(__func__, [&] {
    const auto object = required(tensor_handles(), tensor, "tensor");
    Tensor view = view_from(viewDims, viewDimsNum, dataType, stride, offset, format, storageDims, storageDimsNum);
    view.data = tensorDataAddr ? tensorDataAddr : object->data;
    view.handle = tensor;
    tensor_handles().replace(tensor, std::make_shared<Tensor>(std::move(view)));
  });
}

aclScalar* aclCreateScalar(void* value, aclDataType dataType) {
  return created<aclScalar>(__func__, [&] {
    require(value, "value");
    return scalar_handles().insert(std::make_shared<Scalar>(value, static_cast<DType>(dataType)));
  });
}

aclIntArray* aclCreateIntArray(const int64_t* value, uint64_t size) {
  return created<aclIntArray>(__func__, [&] { return insert_array<IntArray>(int_array_handles(), value, size); });
}

aclFloatArray* aclCreateFloatArray(const float* value, uint64_t size) {
  return created<aclFloatArray>(__func__, [&] { return insert_array<FloatArray>(float_array_handles(), value, size); });
}

aclBoolArray* aclCreateBoolArray(const bool* value, uint64_t size) {
  return created<aclBoolArray>(__func__, [&] { return insert_array<BoolArray>(bool_array_handles(), value, size); });
}

aclTensorList* aclCreateTensorList(const aclTensor* const* value, uint64_t size) {
  return created<aclTensorList>(__func__, [&] { return insert_list<TensorList>(tensor_list_handles(), value, size); });
}

aclScalarList* aclCreateScalarList(const aclScalar* const* value, uint64_t size) {
  return created<aclScalarList>(__func__, [&] { return insert_list<ScalarList>(scalar_list_handles(), value, size); });
}

aclnnStatus aclDestroyTensor(const aclTensor* tensor) { return destroy(__func__, tensor_handles(), tensor); }
aclnnStatus aclDestroyScalar(const aclScalar* scalar) { return destroy(__func__, scalar_handles(), scalar); }
aclnnStatus aclDestroyIntArray(const aclIntArray* array) { return destroy(__func__, int_array_handles(), array); }
aclnnStatus aclDestroyFloatArray(const aclFloatArray* array) { return destroy(__func__, float_array_handles(), array); }
aclnnStatus aclDestroyBoolArray(const aclBoolArray* array) { return destroy(__func__, bool_array_handles(), array); }

aclnnStatus aclDestroyTensorList(const aclTensorList* array) {
  return destroy_list(__func__, tensor_list_handles(), tensor_handles(), array);
}

aclnnStatus aclDestroyScalarList(const aclScalarList* array) {
  return destroy_list(__func__, scalar_list_handles(), scalar_handles(), array);
}

aclnnStatus aclGetViewShape(const aclTensor* tensor, int64_t** viewDims, uint64_t* viewDimsNum) {
  return copy_dims(__func__, tensor, viewDims, viewDimsNum, &Tensor::shape);
}

aclnnStatus aclGetStorageShape(const aclTensor* tensor, int64_t** storageDims, uint64_t* storageDimsNum) {
  return copy_dims(__func__, tensor, storageDims, storageDimsNum, &Tensor::storage);
}

aclnnStatus aclGetViewStrides(const aclTensor* tensor, int64_t** stridesValue, uint64_t* stridesNum) {
  return copy_dims(__func__, tensor, stridesValue, stridesNum, &Tensor::strides);
}

aclnnStatus aclGetViewOffset(const aclTensor* tensor, int64_t* offset) {
  return get(__func__, tensor, offset, [](const Tensor& object) { return object.offset; });
}

aclnnStatus aclGetFormat(const aclTensor* tensor, aclFormat* format) {
  return get(__func__, tensor, format, [](const Tensor& object) { return static_cast<aclFormat>(object.format); });
}

aclnnStatus aclGetDataType(const aclTensor* tensor, aclDataType* dataType) {
  return get(__func__, tensor, dataType, [](const Tensor& object) { return static_cast<aclDataType>(object.dtype); });
}

aclnnStatus aclGetRawTensorAddr(const aclTensor* tensor, void** addr) {
  return get(__func__, tensor, addr, [](const Tensor& object) { return object.data; });
}

aclnnStatus aclSetRawTensorAddr(aclTensor* tensor, void* addr) {
  return guard(__func__, [&] {
    required(tensor_handles(), tensor, "tensor");
    aclvk::ops::set_address(tensor, addr);
  });
}

aclnnStatus aclGetIntArraySize(const aclIntArray* array, uint64_t* size) {
  return size_of_array(__func__, int_array_handles(), array, size);
}

aclnnStatus aclGetFloatArraySize(const aclFloatArray* array, uint64_t* size) {
  return size_of_array(__func__, float_array_handles(), array, size);
}

aclnnStatus aclGetBoolArraySize(const aclBoolArray* array, uint64_t* size) {
  return size_of_array(__func__, bool_array_handles(), array, size);
}

aclnnStatus aclGetTensorListSize(const aclTensorList* tensorList, uint64_t* size) {
  return size_of_list(__func__, tensor_list_handles(), tensorList, size);
}

aclnnStatus aclGetScalarListSize(const aclScalarList* scalarList, uint64_t* size) {
  return size_of_list(__func__, scalar_list_handles(), scalarList, size);
}

aclnnStatus aclSetAclOpExecutorRepeatable(aclOpExecutor* executor) {
  return guard(__func__, [&] { required_executor(executor)->set_repeatable(); });
}

aclnnStatus aclDestroyAclOpExecutor(aclOpExecutor* executor) {
  return guard(__func__, [&] {
    required_executor(executor);
    executor_handles().remove(executor);
  });
}

aclnnStatus aclSetInputTensorAddr(aclOpExecutor* executor, const size_t index, aclTensor* tensor, void* addr) {
  return set_address(__func__, executor, index, tensor, addr, Count::kInputs);
}

aclnnStatus aclSetOutputTensorAddr(aclOpExecutor* executor, const size_t index, aclTensor* tensor, void* addr) {
  return set_address(__func__, executor, index, tensor, addr, Count::kOutputs);
}

aclnnStatus aclSetTensorAddr(aclOpExecutor* executor, const size_t index, aclTensor* tensor, void* addr) {
  return set_address(__func__, executor, index, tensor, addr, Count::kAll);
}

aclnnStatus aclSetDynamicInputTensorAddr(aclOpExecutor* executor, size_t irIndex, const size_t relativeIndex,
                                         aclTensorList* tensors, void* addr) {
  return set_list_address(__func__, executor, irIndex, relativeIndex, tensors, addr, Count::kInputs);
}

aclnnStatus aclSetDynamicOutputTensorAddr(aclOpExecutor* executor, size_t irIndex, const size_t relativeIndex,
                                          aclTensorList* tensors, void* addr) {
  return set_list_address(__func__, executor, irIndex, relativeIndex, tensors, addr, Count::kOutputs);
}

aclnnStatus aclSetDynamicTensorAddr(aclOpExecutor* executor, size_t irIndex, const size_t relativeIndex,
                                    aclTensorList* tensors, void* addr) {
  return set_list_address(__func__, executor, irIndex, relativeIndex, tensors, addr, Count::kAll);
}

// These names are those of the first CANN releases.

aclnnStatus AclSetInputTensorAddr(aclOpExecutor* executor, const size_t index, aclTensor* tensor, void* addr) {
  return aclSetInputTensorAddr(executor, index, tensor, addr);
}

aclnnStatus AclSetOutputTensorAddr(aclOpExecutor* executor, const size_t index, aclTensor* tensor, void* addr) {
  return aclSetOutputTensorAddr(executor, index, tensor, addr);
}

aclnnStatus AclSetTensorAddr(aclOpExecutor* executor, const size_t index, aclTensor* tensor, void* addr) {
  return aclSetTensorAddr(executor, index, tensor, addr);
}

aclnnStatus AclSetDynamicInputTensorAddr(aclOpExecutor* executor, size_t irIndex, const size_t relativeIndex,
                                         aclTensorList* tensors, void* addr) {
  return aclSetDynamicInputTensorAddr(executor, irIndex, relativeIndex, tensors, addr);
}

aclnnStatus AclSetDynamicOutputTensorAddr(aclOpExecutor* executor, size_t irIndex, const size_t relativeIndex,
                                          aclTensorList* tensors, void* addr) {
  return aclSetDynamicOutputTensorAddr(executor, irIndex, relativeIndex, tensors, addr);
}

aclnnStatus AclSetDynamicTensorAddr(aclOpExecutor* executor, size_t irIndex, const size_t relativeIndex,
                                    aclTensorList* tensors, void* addr) {
  return aclSetDynamicTensorAddr(executor, irIndex, relativeIndex, tensors, addr);
}

// Operators need no initialisation; the file is not read.
aclnnStatus aclnnInit(const char*) {
  return guard(__func__, [] {});
}
aclnnStatus aclnnFinalize(void) {
  return guard(__func__, [] {});
}

}  // extern "C"
