#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/inline_vector.hpp"
#include "ops/executor.hpp"
#include "ops/operator.hpp"
#include "ops/strided.hpp"

namespace aclvk::ops {

// What the tables of pointwise operators share (tables.hpp, and the .def files beside it): checks, promotion, shapes,
// arguments. Which dtypes an operator takes comes from the tables in api/ (operator_dtypes.hpp).
// shaders/common/pointwise.glsl is the other half.

/// From which inputs the dtype follows in which an operator computes.
enum class Promotion {
  kAll,        ///< all inputs, by the rules of promotion.hpp
  kRealOfAll,  ///< the same, but integers are combined in float
  kFirst,      ///< the first; what the others hold is cast to it
};

/// What an operator makes of what it has computed.
enum class Result {
  kComputed,  ///< what it is
  kTruth,     ///< 0 or 1, which any dtype may hold
  kPart,      ///< the real part of complex numbers
  kInput,     ///< the inputs' dtype again, where integers are computed in float
};

/// What the attributes have to do with the dtype in which an operator computes.
enum class Attributes {
  kFit,      ///< they can be cast to it, and wrap in it as inputs do
  kConvert,  ///< they are converted to it, and saturate; none is complex
  kPromote,  ///< they are promoted with the inputs, and saturate; none is complex
};

/// Which values a scalar may have. NaN is always fine: the result is NaN.
enum class Limit {
  kNone,
  kNotZero,       ///< the first attribute
  kNotNegative,   ///< the first attribute
  kWholePower,    ///< the second input is not negative where both are integers, which have no such powers
  kRoundingMode,  ///< the second input is a number of rounded_by() of shaders/common/math/rounding.glsl
};

/// How an operator treats dtypes.
struct PointwiseRule {
  Promotion promotion = Promotion::kAll;
  Result result = Result::kComputed;
  Attributes attributes = Attributes::kFit;
  DTypeSet refused = {};  ///< in which it does not compute, though its inputs may have them or promote to them
  Limit limit = Limit::kNone;
  int mask = -1;  ///< the input that only selects elements: it has other dtypes and no part in the promotion
  DTypeSet masks = {};
};

/// A row of a table.
struct PointwiseRow {
  std::uint32_t number;  ///< its place; the shader counts the same way
  std::size_t inputs;
  PointwiseRule rule;
  const ClassShaders* shaders;  ///< empty names for classes that the table's shader does not have
};

/// An argument of a call, and the name of its parameter.
struct PointwiseArgument {
  enum class Kind { kTensor, kScalar, kNumber, kTensors, kScalars };
  const char* name;
  Kind kind;
  const void* handle;  ///< of a tensor, a scalar or a list of them
  double number;       ///< also what an optional scalar that is left out stands for
};

/// The arguments as the operator's parameters are: the row's inputs, of which at most one is a scalar; attributes, at
/// most three, or two beside a scalar input; the output. An operator in place has no output: it is the first tensor.
using PointwiseArguments = InlineVector<PointwiseArgument, 6>;

struct PointwiseInput {
  const char* name = "";
  TensorPtr tensor;  ///< null for a scalar
  ScalarPtr scalar;
  bool omitted = false;  ///< a tensor that the scalar stands for: it counts among the executor's inputs

  DType dtype() const { return tensor ? tensor->dtype : scalar->dtype(); }
};

/// The same once none of the handles is NULL.
struct PointwiseCall {
  const char* name = "";  ///< the operator's C name
  std::vector<PointwiseInput> inputs;
  std::vector<PointwiseInput> attributes;
  std::vector<TensorPtr> unread{};  ///< inputs behind these that are not looked at, null or not
  const char* out_name = "";
  TensorPtr out;
};

PointwiseInput number_input(const char* name, double value);

/// Looks the handles up; 161001 for those that are NULL or not alive. `name` is the operator's C name.
PointwiseCall read_pointwise(const char* name, std::size_t inputs, const PointwiseArguments& arguments);

/// Checks dtypes, shapes and attributes; the dtype in which the row computes.
DType check_pointwise(const PointwiseCall& call, const PointwiseRow& row);

/// A call that was checked, but for its operands: what stays the same when addresses are replaced.
StridedCall pointwise_constants(const PointwiseCall& call, const PointwiseRow& row, DType promoted);

/// Plans the kernel of a call that was checked.
std::shared_ptr<Executor> plan_checked(const PointwiseCall& call, const PointwiseRow& row, DType promoted);
/// Checks a call and plans its kernel.
std::shared_ptr<Executor> plan_pointwise(const PointwiseCall& call, const PointwiseRow& row);

/// What a row computes with beside its tensors.
struct PointwiseNumbers {
  InlineVector<double, 2> attributes{};
  double absent = 1;  ///< what an input stands for that is null
};

/// The kernels for operands that were checked. Inputs are tensors, the first one not null; they broadcast to `out`.
Kernels pointwise_kernels(const char* name, const PointwiseRow& row, DType promoted,
                          const InlineVector<const Tensor*, 4>& inputs, const Tensor& out,
                          const PointwiseNumbers& numbers = {});

}  // namespace aclvk::ops
