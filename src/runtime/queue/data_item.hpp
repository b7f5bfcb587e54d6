#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/handle.hpp"

namespace aclvk::runtime {

/// acltdtDataItem: a tensor, or a mark between tensors, on its way through a channel.
struct DataItem {
  int kind = -1;       ///< acltdtTensorType
  int data_type = -1;  ///< aclDataType
  std::vector<std::int64_t> dims;
  void* data = nullptr;
  std::size_t bytes = 0;
  std::vector<std::byte> own;  ///< what `data` points to when the item came out of a channel
};

/// acltdtDataset: items that travel together. A program adds items that stay its own; items that came out of a channel
/// belong to the set. Filled by one thread at a time.
struct Dataset {
  std::string name;  ///< of the channel that it came from
  std::vector<void*> items;
  bool received = false;

  Dataset() = default;
  ~Dataset();
  Dataset(const Dataset&) = delete;
  Dataset& operator=(const Dataset&) = delete;

  /// Ends the items that belong to the set, and forgets the others.
  void clear();
};

using DataItemHandles = HandleTable<DataItem, HandleTag::kDataItem>;
using DatasetHandles = HandleTable<Dataset, HandleTag::kDataset>;

DataItemHandles& data_item_handles();
DatasetHandles& dataset_handles();

/// An item around data that the program keeps. Throws kInvalidParam for an unknown kind, too many dims and arrays that
/// are missing.
std::shared_ptr<DataItem> make_item(int kind, const std::int64_t* dims, std::size_t dim_count, int data_type,
                                    void* data, std::size_t bytes);
void add_item(Dataset& set, void* item);
/// The handle of a live item, or null.
void* item_at(const Dataset& set, std::size_t index);

}  // namespace aclvk::runtime
