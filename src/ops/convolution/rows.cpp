#include "ops/convolution/rows.hpp"

#include <algorithm>
#include <array>

#include "base/error.hpp"
#include "convolution/rows.args.h"
#include "ops/kernel/kernel_builder.hpp"
#include "ops/kernel/operand.hpp"

namespace aclvk::ops {
namespace {

using runtime::Access;

ARGUMENT_STRUCT(WindowRowsArguments, WINDOW_ROWS_ARGUMENTS);
CONSTANT_STRUCT(WindowRowsConstants, WINDOW_ROWS_CONSTANTS);

constexpr std::uint32_t kLocalSize = 64;
constexpr std::int64_t kMaxTaps = 8;         // taps of a block, whose loop the driver unrolls
constexpr std::int64_t kMaxSpan = 40;        // elements that a thread holds; more do not fit in registers
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
  // Sharing pays when a block reads fewer elements than eight positions times its taps.
  return taps > 1 && span <= kMaxSpan && span < kVec8 * taps;
}

WindowRowsArguments arguments_of(const WindowRows& rows, const Dims& dims, std::int64_t vec8s, std::int64_t threads) {
  WindowRowsArguments arguments;
  arguments.threads = word(threads);
  arguments.vec8s = word(vec8s);
  arguments.blocks = word(rows.blocks());
  arguments.channels = word(rows.images.shape[1]);
  arguments.image_step = word(rows.images.strides[0]);
  arguments.channel_step = word(rows.images.strides[1]);
  for (std::size_t i = 0; i < dims.size(); ++i) {
    arguments.out_sizes[i] = word(dims[i].positions);
    arguments.taps[i] = word(dims[i].window.size);
    arguments.pads_before[i] = signed_word(-dims[i].first);
    arguments.extents[i] = word(dims[i].extent);
    arguments.strides[i] = word(dims[i].stride);
  }
  // The last dim's step and dilation are constants.
  for (std::size_t i = 0; i + 1 < dims.size(); ++i) {
    arguments.steps[i] = word(dims[i].window.step);
    arguments.dilations[i] = word(dims[i].window.dilation);
  }
  return arguments;
}

}  // namespace

std::int64_t WindowRows::blocks() const {
  const std::int64_t taps = taps_of_block(windows.back());
  return (windows.back().size + taps - 1) / taps;
}

KernelBuilder window_row_kernel(const char* name, std::string_view shader, const WindowRows& rows, std::int64_t planes,
                                bool whole_rows) {
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
  WindowRowsConstants constants;
  constants.local_size = kLocalSize;
  // Constants, so that the driver unrolls the taps of a block and keeps their elements in registers.
  constants.kTaps = word(taps);
  constants.kStep = word(last.window.step);
  constants.kDilation = word(last.window.dilation);
  constants.kShared = shares(last.window) ? 1 : 0;
  constants.kWholeTaps = last.window.size % taps == 0 ? 1 : 0;
  constants.kWholeRows = whole_rows && last.positions % kVec8 == 0 ? 1 : 0;
  KernelBuilder kernel(name, shader);
  kernel.add_constants(constants);
  kernel.add_operand(rows.images.address(), span.end - span.begin, Access::kRead);
  kernel.add_arguments(arguments_of(rows, dims, vec8s, threads));
  kernel.set_threads(static_cast<std::uint64_t>(threads), kLocalSize);
  return kernel;
}

bool is_aligned_for_vec8(const Tensor& tensor) {
  const std::size_t unit = std::min(kMaxAccessBytes, kVec8 * size_of(tensor.dtype));
  return reinterpret_cast<std::uintptr_t>(tensor.address()) % unit == 0;
}

}  // namespace aclvk::ops
