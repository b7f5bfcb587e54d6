#include "ops/attention/combined_mask.hpp"

#include "attention/combined_mask.args.h"
#include "base/error.hpp"
#include "ops/kernel/kernel_builder.hpp"
#include "ops/kernel/operand.hpp"
#include "ops/kernel/strided.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

using runtime::Access;

ARGUMENT_STRUCT(CombinedMaskArguments, COMBINED_MASK_ARGUMENTS);
CONSTANT_STRUCT(CombinedMaskConstants, COMBINED_MASK_CONSTANTS);

constexpr std::int64_t kMaxBits = std::int64_t{1} << 32;

std::int64_t bits_of(const AttentionPlan& plan, const Sequence& sequence) {
  return plan.heads * sequence.queries * sequence.keys;
}

/// Returns the kernels that write the combined mask of one sequence: heads, queries, keys.
Kernels combine_kernels(const char* name, const Tensor& bits, std::int64_t first, const Tensor* mask,
                        const Tensor& out) {
  // Bits are numbered by head, query and key without gaps: these are the strides of a pair's number.
  const Shape numbers{out.shape[1] * out.shape[2], out.shape[2], 1};
  StridedCall call;
  call.name = name;
  call.shader = "attention/combined_mask_i32";
  call.promoted = DType::kInt32;
  CombinedMaskConstants constants;
  constants.kMasked = mask != nullptr ? 1 : 0;
  add_constants(call, constants);
  CombinedMaskArguments arguments;
  arguments.byte_stride = word(bits.strides[0]);
  add_arguments(call, arguments);
  call.operands = {{out.empty() ? &out : &bits, Access::kRead, false, &numbers, first},
                   {mask ? mask : &out, Access::kRead, mask == nullptr},
                   {&out, Access::kWrite}};
  return strided_kernels(call);
}

}  // namespace

void check_drop_mask(const AttentionPlan& plan) {
  if (!plan.drops()) return;
  const Tensor& mask = plan.tensors[plan.at.drop_mask];
  const char* name = plan.tensors.name(plan.at.drop_mask);
  std::int64_t bits = 0;
  for (const Sequence& sequence : plan.sequences) bits += bits_of(plan, sequence);
  check(bits < kMaxBits, Code::kNnInvalid, "{} is for {} pairs of queries and keys; less than 2^32 are supported.",
        name, bits);
  check(mask.elements() >= (bits + kVec8 - 1) / kVec8, Code::kNnInvalid,
        "{} has {} bytes; a bit for each of {} pairs of queries and keys is expected.", name, mask.elements(), bits);
  check(reshaped(mask, {mask.elements()}).has_value(), Code::kNnInvalid,
        "{} has shape {} and strides {}; one stride between all elements is expected.", name, mask.shape, mask.strides);
}

Tensor combined_mask_of(const AttentionPlan& plan, const Tensor& drop_mask, const Tensor* mask, std::int64_t queries,
                        std::int64_t keys, Staging& staging, Kernels& before) {
  const Tensor bits = *reshaped(drop_mask, {drop_mask.elements()});
  const std::int64_t whole = (keys + kVec8 - 1) / kVec8 * kVec8;
  const Tensor combined = staging.make({plan.batch(), plan.heads, queries, whole}, DType::kUint8);
  std::int64_t first = 0;
  for (std::int64_t i = 0; i < plan.batch(); ++i) {
    const Sequence& sequence = plan.sequences[static_cast<std::size_t>(i)];
    const auto part = [&](const Tensor& tensor) {
      Tensor own = sliced(sliced(selected(tensor, 0, i), 1, 0, sequence.queries), 2, 0, sequence.keys);
      own.shape[0] = plan.heads;
      return own;
    };
    // Without a mask any tensor of the workspace stands for it, which the kernel does not load.
    const Tensor hidden = mask ? part(*mask) : combined;
    append(before, combine_kernels(plan.name, bits, first, mask ? &hidden : nullptr, part(combined)));
    first += bits_of(plan, sequence);
  }
  return combined;
}

}  // namespace aclvk::ops
