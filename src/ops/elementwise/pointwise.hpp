#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "base/inline_vector.hpp"
#include "ops/executor.hpp"
#include "ops/operator.hpp"

namespace aclvk::ops {

// What the tables of pointwise operators share (tables.hpp, and the .def files beside it): checks, promotion, shapes,
// arguments. shaders/common/pointwise.glsl is the other half.

/// From which inputs the dtype follows in which an operator computes.
enum class Promotion {
  kAll,        ///< all inputs, by the rules of promotion.hpp
  kRealOfAll,  ///< the same, but integers are combined in float
  kFirst,      ///< the first; what the others hold is cast to it
};

/// Which dtypes an operator takes and in which it computes.
struct PointwiseRule {
  DTypeSet inputs;
  DTypeSet outputs;
  DTypeSet promoted;
  Promotion promotion = Promotion::kAll;
  bool is_truth = false;  ///< the result is a bool, which any dtype may hold
  bool casts = false;     ///< the result is cast to the output's dtype whatever that is
  int mask = -1;          ///< the input that only selects elements: it has other dtypes and no part in the promotion
  DTypeSet masks = {};
};

/// A row of a table.
struct PointwiseRow {
  std::uint32_t number;  ///< its place; the shader counts the same way
  const PointwiseRule& rule;
  const ClassShaders& shaders;
};

/// What a caller passes for an input, an attribute or the output.
struct PointwiseArgument {
  const char* name = "";
  const void* handle = nullptr;  ///< an aclTensor or an aclScalar
  bool is_scalar = false;
  bool is_number = false;  ///< an attribute without a handle
  double number = 0;
};

/// The arguments of a call, not yet looked at. At most one input is a scalar; then there are at most two attributes.
struct PointwiseArguments {
  InlineVector<PointwiseArgument, 3> inputs;
  InlineVector<PointwiseArgument, 3> attributes;
  PointwiseArgument out;  ///< the first input for an operator in place

  PointwiseArguments with(const PointwiseArgument& attribute) const;
  PointwiseArguments to(const PointwiseArgument& output) const;
  PointwiseArguments in_place() const { return to(inputs.front()); }
};

struct PointwiseInput {
  const char* name = "";
  TensorPtr tensor;  ///< null for a scalar
  ScalarPtr scalar;

  DType dtype() const { return tensor ? tensor->dtype : scalar->dtype(); }
};

/// The same once none of the handles is NULL.
struct PointwiseCall {
  const char* name = "";
  std::vector<PointwiseInput> inputs;
  std::vector<PointwiseInput> attributes;
  const char* out_name = "";
  TensorPtr out;
};

/// Looks the handles up; 161001 for those that are NULL or not alive. `name` is the operator's C name.
PointwiseCall read_pointwise(const char* name, const PointwiseArguments& arguments);

/// Checks a call and plans its kernel.
std::shared_ptr<Executor> plan_pointwise(const PointwiseCall& call, const PointwiseRow& row);

/// The kernels for operands that were checked. All inputs are tensors; they broadcast to `out`.
std::vector<runtime::Kernel> pointwise_kernels(const char* name, const PointwiseRow& row, DType promoted,
                                               std::initializer_list<const Tensor*> inputs, const Tensor& out);

}  // namespace aclvk::ops
