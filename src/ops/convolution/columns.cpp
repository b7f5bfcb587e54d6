#include "ops/convolution/columns.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "base/error.hpp"
#include "ops/grid.hpp"

namespace aclvk::ops {
namespace {

using runtime::Access;

constexpr std::uint32_t kLocalSize = 64;
constexpr std::int64_t kEight = 8;
constexpr std::int64_t kMostTaps = 8;   // of a block
constexpr std::int64_t kMostSpan = 40;  // elements that a thread keeps
constexpr std::size_t kLine = 32;       // bytes; the widest access of a thread

/// The dims of the shader, of which those that are missing come first.
struct Dim {
  Window window{};
  std::int64_t first = 0;
  std::int64_t places = 1;
  std::int64_t extent = 1;
  std::int64_t stride = 0;
};
using Dims = std::array<Dim, kMostSpatialDims>;

Dims dims_of(const Tensor& columns, const Tensor& images, const Windows& windows, const WindowValues& first) {
  Dims dims{};
  const std::size_t missing = kMostSpatialDims - windows.size();
  for (std::size_t i = 0; i < windows.size(); ++i) {
    dims[missing + i] = {windows[i], first[i], columns.shape[2 + windows.size() + i], images.shape[2 + i],
                         images.strides[2 + i]};
  }
  return dims;
}

/// How a thread makes its elements: constants of convolution/columns.comp.
struct Block {
  std::int64_t taps;
  bool shares;
};

Block block_of(const Window& window) {
  const std::int64_t taps = std::min(window.size, kMostTaps);
  const std::int64_t span = (kEight - 1) * window.step + (taps - 1) * window.dilation + 1;
  return {taps, taps > 1 && span <= kMostSpan && span < kEight * taps};
}

}  // namespace

Kernels column_kernels(const char* name, const Tensor& columns, const Tensor& images, const Windows& windows,
                       const WindowValues& first) {
  const Dims dims = dims_of(columns, images, windows, first);
  const Dim& last = dims.back();
  const Block block = block_of(last.window);
  const std::int64_t blocks = (last.window.size + block.taps - 1) / block.taps;
  const std::int64_t eights = (last.places + kEight - 1) / kEight;
  const std::int64_t lines = images.shape[0] * images.shape[1] * dims[0].window.size * dims[1].window.size * blocks;
  const std::int64_t threads = lines * dims[0].places * dims[1].places * eights;
  const ByteSpan span = span_of(images);
  constexpr std::uint64_t kMost = std::uint64_t{1} << 32;
  check(span.end - span.begin < kMost, Code::kNnInvalid,
        "{} reads windows of images that reach over {} bytes; less than 2^32 are supported.", name,
        span.end - span.begin);

  runtime::Kernel kernel;
  kernel.name = name;
  kernel.shader = "convolution/columns_bits";
  const std::size_t bytes = size_of(images.dtype);
  const bool aligned = reinterpret_cast<std::uintptr_t>(columns.address()) % std::min(kLine, kEight * bytes) == 0;
  const bool whole_rows = last.places % kEight == 0 && aligned;
  kernel.constants = {kLocalSize,
                      static_cast<std::uint32_t>(bytes),
                      static_cast<std::uint32_t>(block.taps),
                      static_cast<std::uint32_t>(last.window.step),
                      static_cast<std::uint32_t>(last.window.dilation),
                      static_cast<std::uint32_t>(block.shares),
                      static_cast<std::uint32_t>(last.window.size % block.taps == 0),
                      static_cast<std::uint32_t>(whole_rows)};
  kernel.operands = {{images.address(), span.end - span.begin, Access::kRead},
                     {columns.address(), static_cast<std::uint64_t>(columns.elements()) * bytes, Access::kWrite}};
  std::vector<std::uint32_t> words;
  const auto add = [&](std::int64_t word) { words.push_back(static_cast<std::uint32_t>(word)); };
  add(threads);
  add(eights);
  for (const Dim& dim : dims) add(dim.places);
  add(blocks);
  for (const Dim& dim : dims) add(dim.window.size);
  add(images.shape[1]);
  add(images.strides[0]);
  add(images.strides[1]);
  for (std::size_t i = 0; i < 2; ++i) add(dims[i].window.step);
  for (const Dim& dim : dims) add(-dim.first);
  for (std::size_t i = 0; i < 2; ++i) add(dims[i].window.dilation);
  for (const Dim& dim : dims) add(dim.extent);
  for (const Dim& dim : dims) add(dim.stride);
  const auto* first_byte = reinterpret_cast<const std::byte*>(words.data());
  kernel.arguments = {first_byte, first_byte + words.size() * sizeof(std::uint32_t)};
  kernel.groups = row_of_groups(static_cast<std::uint64_t>(threads), kLocalSize);
  return {kernel};
}

}  // namespace aclvk::ops
