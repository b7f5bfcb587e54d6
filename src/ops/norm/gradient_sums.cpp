#include "ops/norm/gradient_sums.hpp"

#include <algorithm>

#include "norm/gradient_sums.args.h"
#include "ops/kernel/declare.hpp"
#include "ops/reduction/reduce.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

using runtime::Access;

ARGUMENT_STRUCT(GradientSumsArguments, GRADIENT_SUMS_ARGUMENTS);
CONSTANT_STRUCT(GradientSumsConstants, GRADIENT_SUMS_CONSTANTS);

// kFlags of norm/gradient_sums.comp
constexpr std::uint32_t kMean = 1;
constexpr std::uint32_t kScale = 2;
constexpr std::uint32_t kVariance = 4;
constexpr std::uint32_t kPerElement = 8;

/// From this spatial size on, two vec8s, a row is one channel of one image. With less, a row is one column of several
/// images.
constexpr std::int64_t kMinSpatialSize = 16;

RowCall row_call(const GradientSums& call, bool per_element) {
  RowCall rows;
  rows.name = call.name;
  rows.shader = "norm/gradient_sums_f32";
  GradientSumsConstants constants;
  constants.kFlags = per_element ? kPerElement : 0;
  if (call.mean.tensor) constants.kFlags |= kMean;
  if (call.scale.tensor) constants.kFlags |= kScale;
  if (call.variance) constants.kFlags |= kVariance;
  add_constants(rows, constants);
  GradientSumsArguments arguments;
  arguments.epsilon = static_cast<float>(call.epsilon);
  add_arguments(rows, arguments);
  return rows;
}

void add_operand(RowCall& rows, const Tensor& tensor, Access access, Shape strides, std::int64_t step, bool by_row) {
  RowOperand operand = row_operand(tensor, access);
  operand.strides = std::move(strides);
  operand.step = step;
  operand.scalar_access = by_row;
  rows.operands.push_back(operand);
}

/// Returns how many images a row covers: few enough for the accuracy of the sum and to occupy all cores.
std::int64_t images_per_chunk(const GradientSums& call) {
  constexpr std::int64_t kMaxImages = 4096;                 // keeps the rounding error of a sum of floats small
  constexpr std::int64_t kMinImages = 32;                   // fewer would make more partial sums than they save time
  constexpr std::int64_t kMaxSpan = std::int64_t{1} << 27;  // elements; a row must not span 2 GiB
  // Threads that occupy the device.
  const std::int64_t wanted_threads = call.execution.is_cpu_device ? 2048 : 65536;
  const std::int64_t columns = std::max<std::int64_t>(call.channels * call.spatial_size, 1);
  const std::int64_t chunks = std::max<std::int64_t>(wanted_threads / columns, 1);
  const std::int64_t fit = std::max<std::int64_t>(kMaxSpan / columns, 1);
  return std::min(std::clamp((call.images + chunks - 1) / chunks, kMinImages, kMaxImages), fit);
}

/// Consecutive chunks of the images, of one size.
struct ImageChunks {
  std::int64_t first_image;
  std::int64_t first_chunk;
  std::int64_t chunks;
  std::int64_t images;  ///< of a chunk
};

/// Sums each chunk into its part of (chunks, channels, spatial_size).
Kernels chunk_kernels(const GradientSums& call, const ImageChunks& part, const Tensor& sums, const Tensor& products) {
  const auto [first, first_chunk, chunks, count] = part;
  const std::int64_t columns = call.channels * call.spatial_size;
  RowCall rows = row_call(call, true);
  // A row is one column of a chunk, along its images.
  rows.rows = {chunks, call.channels, call.spatial_size};
  rows.count = count;
  for (const Tensor* tensor : {call.dy, call.x}) {
    add_operand(rows, sliced(reshaped(*tensor, {call.images, columns}).value(), 0, first, chunks * count),
                Access::kRead, {count * columns, call.spatial_size, 1}, columns, false);
  }
  for (const ChannelStatistic& statistic : {call.mean, call.scale}) {
    if (!statistic.tensor) {
      rows.operands.push_back(unused_row_operand(rows));
      continue;
    }
    Tensor from = *statistic.tensor;
    from.offset += first * statistic.of_image;
    add_operand(rows, from, Access::kRead, {count * statistic.of_image, statistic.of_channel, 0}, statistic.of_image,
                false);
  }
  for (const Tensor* tensor : {&sums, &products}) {
    add_operand(rows, sliced(*tensor, 0, first_chunk, chunks), Access::kWrite, {columns, call.spatial_size, 1}, 0,
                true);
  }
  return row_kernels(rows, call.execution);
}

}  // namespace

