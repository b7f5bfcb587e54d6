#include "ops/matmul/formats/weight_size.hpp"

#include <algorithm>
#include <numeric>

#include "base/error.hpp"
#include "ops/executor/handles.hpp"

namespace aclvk::ops {
namespace {

constexpr std::int64_t kBlock = 16;
constexpr std::int64_t kBlockRowBytes = 32;
constexpr std::size_t kMaxDims = 6;
constexpr std::size_t kConvolutionDims = 4;
constexpr std::int64_t kMaxGroups = 65535;

std::int64_t parts_of(std::int64_t size, std::int64_t part) { return (size + part - 1) / part; }

/// Returns the sizes in an int array, checked.
Shape sizes_in(const aclIntArray* handle, std::size_t fewest, std::size_t most) {
  const auto sizes = required(int_array_handles(), handle, "tensorShape");
  check(sizes->size() >= fewest && sizes->size() <= most, Code::kNnInvalid,
        "tensorShape has {} dims; {} to {} are expected.", sizes->size(), fewest, most);
  Shape shape(sizes->data(), sizes->data() + sizes->size());
  element_count(shape);
  return shape;
}

/// Returns how many groups share blocks so that their filters and channels fill them (E in the format's description).
std::int64_t groups_per_block(std::int64_t channels, std::int64_t filters, std::int64_t groups) {
  // lcm(c, 16) / c groups of c channels fill whole blocks of 16; the same holds for filters, and both have to be
  // met.
  const std::int64_t for_channels = std::lcm(channels, kBlock) / channels;
  const std::int64_t for_filters = std::lcm(filters, kBlock) / filters;
  return std::min(groups, std::lcm(for_channels, for_filters));
}

}  // namespace

Shape fractal_storage(const Shape& shape, std::int64_t block_columns) {
  Shape storage(shape.begin(), shape.end() - 2);
  storage.push_back(parts_of(shape.back(), block_columns));
  storage.push_back(parts_of(shape[shape.size() - 2], kBlock));
  storage.push_back(kBlock);
  storage.push_back(block_columns);
  return storage;
}

std::uint64_t matmul_weight_elements(const aclIntArray* handle, DType dtype) {
  const Shape shape = sizes_in(handle, 2, kMaxDims);
  check(dtype == DType::kFloat16 || dtype == DType::kBfloat16 || dtype == DType::kInt8, Code::kNnInvalid,
        "dataType is {}; FLOAT16, BF16 or INT8 is expected.", dtype);
  return static_cast<std::uint64_t>(
      element_count(fractal_storage(shape, kBlockRowBytes / static_cast<std::int64_t>(size_of(dtype)))));
}

std::uint64_t convolution_weight_elements(const aclIntArray* handle, bool transposed, std::int64_t groups,
                                          DType dtype) {
  const Shape shape = sizes_in(handle, 0, kConvolutionDims);
  check(dtype == DType::kFloat16, Code::kNnInvalid, "dataType is {}; FLOAT16 is expected.", dtype);
  check(!transposed, Code::kNnInvalid,
        "transposed is true; false is expected, as FRACTAL_Z has no weights of transposed convolutions.");
  check(groups >= 1 && groups <= kMaxGroups, Code::kNnInvalid, "groups is {}; 1 to {} is expected.", groups,
        kMaxGroups);
  if (shape.empty() || element_count(shape) == 0) return 0;
  check(shape.size() == kConvolutionDims, Code::kNnInvalid, "tensorShape has {} dims; {} are expected.", shape.size(),
        kConvolutionDims);
  check(shape[0] % groups == 0, Code::kNnInvalid,
        "tensorShape is {}; a first dim that is a multiple of {}, the number of groups, is expected.", shape, groups);
  const std::int64_t filters = shape[0] / groups;
  const std::int64_t joined = groups_per_block(shape[1], filters, groups);
  return static_cast<std::uint64_t>(
      element_count({parts_of(groups, joined), parts_of(joined * shape[1], kBlock), shape[2], shape[3],
                     parts_of(joined * filters, kBlock), kBlock, kBlock}));
}

}  // namespace aclvk::ops
