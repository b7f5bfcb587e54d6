#include "ops/attention/rotate.hpp"

#include "attention/rotate.args.h"
#include "ops/kernel/declare.hpp"
#include "ops/kernel/strided.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

CONSTANT_STRUCT(RotateConstants, ROTATE_CONSTANTS);

std::size_t last_dim(const Tensor& tensor) { return tensor.shape.size() - 1; }

// Pairs of GPT-NeoX: column i and column i + half.
PairViews halves(const Tensor& tensor) {
  const std::size_t last = last_dim(tensor);
  const std::int64_t half = tensor.shape[last] / 2;
  return {sliced(tensor, last, 0, half), sliced(tensor, last, half, half)};
}

// Pairs of GPT-J: columns 2 i and 2 i + 1.
PairViews neighbours(const Tensor& tensor) {
  const std::size_t last = last_dim(tensor);
  const std::int64_t half = tensor.shape[last] / 2;
  return {sliced(tensor, last, 0, half, 2), sliced(tensor, last, 1, half, 2)};
}

// Each half of the columns has pairs of its own: quarters 1 and 2, 3 and 4.
PairViews halves_of_halves(const Tensor& tensor) {
  return halves(unflattened(tensor, last_dim(tensor), tensor.shape[last_dim(tensor)] / 2));
}

}  // namespace

PairViews pair_views(const Tensor& tensor, Rotary rotary, bool is_input) {
  switch (rotary) {
    case Rotary::kInterleaved: return neighbours(tensor);
    case Rotary::kQuarter: return halves_of_halves(tensor);
    case Rotary::kInterleavedIn: return is_input ? neighbours(tensor) : halves(tensor);
    default: return halves(tensor);
  }
}

Kernels rotate_coordinate(const char* name, const std::array<const Tensor*, 5>& operands, bool minus) {
  StridedCall call;
  call.name = name;
  call.shader = "attention/rotate_f32";
  call.promoted = DType::kFloat;
  RotateConstants constants;
  constants.kMinus = minus ? 1 : 0;
  add_constants(call, constants);
  for (const Tensor* operand : operands) {
    call.operands.push_back({operand, operand == operands.back() ? runtime::Access::kWrite : runtime::Access::kRead});
  }
  return strided_kernels(call);
}

}  // namespace aclvk::ops
