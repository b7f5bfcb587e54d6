#include "runtime/queue/data_item.hpp"

#include "base/error.hpp"
#include "base/process_state.hpp"

namespace aclvk::runtime {
namespace {

constexpr int kLastKind = 4;
constexpr std::size_t kMaxDims = 128;  // ACL_MAX_DIM_CNT

}  // namespace

Dataset::~Dataset() { clear(); }

void Dataset::clear() {
  if (received) {
    for (void* item : items) data_item_handles().remove(item);
  }
  items.clear();
  name.clear();
  received = false;
}

// Neither is destroyed at exit: programs may destroy items while the process exits.
DataItemHandles& data_item_handles() { return ProcessState<DataItemHandles, StateId::kDataItemHandles>::get(); }

DatasetHandles& dataset_handles() { return ProcessState<DatasetHandles, StateId::kDatasetHandles>::get(); }

std::shared_ptr<DataItem> make_item(int kind, const std::int64_t* dims, std::size_t dim_count, int data_type,
                                    void* data, std::size_t bytes) {
  check(kind >= 0 && kind <= kLastKind, Code::kInvalidParam, "tdtType is {}; 0 to {} is expected.", kind, kLastKind);
  check(dim_count <= kMaxDims, Code::kInvalidParam, "dimNum is {}; an item has at most {} dims.", dim_count, kMaxDims);
  check(dim_count == 0 || dims, Code::kInvalidParam, "dims is NULL; {} are announced.", dim_count);
  check(bytes == 0 || data, Code::kInvalidParam, "data is NULL; {} bytes are announced.", bytes);
  return std::make_shared<DataItem>(DataItem{kind, data_type, {dims, dims + dim_count}, data, bytes, {}});
}

void add_item(Dataset& set, void* item) {
  check(!set.received, Code::kInvalidParam,
        "The dataset came out of a channel, and what it holds is its own; items are added to a new one.");
  set.items.push_back(item);
}

void* item_at(const Dataset& set, std::size_t index) {
  if (index >= set.items.size()) return nullptr;
  return data_item_handles().find(set.items[index]) ? set.items[index] : nullptr;
}

}  // namespace aclvk::runtime
