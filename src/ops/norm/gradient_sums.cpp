#include "ops/norm/gradient_sums.hpp"

#include <algorithm>

#include "ops/loss/reduced.hpp"
#include "ops/shape/view.hpp"

namespace aclvk::ops {
namespace {

using runtime::Access;

// kParts of norm/gradient_sums.comp
constexpr std::uint32_t kMean = 1;
constexpr std::uint32_t kScale = 2;
constexpr std::uint32_t kVariance = 4;
constexpr std::uint32_t kWalked = 8;

/// So many places of a channel make a row of their own; with fewer, rows go along the images.
constexpr std::int64_t kFewestPlaces = 16;

RowCall row_call(const GradientSums& call, bool walked) {
  RowCall rows;
  rows.name = call.name;
  rows.shader = "norm/gradient_sums_f32";
  rows.arguments = {float_argument(call.epsilon)};
  std::uint32_t parts = walked ? kWalked : 0;
  if (call.mean.tensor) parts |= kMean;
  if (call.scale.tensor) parts |= kScale;
  if (call.variance) parts |= kVariance;
  rows.constants = {parts};
  return rows;
}

void add_operand(RowCall& rows, const Tensor& tensor, Access access, Shape strides, std::int64_t step, bool by_row) {
  RowOperand operand = row_operand(tensor, access);
  operand.strides = std::move(strides);
  operand.step = step;
  operand.scalar_access = by_row;
  rows.operands.push_back(operand);
}

/// Rows of up to so many images: few enough that their sums stay exact and all cores have work.
std::int64_t images_of_part(const GradientSums& call) {
  constexpr std::int64_t kMost = 4096;
  constexpr std::int64_t kLeast = 32;
  constexpr std::int64_t kMostSpan = std::int64_t{1} << 27;  // elements, of which a row must not span 2 GiB
  const std::int64_t wanted_threads = call.execution.takes_turns ? 2048 : 65536;
  const std::int64_t columns = std::max<std::int64_t>(call.channels * call.places, 1);
  const std::int64_t parts = std::max<std::int64_t>(wanted_threads / columns, 1);
  const std::int64_t fit = std::max<std::int64_t>(kMostSpan / columns, 1);
  return std::min(std::clamp((call.images + parts - 1) / parts, kLeast, kMost), fit);
}

/// Sums over some images, from `first` on, that are cut into `parts` of `count` images, to (parts, channels, places).
Kernels part_kernels(const GradientSums& call, std::int64_t first, std::int64_t parts, std::int64_t count,
                     std::int64_t first_part, const Tensor& sums, const Tensor& products) {
  const std::int64_t columns = call.channels * call.places;
  RowCall rows = row_call(call, true);
  rows.rows = {parts, call.channels, call.places};
  rows.count = count;
  for (const Tensor* tensor : {call.dy, call.x}) {
    add_operand(rows, sliced(reshaped(*tensor, {call.images, columns}).value(), 0, first, parts * count), Access::kRead,
                {count * columns, call.places, 1}, columns, false);
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
    add_operand(rows, sliced(*tensor, 0, first_part, parts), Access::kWrite, {columns, call.places, 1}, 0, true);
  }
  return row_kernels(rows, call.execution);
}

}  // namespace

Kernels image_sum_kernels(const GradientSums& call, const Tensor& sums, const Tensor& products) {
  const std::int64_t all = call.groups * call.channels;
  RowCall rows = row_call(call, false);
  rows.rows = {call.empty() ? 0 : call.images, call.groups, call.channels};
  rows.count = call.places;
  for (const Tensor* tensor : {call.dy, call.x}) {
    add_operand(rows, *tensor, Access::kRead, {all * call.places, call.channels * call.places, call.places}, 1, false);
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
  const Tensor parts = *reshaped(partial, {partial.shape[0], out->elements()});
  return folded_kernels(call.name, ReduceKind::kSum, DType::kFloat, parts, 1, row, staging);
}

Kernels channel_sum_kernels(const GradientSums& call, const Tensor* sums, const Tensor* products, Staging& staging) {
  const bool by_image = call.places >= kFewestPlaces;
  const std::int64_t count = by_image ? 1 : images_of_part(call);
  const std::int64_t whole = call.empty() ? 0 : call.images / count;
  const std::int64_t rest = call.empty() ? 0 : call.images - whole * count;
  const std::int64_t parts = whole + (rest > 0 ? 1 : 0);
  const std::int64_t places = by_image ? 1 : call.places;
  const Tensor sum_parts = staging.make({parts, call.channels, places}, DType::kFloat);
  const Tensor product_parts = staging.make({parts, call.channels, places}, DType::kFloat);
  Kernels kernels;
  if (by_image) {
    kernels = image_sum_kernels(call, sum_parts, product_parts);
  } else {
    if (whole > 0 || rest == 0) kernels = part_kernels(call, 0, whole, count, 0, sum_parts, product_parts);
    if (rest > 0) append(kernels, part_kernels(call, whole * count, 1, rest, whole, sum_parts, product_parts));
  }
  for (const auto& [from, to] : {std::pair{&sum_parts, sums}, std::pair{&product_parts, products}}) {
    if (!to) continue;
    if (places == 1) {
      append(kernels, sum_of_images_kernels(call, *from, to, staging));
    } else {  // an element for each channel, in one dim
      append(kernels, folded_kernels(call.name, ReduceKind::kSum, DType::kFloat, *from, 0b101, *to, staging));
    }
  }
  return kernels;
}

}  // namespace aclvk::ops
