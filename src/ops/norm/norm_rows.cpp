#include "ops/norm/norm_rows.hpp"

#include <algorithm>

#include "norm/norm.args.h"
#include "ops/kernel/declare.hpp"
#include "ops/kernel/operand.hpp"
#include "ops/kernel/rows.hpp"
#include "ops/kernel/strided.hpp"

namespace aclvk::ops {
namespace {

using runtime::Access;

ARGUMENT_STRUCT(NormArguments, NORM_ARGUMENTS);
CONSTANT_STRUCT(NormConstants, NORM_CONSTANTS);

constexpr std::uint32_t kGamma = 2;
constexpr std::uint32_t kBeta = 4;
constexpr std::uint32_t kAddend = 8;
constexpr std::uint32_t kScaleOut = 16;
constexpr std::uint32_t kLastOut = 32;
constexpr std::uint32_t kChannels = 128;

/// The number of operands of norm.comp.
constexpr std::size_t kOperands = 6;

/// Operands of norm.comp that have names here.
constexpr std::size_t kX = 0;
constexpr std::size_t kY = 3;
constexpr std::size_t kScale = 4;
constexpr std::size_t kSumOrMean = 5;

/// The elements that an operand has: one for each element of x, one for each element of a row, or one for each row.
enum class Role { kElements, kParameter, kStatistic };

struct Slot {
  const Tensor* tensor;
  Access access;
  Role role;

