// acl/acl_base_mdl.h: descriptions of tensors. They are plain data; no operator reads them.
#include "runtime/tensor_desc.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include "acl/acl_base.h"
#include "api/base/arrays.hpp"
#include "api/base/created.hpp"
#include "api/base/guard.hpp"
#include "api/base/handles.hpp"
#include "base/error.hpp"
#include "runtime/tensor_format.hpp"

using namespace aclvk;
using namespace aclvk::api;
using runtime::TensorDesc;

namespace {

std::shared_ptr<TensorDesc> find(const aclTensorDesc* handle) { return runtime::tensor_desc_handles().find(handle); }

std::shared_ptr<TensorDesc> desc_of(const aclTensorDesc* handle) {
  require(handle, "desc");
  auto desc = find(handle);
  check(desc != nullptr, Code::kInvalidParam, "desc {} is not a live tensor description.",
        static_cast<const void*>(handle));
  return desc;
}

bool dims_make_sense(int count, const int64_t* dims) { return count >= 0 && (count == 0 || dims); }

std::vector<int64_t> dims_of(int count, const int64_t* dims) {
  check(dims_make_sense(count, dims), Code::kInvalidParam,
        "numDims is {} and dims is {}; expected that many dimensions.", count, static_cast<const void*>(dims));
  check_array(dims, static_cast<size_t>(count), "dims", Code::kInvalidParam);
  return {dims, dims + count};
}

std::vector<TensorDesc::Range> ranges_of(size_t count, const int64_t (*ranges)[2]) {
  check(count == 0 || ranges, Code::kInvalidParam, "{} ranges are given, but their array is NULL.", count);
  check_array(ranges, count, "The array of ranges", Code::kInvalidParam);
  std::vector<TensorDesc::Range> result;
  for (size_t i = 0; i < count; ++i) result.push_back({ranges[i][0], ranges[i][1]});
  return result;
}

// These functions return success for NULL (runtime-semantics, 12.4).
template <typename Set>
aclError set_if_live(const aclTensorDesc* handle, Set&& set) {
  if (const auto desc = find(handle)) set(*desc);
  return 0;
}

}  // namespace

aclTensorDesc* aclCreateTensorDesc(aclDataType dataType, int numDims, const int64_t* dims, aclFormat format) {
  return created<aclTensorDesc>(__func__, [&] {
    auto desc = std::make_shared<TensorDesc>();
    desc->data_type = dataType;
    desc->format = format;
    desc->dims = dims_of(numDims, dims);
    return runtime::tensor_desc_handles().insert(std::move(desc));
  });
}

void aclDestroyTensorDesc(const aclTensorDesc* desc) { runtime::tensor_desc_handles().remove(desc); }

aclDataType aclGetTensorDescType(const aclTensorDesc* handle) {
  const auto desc = find(handle);
  return desc ? static_cast<aclDataType>(desc->data_type) : ACL_DT_UNDEFINED;
}

aclFormat aclGetTensorDescFormat(const aclTensorDesc* handle) {
  const auto desc = find(handle);
  return desc ? static_cast<aclFormat>(desc->format) : ACL_FORMAT_UNDEFINED;
}

size_t aclGetTensorDescSize(const aclTensorDesc* handle) {
  const auto desc = find(handle);
  return desc ? desc->bytes() : 0;
}

size_t aclGetTensorDescElementCount(const aclTensorDesc* handle) {
  const auto desc = find(handle);
  return desc ? desc->element_count() : 0;
}

size_t aclGetTensorDescNumDims(const aclTensorDesc* handle) {
  const auto desc = find(handle);
  return desc ? desc->dim_count() : 0;
}

int64_t aclGetTensorDescDim(const aclTensorDesc* handle, size_t index) {
  const auto desc = find(handle);
  return desc && index < desc->dims.size() ? desc->dims[index] : -1;
}

aclError aclGetTensorDescDimV2(const aclTensorDesc* handle, size_t index, int64_t* dimSize) {
  return guard(__func__, [&] {
    const auto desc = desc_of(handle);
    require(dimSize, "dimSize");
    check(index < desc->dims.size(), Code::kInvalidParam, "index is {}; the description has {} dims.", index,
          desc->dims.size());
    *dimSize = desc->dims[index];
  });
}

