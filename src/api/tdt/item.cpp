// acl/acl_tdt.h: the items of channels and sets of items, which are host memory.
#include <algorithm>
#include <memory>

#include "acl/acl_tdt.h"
#include "api/base/created.hpp"
#include "api/base/handles.hpp"
#include "base/error.hpp"
#include "runtime/queue/data_item.hpp"

using namespace aclvk;
using api::created;
using api::guard_host;
using api::require;
using runtime::data_item_handles;
using runtime::DataItem;
using runtime::dataset_handles;

namespace {

/// Returns the member of an item, or a default when the item is NULL or not live.
template <typename Member, typename Fallback>
Fallback get(const acltdtDataItem* handle, Member DataItem::*member, Fallback fallback) {
  const auto item = data_item_handles().find(handle);
  return item ? static_cast<Fallback>((*item).*member) : fallback;
}

std::shared_ptr<DataItem> item_of(const acltdtDataItem* handle) {
  require(handle, "dataItem");
  auto item = data_item_handles().find(handle);
  check(item != nullptr, Code::kInvalidParam, "dataItem {} is not a live item.", static_cast<const void*>(handle));
  return item;
}

}  // namespace

acltdtDataItem* acltdtCreateDataItem(acltdtTensorType tdtType, const int64_t* dims, size_t dimNum, aclDataType dataType,
                                     void* data, size_t size) {
  return created<acltdtDataItem>(__func__, [&] {
    return data_item_handles().insert(runtime::make_item(tdtType, dims, dimNum, dataType, data, size));
  });
}

aclError acltdtDestroyDataItem(acltdtDataItem* dataItem) {
  return guard_host(__func__, [&] {
    item_of(dataItem);
    data_item_handles().remove(dataItem);
  });
}

acltdtTensorType acltdtGetTensorTypeFromItem(const acltdtDataItem* dataItem) {
  return get(dataItem, &DataItem::kind, ACL_TENSOR_DATA_UNDEFINED);
}

aclDataType acltdtGetDataTypeFromItem(const acltdtDataItem* dataItem) {
  return get(dataItem, &DataItem::data_type, ACL_DT_UNDEFINED);
}

void* acltdtGetDataAddrFromItem(const acltdtDataItem* dataItem) {
  return get(dataItem, &DataItem::data, static_cast<void*>(nullptr));
}

size_t acltdtGetDataSizeFromItem(const acltdtDataItem* dataItem) { return get(dataItem, &DataItem::bytes, size_t{0}); }

size_t acltdtGetDimNumFromItem(const acltdtDataItem* dataItem) {
  const auto item = data_item_handles().find(dataItem);
  return item ? item->dims.size() : 0;
}

aclError acltdtGetDimsFromItem(const acltdtDataItem* dataItem, int64_t* dims, size_t dimNum) {
  return guard_host(__func__, [&] {
    const auto item = item_of(dataItem);
    check(dims || (dimNum == 0 && item->dims.empty()), Code::kInvalidParam, "dims is NULL; the item has {} dims.",
          item->dims.size());
    check(dimNum >= item->dims.size(), Code::kInvalidParam, "dimNum is {}; the item has {} dims.", dimNum,
          item->dims.size());
    std::copy(item->dims.begin(), item->dims.end(), dims);
  });
}

// A channel takes items of any size, so none is ever split: each is the only slice of its tensor.
aclError acltdtGetSliceInfoFromItem(const acltdtDataItem* dataItem, size_t* sliceNum, size_t* sliceId) {
  return guard_host(__func__, [&] {
    item_of(dataItem);
    require(sliceNum, "sliceNum");
    require(sliceId, "sliceId");
    *sliceNum = 1;
    *sliceId = 0;
  });
}

acltdtDataset* acltdtCreateDataset() {
  return created<acltdtDataset>(__func__,
                                [] { return dataset_handles().insert(std::make_shared<runtime::Dataset>()); });
}

aclError acltdtDestroyDataset(acltdtDataset* dataset) {
  return guard_host(__func__, [&] {
    require(dataset, "dataset");
    check(dataset_handles().remove(dataset) != nullptr, Code::kInvalidParam, "dataset {} is not a live dataset.",
          static_cast<const void*>(dataset));
  });
}

aclError acltdtAddDataItem(acltdtDataset* dataset, acltdtDataItem* dataItem) {
  return guard_host(__func__, [&] {
    require(dataset, "dataset");
    const auto set = dataset_handles().find(dataset);
    check(set != nullptr, Code::kInvalidParam, "dataset {} is not a live dataset.", static_cast<void*>(dataset));
    item_of(dataItem);
    runtime::add_item(*set, dataItem);
  });
}

acltdtDataItem* acltdtGetDataItem(const acltdtDataset* dataset, size_t index) {
  const auto set = dataset_handles().find(dataset);
  return set ? static_cast<acltdtDataItem*>(runtime::item_at(*set, index)) : nullptr;
}

size_t acltdtGetDatasetSize(const acltdtDataset* dataset) {
  const auto set = dataset_handles().find(dataset);
  return set ? set->items.size() : 0;
}

const char* acltdtGetDatasetName(const acltdtDataset* dataset) {
  const auto set = dataset_handles().find(dataset);
  return set ? set->name.c_str() : nullptr;
}
