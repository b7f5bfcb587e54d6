#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/handle.hpp"

namespace aclvk::runtime {

/// aclDataTypeSize: returns the bytes of an element; 0 for types without a size, 8 for unknown types.
std::size_t data_type_size(int data_type);

/// aclDataBuffer: a reference to bytes that the program owns.
struct DataBuffer {
  void* data = nullptr;
  std::size_t bytes = 0;
};

/// aclTensorDesc: the logical (origin) and the storage layout of a tensor. Plain data.
struct TensorDesc {
  using Range = std::array<std::int64_t, 2>;  ///< minimum and maximum

  int data_type = -1;  ///< aclDataType
  int format = -1;     ///< aclFormat
  std::vector<std::int64_t> dims;
  int storage_format = -1;
  std::vector<std::int64_t> storage_dims;
  std::vector<Range> shape_ranges;
  std::vector<Range> value_ranges;
  std::string name;
  std::string dynamic_input;
  std::vector<std::byte> constant;
  int placement = 0;

  /// Returns the number of elements: 1 for a scalar, 0 for an unknown dimension or an overflow.
  std::size_t element_count() const;
  std::size_t bytes() const;
  /// Returns the rank; ACL_UNKNOWN_RANK while it is unknown.
  std::size_t dim_count() const;
};

using DataBufferHandles = HandleTable<DataBuffer, HandleTag::kDataBuffer>;
using TensorDescHandles = HandleTable<TensorDesc, HandleTag::kTensorDesc>;

DataBufferHandles& data_buffer_handles();
TensorDescHandles& tensor_desc_handles();

}  // namespace aclvk::runtime