  bool has_elements() const { return role == Role::kElements; }
  bool is_parameter() const { return role == Role::kParameter; }
};
using Slots = std::array<Slot, kOperands>;

/// With an addend operands 1 and 5 are the addend and the sum, else beta and the mean: no operator has all of them.
Slots slots_of(const NormTensors& tensors) {
  const bool adds = tensors.addend;
  return {{{tensors.x, Access::kRead, Role::kElements},
           adds ? Slot{tensors.addend, Access::kRead, Role::kElements}
                : Slot{tensors.beta, Access::kRead, Role::kParameter},
           {tensors.gamma, Access::kRead, Role::kParameter},
           {tensors.y, Access::kWrite, Role::kElements},
           {tensors.scale, Access::kWrite, Role::kStatistic},
           adds ? Slot{tensors.sum, Access::kWrite, Role::kElements}
                : Slot{tensors.mean, Access::kWrite, Role::kStatistic}}};
}

std::uint32_t flags_of(const NormCall& call, const NormTensors& tensors) {
  const Slots slots = slots_of(tensors);
  std::uint32_t flags = call.flags;
  if (tensors.gamma) flags |= kGamma;
  if (tensors.beta) flags |= kBeta;
  if (tensors.addend) flags |= kAddend;
  if (slots[kScale].tensor) flags |= kScaleOut;
  if (slots[kSumOrMean].tensor) flags |= kLastOut;
  return flags;
}

/// Every row reads gamma and beta, and earlier rows have written their statistics by then: they must not share memory.
void check_statistics(const NormTensors& tensors) {
  for (const Tensor* statistic : {tensors.scale, tensors.mean}) {
    for (const Tensor* parameter : {tensors.gamma, tensors.beta}) {
      if (statistic && parameter)
        check_disjoint(*statistic, "a statistic of rows", *parameter, "a parameter of all rows");
    }
  }
}

RowCall row_call(const NormCall& call, std::uint32_t flags, std::int64_t span) {
  RowCall rows;
  rows.name = call.name;
  rows.shader = "norm/norm_f32";
  rows.rows_in_registers = true;
  // Elements are read twice, for the statistics and for the result, so short rows stay in registers. Gamma and
  // beta do, too.
  rows.shared_in_registers = true;
  NormConstants constants;
  constants.kFlags = flags;
  add_constants(rows, constants);
  NormArguments arguments;
  arguments.epsilon = static_cast<float>(call.epsilon);
  // A span of 0 would divide by zero in the kernel of an empty tensor.
  arguments.span = word(std::max<std::int64_t>(span, 1));
  arguments.swish = static_cast<float>(call.swish);
  add_arguments(rows, arguments);
  return rows;
}

RowOperand operand(const Tensor& tensor, Access access) {
  return {tensor.address(), size_of(tensor.dtype), tensor.dtype, {}, 0, access, true, 0};
}

/// Returns the placeholder of an operand that the call does not have.
RowOperand unused_operand(const RowCall& rows) {
  RowOperand filler = rows.operands[0];
  filler.strides = Shape(rows.rows.size(), 0);
  filler.step = 0;
  filler.scalar_access = true;
  filler.access = Access::kRead;
  return filler;
}

Shape head(const Shape& shape, std::size_t count) {
  return {shape.begin(), shape.begin() + std::min(count, shape.size())};
}
Shape tail(const Shape& shape, std::size_t from) { return {shape.begin() + std::min(from, shape.size()), shape.end()}; }

/// The normalised dims as one loop nest over all operands that have them.
LoopNest inner_nest(const Slots& slots, std::size_t lead) {
  LoopNest nest{tail(slots[kX].tensor->shape, lead), {}};
  for (const Slot& slot : slots) {
    if (!slot.tensor) continue;
    if (slot.has_elements()) nest.strides.push_back(tail(slot.tensor->strides, lead));
    if (slot.is_parameter()) nest.strides.push_back(slot.tensor->strides);
  }
  // collapse() orders the nest by its last operand: the strides of x decide.
  nest.strides.push_back(tail(slots[kX].tensor->strides, lead));
  return collapse(std::move(nest));
}

}  // namespace

std::vector<runtime::Kernel> trailing_norm_kernels(const NormCall& call, const NormTensors& tensors, std::size_t lead,
                                                   Staging& staging) {
  check_statistics(tensors);
  Slots slots = slots_of(tensors);
  LoopNest nest = inner_nest(slots, lead);
  std::array<Tensor, kOperands> contiguous;
  // A row needs one step from element to element. Operands whose normalised dims do not merge are copied.
  if (nest.sizes.size() > 1) {
    for (std::size_t k = 0; k < kOperands; ++k) {
      if (!slots[k].tensor || slots[k].role == Role::kStatistic) continue;
      const bool read = slots[k].access == Access::kRead;
      contiguous[k] = read ? staging.read(*slots[k].tensor) : staging.write(*slots[k].tensor);
      slots[k].tensor = &contiguous[k];
    }
    nest = inner_nest(slots, lead);
  }
  RowCall rows = row_call(call, flags_of(call, tensors), 1);
  rows.rows = head(slots[kX].tensor->shape, lead);
  rows.count = nest.sizes[0];
  if (slots[kX].tensor->empty()) rows.rows = {0};
  // The strides of the nest are in the order of inner_nest().
  std::size_t walked = 0;
  for (const Slot& slot : slots) {
    if (!slot.tensor) {
      rows.operands.push_back(unused_operand(rows));
      continue;
    }
    RowOperand row_operand = operand(*slot.tensor, slot.access);
    row_operand.strides = head(slot.tensor->strides, lead);
    if (slot.is_parameter()) row_operand.strides = Shape(lead, 0);
    row_operand.strides.resize(rows.rows.size());
    if (slot.role != Role::kStatistic) {
      row_operand.step = nest.strides[walked++][0];
      row_operand.scalar_access = false;
    }
    rows.operands.push_back(row_operand);
  }
  return row_kernels(rows, call.execution);
}

std::vector<runtime::Kernel> group_norm_kernels(const NormCall& call, const NormTensors& tensors, std::int64_t groups,
                                                Staging& staging) {
  check_statistics(tensors);
  const Tensor x = staging.read(*tensors.x);
  const Tensor y = staging.write(*tensors.y);
  const std::int64_t batch = x.shape[0];
  const std::int64_t channels = x.shape[1];
  // A group's channels are adjacent in NCHW, so a group is one contiguous row.
  const std::int64_t in_group = channels / groups;
  const std::int64_t span = element_count(tail(x.shape, 2));
  RowCall rows = row_call(call, flags_of(call, tensors) | kChannels, span);
  rows.rows = {x.empty() ? 0 : batch, groups};
  rows.count = in_group * span;
  const auto add = [&](const Tensor* tensor, Access access, Shape strides, std::int64_t extra) {
    rows.operands.push_back(operand(*tensor, access));
    rows.operands.back().strides = std::move(strides);
    rows.operands.back().extra_elements = extra;
  };
  add(&x, Access::kRead, {channels * span, rows.count}, 0);
  rows.operands[kX].step = 1;
  rows.operands[kX].scalar_access = false;
  const Tensor beta = tensors.beta ? staging.read(*tensors.beta) : x;
  const Tensor gamma = tensors.gamma ? staging.read(*tensors.gamma) : x;
  for (const auto& [given, parameter] : {std::pair{tensors.beta, &beta}, std::pair{tensors.gamma, &gamma}}) {
    if (given)
      add(parameter, Access::kRead, {0, in_group}, in_group - 1);
    else
      rows.operands.push_back(unused_operand(rows));
  }
  add(&y, Access::kWrite, {channels * span, rows.count}, 0);
  rows.operands[kY].step = 1;
  rows.operands[kY].scalar_access = false;
  for (const Tensor* one : {tensors.scale, tensors.mean}) {
    if (one)
      add(one, Access::kWrite, head(one->strides, 2), 0);
    else
      rows.operands.push_back(unused_operand(rows));
  }
  return row_kernels(rows, call.execution);
}

std::vector<runtime::Kernel> channels_last_norm_kernels(const NormCall& call, const NormTensors& tensors,
                                                        Staging& staging) {
  check_statistics(tensors);
  const Tensor x = staging.read(*tensors.x);
  const Tensor y = staging.write(*tensors.y);
  const std::int64_t channels = x.shape.back();
  const std::int64_t batch = x.shape[0];
  const std::int64_t span = x.empty() ? 1 : element_count(x.shape) / batch / channels;
  RowCall rows = row_call(call, flags_of(call, tensors) | kChannels, span);
  rows.rows = {x.empty() ? 0 : batch, channels};
  rows.count = span;
  const auto add = [&](const Tensor* tensor, Access access, Shape strides) {
    rows.operands.push_back(operand(*tensor, access));
    rows.operands.back().strides = std::move(strides);
  };
  add(&x, Access::kRead, {channels * span, 1});
  // In NHWC the elements of a channel are `channels` apart.
  rows.operands[kX].step = channels;
  rows.operands[kX].scalar_access = false;
  for (const Tensor* parameter : {tensors.beta, tensors.gamma}) {
    if (parameter)
      add(parameter, Access::kRead, {0, parameter->strides[0]});
    else
      rows.operands.push_back(unused_operand(rows));
  }
  add(&y, Access::kWrite, {channels * span, 1});
  rows.operands[kY].step = channels;
  rows.operands[kY].scalar_access = false;
  for (const Tensor* one : {tensors.scale, tensors.mean}) {
    if (one)
      add(one, Access::kWrite,
          {one->strides[0], one->strides[one->shape.back() == channels ? one->shape.size() - 1 : 1]});
    else
      rows.operands.push_back(unused_operand(rows));
  }
  return row_kernels(rows, call.execution);
}

}  // namespace aclvk::ops
