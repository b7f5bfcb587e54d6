#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/handle.hpp"

namespace aclvk::runtime {

/// acltdtDataItem: a tensor in a channel, or a marker such as the end of the sequence.
struct DataItem {
  int kind = -1;       ///< acltdtTensorType
  int data_type = -1;  ///< aclDataType
  std::vector<std::int64_t> dims;
  void* data = nullptr;
  std::size_t bytes = 0;
  std::vector<std::byte> own;  ///< storage of `data` for an item that a channel has made; else empty
};

/// acltdtDataset: items that are sent together. The program owns the items that it adds; the set owns items that it has
/// received. Not thread safe.
struct Dataset {
  std::string name;  ///< the channel that it was received from
  std::vector<void*> items;
  bool received = false;

  Dataset() = default;
  ~Dataset();
  Dataset(const Dataset&) = delete;
  Dataset& operator=(const Dataset&) = delete;

  /// Destroys the items that the set owns, and removes all.
  void clear();
};

using DataItemHandles = HandleTable<DataItem, HandleTag::kDataItem>;
using DatasetHandles = HandleTable<Dataset, HandleTag::kDataset>;

DataItemHandles& data_item_handles();
DatasetHandles& dataset_handles();

/// Makes an item for data that the program owns. Throws kInvalidParam for an unknown kind, too many dims, and null
/// arrays.
std::shared_ptr<DataItem> make_item(int kind, const std::int64_t* dims, std::size_t dim_count, int data_type,
                                    void* data, std::size_t bytes);
void add_item(Dataset& set, void* item);
/// Returns the handle at an index; null outside of the set, and for an item that has been destroyed.
void* item_at(const Dataset& set, std::size_t index);

}  // namespace aclvk::runtime
