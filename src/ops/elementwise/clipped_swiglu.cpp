#include "ops/elementwise/clipped_swiglu.hpp"

#include <cstring>
#include <utility>

#include "base/error.hpp"
#include "ops/handles.hpp"
#include "ops/operator.hpp"
#include "ops/strided.hpp"

namespace aclvk::ops {
namespace {

constexpr const char* kName = "aclnnClippedSwiglu";
constexpr DTypeSet kFloats = {DType::kFloat, DType::kFloat16, DType::kBfloat16};

/// How the parts of x lie in it.
struct Parts {
  std::size_t dim;
  bool interleaved;

  Tensor gate(const Tensor& x) const {
    Tensor part = x;
    part.shape[dim] /= 2;
    if (interleaved) part.strides[dim] *= 2;
    return part;
  }
  Tensor linear(const Tensor& x) const {
    Tensor part = gate(x);
    part.offset += interleaved ? x.strides[dim] : part.shape[dim] * x.strides[dim];
    return part;
  }
};

Parts check_parts(const Tensor& x, const Tensor& out, const ClippedSwigluAttributes& attributes) {
  const auto rank = static_cast<std::int64_t>(x.shape.size());
  check(rank > 0, Code::kNnInvalid, "x has no dims; {} splits one.", kName);
  check(attributes.dim >= -rank && attributes.dim < rank, Code::kNnInvalid, "dim is {}; x has {} dims.", attributes.dim,
        rank);
  const auto dim = static_cast<std::size_t>(attributes.dim < 0 ? attributes.dim + rank : attributes.dim);
  check(x.shape[dim] % 2 == 0, Code::kNnInvalid, "x has shape {}; dim {} is split in two equal parts.", x.shape,
        attributes.dim);
  Shape half = x.shape;
  half[dim] /= 2;
  check_shape(out, "out", half, "half of x has shape");
  return {dim, attributes.interleaved};
}

std::uint32_t word_of(double value) {
  const auto narrow = static_cast<float>(value);
  std::uint32_t word;
  std::memcpy(&word, &narrow, sizeof(word));
  return word;
}

}  // namespace

std::shared_ptr<Executor> plan_clipped_swiglu(const ClippedSwigluHandles& handles,
                                              const ClippedSwigluAttributes& attributes) {
  const TensorPtr x = required_tensor(handles.x, "x");
  const TensorPtr groups =
      handles.group_index ? required_tensor(handles.group_index, "groupIndexOptional") : TensorPtr();
  const TensorPtr out = required_tensor(handles.out, "out");
  check_dtype(*x, "x", kFloats);
  if (groups) check_dtype(*groups, "groupIndexOptional", {DType::kInt64});
  check_dtype(*out, "out", kFloats);
  check(x->dtype == out->dtype, Code::kNnInvalid, "x has dtype {} and out has dtype {}; they have the same.", x->dtype,
        out->dtype);
  check_view(*x, "x");
  check_view(*out, "out");
  const Parts parts = check_parts(*x, *out, attributes);
  check(attributes.limit > 0, Code::kNnInvalid, "limit is {}; it is above 0.", attributes.limit);

  StridedCall fixed;
  fixed.name = kName;
  fixed.shader = "elementwise/clipped_swiglu_f32";
  fixed.constants = {static_cast<std::uint32_t>(x->dtype)};
  fixed.arguments = {word_of(attributes.alpha), word_of(attributes.limit), word_of(attributes.bias)};
  auto build = [fixed, parts](const Executor::Operands& now) {
    using runtime::Access;
    check_distinct(now.output(0), "out");
    const Tensor gate = parts.gate(now.input(0));
    const Tensor linear = parts.linear(now.input(0));
    check_overlap(now.output(0), "out", gate, "x");
    check_overlap(now.output(0), "out", linear, "x");
    StridedCall run = fixed;
    run.operands = {
        {&gate, Access::kRead, false}, {&linear, Access::kRead, false}, {&now.output(0), Access::kWrite, false}};
    return strided_kernels(run);
  };
  TensorSlots inputs;
  inputs.add(x.get(), x.get() + 1);
  inputs.add(groups.get(), groups ? groups.get() + 1 : nullptr);
  return std::make_shared<Executor>(kName, Executor::Operands{std::move(inputs), {out.get()}}, std::move(build));
}

}  // namespace aclvk::ops
