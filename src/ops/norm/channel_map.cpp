#include "ops/norm/channel_map.hpp"

#include <utility>

#include "norm/channel_map.args.h"
#include "norm/factors.args.h"
#include "ops/kernel/declare.hpp"
#include "ops/kernel/operand.hpp"
#include "ops/kernel/rows.hpp"

namespace aclvk::ops {
namespace {

using runtime::Access;

ARGUMENT_STRUCT(FactorsArguments, FACTORS_ARGUMENTS);
CONSTANT_STRUCT(FactorsConstants, FACTORS_CONSTANTS);
ARGUMENT_STRUCT(ChannelMapArguments, CHANNEL_MAP_ARGUMENTS);
CONSTANT_STRUCT(ChannelMapConstants, CHANNEL_MAP_CONSTANTS);

// Flags of norm/factors.comp that follow from the operands.
constexpr std::uint32_t kGamma = 1;
constexpr std::uint32_t kBeta = 16;

// kFlags of norm/channel_map.comp
constexpr std::uint32_t kGradient = 1;
constexpr std::uint32_t kCentered = 2;
constexpr std::uint32_t kPerElement = 4;
constexpr std::uint32_t kSwish = 8;

void add_operand(RowCall& rows, const Tensor& tensor, Access access, Shape strides, std::int64_t step) {
  RowOperand operand = row_operand(tensor, access);
  operand.strides = std::move(strides);
  operand.step = step;
  rows.operands.push_back(operand);
}

void add_statistic(RowCall& rows, const ChannelStatistic& statistic) {
  add_operand(rows, *statistic.tensor, Access::kRead, {statistic.of_image, statistic.of_group}, 0);
}

}  // namespace

Kernels factor_kernels(const ChannelFactors& call, const Tensor& factors) {
  const std::int64_t all = call.groups * call.channels;
  RowCall rows;
  rows.name = call.name;
  rows.shader = "norm/factors_f32";
  std::uint32_t flags = call.flags;
  if (call.gamma) flags |= kGamma;
  if (call.beta) flags |= kBeta;
  FactorsConstants constants;
  constants.kFlags = flags;
  add_constants(rows, constants);
  FactorsArguments arguments;
  arguments.epsilon = static_cast<float>(call.epsilon);
  arguments.inverse_count = static_cast<float>(call.inverse_count);
  arguments.plane = word(call.images * all);
  add_arguments(rows, arguments);
  rows.rows = {call.images, call.groups};
  rows.count = call.channels;
  // The mean is the placeholder for operands that this call does not have.
  const auto add_sums = [&](const Tensor* sums) {
    if (!sums) return add_operand(rows, *call.mean.tensor, Access::kRead, {0, 0}, 0);
    add_operand(rows, *sums, Access::kRead, {all, call.channels}, 1);
  };
  const auto add_parameter = [&](const Tensor* parameter) {
    if (!parameter) return add_operand(rows, *call.mean.tensor, Access::kRead, {0, 0}, 0);
    const std::int64_t step = parameter->strides.back();
    add_operand(rows, *parameter, Access::kRead, {0, call.channels * step}, step);
  };
  // Beta and the sum of dy share an operand: one belongs to the forward pass, the other to the gradient.
  if (call.beta) {
    add_parameter(call.beta);
  } else {
    add_sums(call.sums);
  }
  add_sums(call.products);
  add_parameter(call.gamma);
  add_statistic(rows, call.mean);
  add_statistic(rows, call.scale);
  add_operand(rows, factors, Access::kWrite, {all, call.channels}, 1);
  // The kernel writes four planes, of which strides and count describe the first.
  rows.operands.back().extra_elements = 3 * call.images * all;
  return row_kernels(rows, call.execution);
}

Kernels channel_map_kernels(const ChannelMap& call, const Tensor& factors, const Tensor& out) {
  const bool empty = call.images * call.channels * call.spatial_size == 0;
  // Without spatial elements a row consists of the channels, since the row of one channel would have one element.
  const bool per_element = call.spatial_size == 1;
  const std::int64_t plane = (call.by_image ? call.images : 1) * call.channels;
  const std::int64_t of_image = call.by_image ? call.channels : 0;
  RowCall rows;
  rows.name = call.name;
  rows.shader = "norm/channel_map_f32";
  ChannelMapConstants constants;
  constants.kFlags = (call.dy ? kGradient : 0U) | (call.x ? kCentered : 0U) | (per_element ? kPerElement : 0U) |
                     (call.swish ? kSwish : 0U);
  add_constants(rows, constants);
  ChannelMapArguments arguments;
  arguments.plane = word(plane);
  arguments.swish = static_cast<float>(call.swish.value_or(1));
  add_arguments(rows, arguments);
  rows.rows = {empty ? 0 : call.images};
  if (!per_element) rows.rows.push_back(call.channels);
  rows.count = per_element ? call.channels : call.spatial_size;
  const auto add_rows = [&](const Tensor& tensor, Access access) {
    add_operand(rows, tensor, access, {call.channels * call.spatial_size}, 1);
    if (!per_element) rows.operands.back().strides.push_back(call.spatial_size);
    rows.operands.back().scalar_access = false;
  };
  const Tensor& any = call.dy ? *call.dy : *call.x;
  add_rows(any, Access::kRead);
  add_rows(call.x ? *call.x : any, Access::kRead);
  add_operand(rows, factors, Access::kRead, {of_image}, per_element ? 1 : 0);
  if (!per_element) rows.operands.back().strides.push_back(1);
  rows.operands.back().extra_elements = 3 * plane;
  add_rows(out, Access::kWrite);
  return row_kernels(rows, call.execution);
}

}  // namespace aclvk::ops
