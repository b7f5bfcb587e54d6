#include "ops/norm/norm_checks.hpp"

#include "base/error.hpp"
#include "ops/executor/handles.hpp"

namespace aclvk::ops {

using ParamId = TensorParameters::ParamId;

Shape required_normalized_shape(const IntArrayArg& array) {
  const auto sizes = required(int_array_handles(), array);
  check(sizes->size() <= kMaxRank, Code::kNnInvalid, "normalizedShape has {} dims; at most {} are supported.",
        sizes->size(), kMaxRank);
  return {sizes->data(), sizes->data() + sizes->size()};
}

std::size_t leading_dims(const TensorParameters& tensors, ParamId x, const Shape& normalized, const char* what) {
  const Shape& shape = tensors[x].shape;
  check(!normalized.empty() && normalized.size() <= shape.size(), Code::kNnInvalid,
        "{} is {}; {} has shape {}, some of whose last dims, one at least, are expected.", what, normalized,
        tensors.name(x), shape);
  const std::size_t lead = shape.size() - normalized.size();
  const Shape trailing(shape.begin() + lead, shape.end());
  check(trailing == normalized, Code::kNnInvalid, "{} is {}; the last dims of {} are {}.", what, normalized,
        tensors.name(x), trailing);
  return lead;
}

void check_last_dim(const TensorParameters& tensors, ParamId param, ParamId x) {
  if (!tensors.has(param)) return;
  const Shape& shape = tensors[x].shape;
  check(!shape.empty(), Code::kNnInvalid, "{} is a scalar; a dim that is normalised is expected.", tensors.name(x));
  tensors.check_shape(param, {shape.back()}, "the last dim of x is");
}

void check_row_values(const TensorParameters& tensors, ParamId param, const Shape& x, std::size_t lead) {
  if (!tensors.has(param)) return;
  Shape expected(x.begin(), x.begin() + lead);
  if (tensors[param].shape.size() == lead) {
    return tensors.check_shape(param, expected, "the dims that are not normalised are");
  }
  // Statistics may keep the normalised dims with size 1.
  expected.resize(x.size(), 1);
  tensors.check_shape(param, expected, "there is a value for each row, so expected is");
}

}  // namespace aclvk::ops