Kernels image_sum_kernels(const GradientSums& call, const Tensor& sums, const Tensor& products) {
  const std::int64_t all = call.groups * call.channels;
  RowCall rows = row_call(call, false);
  // A row is one channel of one image, along its spatial elements.
  rows.rows = {call.empty() ? 0 : call.images, call.groups, call.channels};
  rows.count = call.spatial_size;
  for (const Tensor* tensor : {call.dy, call.x}) {
    add_operand(rows, *tensor, Access::kRead,
                {all * call.spatial_size, call.channels * call.spatial_size, call.spatial_size}, 1, false);
  }
  for (const ChannelStatistic& statistic : {call.mean, call.scale}) {
    if (!statistic.tensor) {
      rows.operands.push_back(unused_row_operand(rows));
      continue;
    }
    add_operand(rows, *statistic.tensor, Access::kRead, {statistic.of_image, statistic.of_group, statistic.of_channel},
                0, true);
  }
  for (const Tensor* tensor : {&sums, &products}) {
    add_operand(rows, *tensor, Access::kWrite, {all, call.channels, 1}, 0, true);
  }
  return row_kernels(rows, call.execution);
}

Kernels sum_of_images_kernels(const GradientSums& call, const Tensor& partial, const Tensor* out, Staging& staging) {
  if (!out) return {};
  const Tensor row = *reshaped(staging.write(*out), {out->elements()});
  const Tensor chunks = *reshaped(partial, {partial.shape[0], out->elements()});
  return reduce_kernels(call.name, ReduceKind::kSum, DType::kFloat, chunks, 1, row, staging);
}

Kernels channel_sum_kernels(const GradientSums& call, const Tensor* sums, const Tensor* products, Staging& staging) {
  const bool by_image = call.spatial_size >= kMinSpatialSize;
  const std::int64_t count = by_image ? 1 : images_per_chunk(call);
  // The last chunk may be shorter, which takes a kernel of its own.
  const std::int64_t whole = call.empty() ? 0 : call.images / count;
  const std::int64_t rest = call.empty() ? 0 : call.images - whole * count;
  const std::int64_t chunks = whole + (rest > 0 ? 1 : 0);
  const std::int64_t spatial_size = by_image ? 1 : call.spatial_size;
  const Tensor sum_chunks = staging.make({chunks, call.channels, spatial_size}, DType::kFloat);
  const Tensor product_chunks = staging.make({chunks, call.channels, spatial_size}, DType::kFloat);
  Kernels kernels;
  if (by_image) {
    kernels = image_sum_kernels(call, sum_chunks, product_chunks);
  } else {
    if (whole > 0 || rest == 0) kernels = chunk_kernels(call, {0, 0, whole, count}, sum_chunks, product_chunks);
    if (rest > 0) append(kernels, chunk_kernels(call, {whole * count, whole, 1, rest}, sum_chunks, product_chunks));
  }
  for (const auto& [from, to] : {std::pair{&sum_chunks, sums}, std::pair{&product_chunks, products}}) {
    if (!to) continue;
    if (spatial_size == 1) {
      append(kernels, sum_of_images_kernels(call, *from, to, staging));
    } else {  // the output is a vector of one element a channel
      // Chunks and spatial elements are reduced; the channels, dim 1, remain.
      append(kernels, reduce_kernels(call.name, ReduceKind::kSum, DType::kFloat, *from, 0b101, *to, staging));
    }
  }
  return kernels;
}

}  // namespace aclvk::ops
