#include "ops/convolution/rows.hpp"

#include <algorithm>
#include <array>

#include "base/error.hpp"
#include "ops/kernel/grid.hpp"

namespace aclvk::ops {
namespace {

using runtime::Access;

constexpr std::uint32_t kLocalSize = 64;
constexpr std::int64_t kVec8 = 8;
constexpr std::int64_t kMaxTaps = 8;         // taps of a block
constexpr std::int64_t kMaxSpan = 40;        // elements that a thread holds in registers
constexpr std::size_t kMaxAccessBytes = 32;  // the widest access of a thread

/// A dim of the shader; missing ones come first.
struct Dim {
  Window window{};
  std::int64_t first = 0;
  std::int64_t positions = 1;
  std::int64_t extent = 1;
  std::int64_t stride = 0;
};
using Dims = std::array<Dim, kMaxSpatialDims>;

Dims dims_of(const WindowRows& rows) {
  Dims dims{};
  const std::size_t missing = kMaxSpatialDims - rows.windows.size();
  for (std::size_t i = 0; i < rows.windows.size(); ++i) {
    dims[missing + i] = {rows.windows[i], rows.first[i], rows.positions[i], rows.images.shape[2 + i],
                         rows.images.strides[2 + i]};
  }
  return dims;
}

std::int64_t taps_of_block(const Window& window) { return std::min(window.size, kMaxTaps); }

/// Returns whether the taps of a block share so many elements that a thread loads each of them once.
bool shares(const Window& window) {
  const std::int64_t taps = taps_of_block(window);
  const std::int64_t span = (kVec8 - 1) * window.step + (taps - 1) * window.dilation + 1;
  return taps > 1 && span <= kMaxSpan && span < kVec8 * taps;
}

}  // namespace

std::int64_t WindowRows::blocks() const {
  const std::int64_t taps = taps_of_block(windows.back());
  return (windows.back().size + taps - 1) / taps;
}

runtime::Kernel window_row_kernel(const char* name, std::string_view shader, const WindowRows& rows,
                                  std::int64_t planes, bool whole_rows) {
  const Dims dims = dims_of(rows);
  const Dim& last = dims.back();
  const std::int64_t taps = taps_of_block(last.window);
  const std::int64_t vec8s = (last.positions + kVec8 - 1) / kVec8;
  const std::int64_t threads = planes * dims[0].positions * dims[1].positions * vec8s;
  const ByteSpan span = span_of(rows.images);
  // Indices in the shader have 32 bits.
  constexpr std::uint64_t kMost = std::uint64_t{1} << 32;
  check(span.end - span.begin < kMost && static_cast<std::uint64_t>(threads) < kMost, Code::kNnInvalid,
        "{} reads windows of images that reach over {} bytes, for {} elements; less than 2^32 are supported.", name,
        span.end - span.begin, threads * kVec8);
  runtime::Kernel kernel;
  kernel.name = name;
  kernel.shader = shader;
  kernel.constants = {kLocalSize,
                      static_cast<std::uint32_t>(taps),
                      static_cast<std::uint32_t>(last.window.step),
                      static_cast<std::uint32_t>(last.window.dilation),
                      static_cast<std::uint32_t>(shares(last.window)),
                      static_cast<std::uint32_t>(last.window.size % taps == 0),
                      static_cast<std::uint32_t>(whole_rows && last.positions % kVec8 == 0)};
  kernel.operands = {{rows.images.address(), span.end - span.begin, Access::kRead}};
  add_argument(kernel, threads);
  add_argument(kernel, vec8s);
  for (const Dim& dim : dims) add_argument(kernel, dim.positions);
  add_argument(kernel, rows.blocks());
  for (const Dim& dim : dims) add_argument(kernel, dim.window.size);
  add_argument(kernel, rows.images.shape[1]);
  add_argument(kernel, rows.images.strides[0]);
  add_argument(kernel, rows.images.strides[1]);
  for (std::size_t i = 0; i < 2; ++i) add_argument(kernel, dims[i].window.step);
  for (const Dim& dim : dims) add_argument(kernel, -dim.first);
  for (std::size_t i = 0; i < 2; ++i) add_argument(kernel, dims[i].window.dilation);
  for (const Dim& dim : dims) add_argument(kernel, dim.extent);
  for (const Dim& dim : dims) add_argument(kernel, dim.stride);
  kernel.groups = row_of_groups(static_cast<std::uint64_t>(threads), kLocalSize);
  return kernel;
}

void add_argument(runtime::Kernel& kernel, std::int64_t word) {
  const auto bytes = runtime::argument_bytes(static_cast<std::uint32_t>(word));
  kernel.arguments.append(bytes.begin(), bytes.end());
}

bool is_aligned_for_vec8(const Tensor& tensor) {
  const std::size_t unit = std::min(kMaxAccessBytes, kVec8 * size_of(tensor.dtype));
  return reinterpret_cast<std::uintptr_t>(tensor.address()) % unit == 0;
}

}  // namespace aclvk::ops