aclError aclGetTensorDescDimRange(const aclTensorDesc* handle, size_t index, size_t dimRangeNum, int64_t* dimRange) {
  return guard(__func__, [&] {
    const auto desc = desc_of(handle);
    require(dimRange, "dimRange");
    check(dimRangeNum >= ACL_TENSOR_SHAPE_RANGE_NUM, Code::kInvalidParam,
          "dimRangeNum is {}; room for 2 numbers is expected.", dimRangeNum);
    check(index < desc->shape_ranges.size(), Code::kInvalidParam, "index is {}; the description has {} ranges.", index,
          desc->shape_ranges.size());
    std::copy(desc->shape_ranges[index].begin(), desc->shape_ranges[index].end(), dimRange);
  });
}

aclError aclSetTensorShapeRange(aclTensorDesc* handle, size_t dimsCount, int64_t (*dimsRange)[2]) {
  return guard(__func__, [&] { desc_of(handle)->shape_ranges = ranges_of(dimsCount, dimsRange); });
}

aclError aclSetTensorValueRange(aclTensorDesc* handle, size_t valueCount, int64_t (*valueRange)[2]) {
  return guard(__func__, [&] { desc_of(handle)->value_ranges = ranges_of(valueCount, valueRange); });
}

void aclSetTensorDescName(aclTensorDesc* handle, const char* name) {
  guard_host(__func__, [&] {
    if (const auto desc = find(handle)) desc->name = name ? name : "";
  });
}

const char* aclGetTensorDescName(aclTensorDesc* handle) {
  const auto desc = find(handle);
  return desc ? desc->name.c_str() : "";
}

// The format and the shape that these two set are the stored ones (runtime-semantics, 12.4), like those of the
// functions named "storage".

aclError aclSetTensorFormat(aclTensorDesc* handle, aclFormat format) {
  return set_if_live(handle, [&](TensorDesc& desc) { desc.storage_format = format; });
}

aclError aclSetTensorStorageFormat(aclTensorDesc* handle, aclFormat format) {
  return set_if_live(handle, [&](TensorDesc& desc) { desc.storage_format = format; });
}

aclError aclSetTensorOriginFormat(aclTensorDesc* handle, aclFormat format) {
  return set_if_live(handle, [&](TensorDesc& desc) { desc.format = format; });
}

aclError aclSetTensorShape(aclTensorDesc* handle, int numDims, const int64_t* dims) {
  return guard(__func__, [&] { desc_of(handle)->storage_dims = dims_of(numDims, dims); });
}

aclError aclSetTensorStorageShape(aclTensorDesc* handle, int numDims, const int64_t* dims) {
  return guard(__func__, [&] { desc_of(handle)->storage_dims = dims_of(numDims, dims); });
}

aclError aclSetTensorOriginShape(aclTensorDesc* handle, int numDims, const int64_t* dims) {
  return guard(__func__, [&] { desc_of(handle)->dims = dims_of(numDims, dims); });
}

aclError aclSetTensorDynamicInput(aclTensorDesc* handle, const char* dynamicInputName) {
  return guard(__func__, [&] {
    const auto desc = desc_of(handle);
    require(dynamicInputName, "dynamicInputName");
    desc->dynamic_input = dynamicInputName;
  });
}

aclError aclSetTensorConst(aclTensorDesc* handle, void* dataBuffer, size_t length) {
  return guard(__func__, [&] {
    const auto desc = desc_of(handle);
    require(dataBuffer, "dataBuffer");
    check(length != 0, Code::kInvalidParam, "length is 0; a constant has at least one byte.");
    const auto* first = static_cast<const std::byte*>(dataBuffer);
    check_array(first, length, "dataBuffer", Code::kInvalidParam);
    desc->constant.assign(first, first + length);
  });
}

aclError aclSetTensorPlaceMent(aclTensorDesc* handle, aclMemType memType) {
  return guard(__func__, [&] { desc_of(handle)->placement = memType; });
}

aclError aclTransTensorDescFormat(const aclTensorDesc* srcDesc, aclFormat dstFormat, aclTensorDesc** dstDesc) {
  return guard(__func__, [&] {
    const auto desc = desc_of(srcDesc);
    require(dstDesc, "dstDesc");
    auto result = std::make_shared<TensorDesc>(runtime::in_format(*desc, dstFormat));
    *dstDesc = static_cast<aclTensorDesc*>(runtime::tensor_desc_handles().insert(std::move(result)));
  });
}

// A handle stands for one description, so an "array" of them has one element.
aclTensorDesc* aclGetTensorDescByIndex(aclTensorDesc* handle, size_t index) {
  return index == 0 && find(handle) ? handle : nullptr;
}

void* aclGetTensorDescAddress(const aclTensorDesc* handle) {
  const auto desc = find(handle);
  return desc && !desc->constant.empty() ? desc->constant.data() : nullptr;
}
