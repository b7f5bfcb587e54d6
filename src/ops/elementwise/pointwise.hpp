#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/inline_vector.hpp"
#include "ops/executor/executor.hpp"
#include "ops/executor/operator.hpp"
#include "ops/kernel/strided.hpp"

namespace aclvk::ops {

// Checks, promotion, shapes and arguments of the operators in the pointwise tables (tables.hpp and the .def files). The
// dtypes that an operator accepts come from the tables in interface/ (operator_dtypes.hpp).
// shaders/common/pointwise.glsl is the device's half.

/// The inputs that determine the dtype in which an operator computes.
enum class Promotion {
  kAll,        ///< all inputs, by the rules of promotion.hpp
  kRealOfAll,  ///< all inputs; integers become float
  kFirst,      ///< the first input; the others are cast to its dtype
};

/// The dtype of an operator's result.
enum class Result {
  kComputed,  ///< that in which it computes
  kTruth,     ///< 0 or 1, which any dtype may hold
  kPart,      ///< the real part of complex numbers
  kInput,     ///< that of the inputs, even when integers are computed in float
};

/// The relation of attributes to the dtype in which an operator computes.
enum class Attributes {
  kFit,      ///< they can be cast to it, and wrap in it as inputs do
  kConvert,  ///< they are converted to it, and saturate; none is complex
  kPromote,  ///< they are promoted with the inputs, and saturate; none is complex
};

/// Restrictions of a scalar's value. NaN is always accepted; the result is NaN then.
enum class Limit {
  kNone,
  kNotZero,       ///< the first attribute
  kNotNegative,   ///< the first attribute
  kWholePower,    ///< the second input is not negative when both are integers
  kRoundingMode,  ///< the second input is a mode of rounded_by() in shaders/common/math/rounding.glsl
};

/// The rule by which an operator treats dtypes.
struct PointwiseRule {
  Promotion promotion = Promotion::kAll;
  Result result = Result::kComputed;
  Attributes attributes = Attributes::kFit;
  DTypeSet refused = {};  ///< dtypes in which it does not compute, though inputs may have them or promote to them
  Limit limit = Limit::kNone;
  int mask = -1;  ///< the input that only selects elements, which takes no part in the promotion; -1: none
  DTypeSet masks = {};
};

/// A row of a table.
struct PointwiseRow {
  std::uint32_t number;  ///< its position in the table, as the shader counts
  std::size_t inputs;
  PointwiseRule rule;
  const ClassShaders* shaders;  ///< empty names for classes that the table's shader does not have
};

/// An argument of a call, and the name of its parameter.
struct PointwiseArgument {
  enum class Kind { kTensor, kScalar, kNumber, kTensors, kScalars };
  const char* name;
  Kind kind;
  const void* handle;  ///< of a tensor, a scalar or a list of them, as `kind` says
  double number;       ///< also the default of an optional scalar
};

/// The arguments in the order of the operator's parameters: inputs, at most one of which is a scalar; up to three
/// attributes, or two with a scalar input; the output. An in-place operator has no output argument and writes its first
/// tensor.
using PointwiseArguments = InlineVector<PointwiseArgument, 6>;

struct PointwiseInput {
  const char* name = "";
  TensorPtr tensor;  ///< null for a scalar
  ScalarPtr scalar;
  bool omitted =
      false;  ///< an omitted tensor, which the scalar replaces; it keeps its slot among the executor's inputs

  DType dtype() const { return tensor ? tensor->dtype : scalar->dtype(); }
};

using PointwiseInputs = InlineVector<PointwiseInput, 3>;

/// A call whose handles have been looked up.
struct PointwiseCall {
  const char* name = "";  ///< the operator's C name
  PointwiseInputs inputs;
  PointwiseInputs attributes;
  std::vector<TensorPtr> unread{};  ///< further inputs, possibly null, whose values are not used
  const char* out_name = "";
  TensorPtr out;
};

PointwiseInput number_input(const char* name, double value);

/// Looks up the handles. Throws 161001 for NULL and stale ones. `name` is the operator's C name.
PointwiseCall read_pointwise(const char* name, std::size_t inputs, const PointwiseArguments& arguments);

/// Checks dtypes, shapes and attributes. Returns the dtype in which the row computes.
DType check_pointwise(const PointwiseCall& call, const PointwiseRow& row);

/// The part of a checked call that does not depend on addresses: all but its operands.
StridedCall pointwise_constants(const PointwiseCall& call, const PointwiseRow& row, DType promoted);

/// Plans the kernel of a call that was checked.
std::shared_ptr<Executor> plan_checked(const PointwiseCall& call, const PointwiseRow& row, DType promoted);
/// Checks a call and plans its kernel.
std::shared_ptr<Executor> plan_pointwise(const PointwiseCall& call, const PointwiseRow& row);

/// The numbers that a row computes with.
struct PointwiseNumbers {
  InlineVector<double, 2> attributes{};
  double absent = 1;  ///< the value of inputs that are null
};

/// The kernels for operands that were checked. Inputs are tensors, the first one not null; they broadcast to `out`.
Kernels pointwise_kernels(const char* name, const PointwiseRow& row, DType promoted,
                          const InlineVector<const Tensor*, 4>& inputs, const Tensor& out,
                          const PointwiseNumbers& numbers = {});

}  // namespace aclvk::ops
