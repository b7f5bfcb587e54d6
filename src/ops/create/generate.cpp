#include "ops/create/generate.hpp"

#include <array>
#include <cmath>

#include "base/error.hpp"
#include "create/generate.args.h"
#include "ops/args/create.hpp"
#include "ops/executor/operator.hpp"
#include "ops/kernel/declare.hpp"
#include "ops/kernel/operand.hpp"
#include "ops/kernel/strided.hpp"
#include "ops/tensor/dtype_sets.hpp"

namespace aclvk::ops {
namespace {

ARGUMENT_STRUCT(GenerateArguments, GENERATE_ARGUMENTS);
CONSTANT_STRUCT(GenerateConstants, GENERATE_CONSTANTS);

constexpr ClassShaders kShaders = ACLVK_CLASS_SHADERS("create/generate");

constexpr DTypeSet kRanges = kFloats.with(kDoubles).with(kIndices);
constexpr DTypeSet kSpaces = kFloats.with(kDoubles).with(kIntegers);

enum class Sequence : std::uint32_t { kForward = 0, kBothEnds = 1, kPower = 2 };

Scalar of_double(double value) { return {&value, DType::kDouble}; }

/// The arguments of create/generate.comp, computed in `promoted`.
struct Progression {
  Scalar start;
  Scalar end;
  Scalar step;
  Sequence sequence;
  DType promoted;
  double base = 1;
};

GenerateArguments arguments_of(const Progression& progression, ComputeClass compute, std::int64_t count) {
  const auto words_of = [&](const Scalar& scalar) {
    const auto words = scalar_words(scalar, compute);
    return std::array{words[0], words[1]};
  };
  GenerateArguments arguments;
  arguments.start = words_of(progression.start);
  arguments.end = words_of(progression.end);
  arguments.step = words_of(progression.step);
  arguments.count = word(count);
  arguments.logarithm = static_cast<float>(std::log2(std::fabs(progression.base)));
  arguments.negative_base = progression.base < 0 ? 1 : 0;
  return arguments;
}

std::shared_ptr<Executor> plan_line(const char* name, const Progression& progression, const Tensor& out,
                                    const char* out_name) {
  const ComputeClass compute = class_for(progression.promoted, {out.dtype});
  StridedCall fixed;
  fixed.name = name;
  fixed.shader = kShaders[static_cast<std::size_t>(compute)];
  fixed.promoted = progression.promoted;
  GenerateConstants constants;
  constants.kSequence = static_cast<uint>(progression.sequence);
  add_constants(fixed, constants);
  add_arguments(fixed, arguments_of(progression, compute, out.elements()));
  auto build = [fixed, out_name](const Executor::Operands& bound) {
    check_distinct(bound.output(0), out_name);
    // The number of an element in row-major order, whatever strides the output has.
    const Shape numbers = contiguous_strides(bound.output(0).shape);
    StridedCall call = fixed;
    call.operands = {{&bound.output(0), runtime::Access::kRead, true, &numbers},
                     {&bound.output(0), runtime::Access::kWrite, false}};
    return strided_kernels(call);
  };
  return std::make_shared<Executor>(name, Executor::Operands{{}, {&out}}, std::move(build));
}

bool is_whole(const Scalar& scalar) { return kind_of(scalar.dtype()) <= Kind::kInteger; }

// Holds 64-bit integers with and without a sign, and their differences.
__extension__ using Wide = __int128;

/// The value of an integer scalar. to_int64() shows an UINT64 from 2^63 on as a negative number.
Wide wide_of(const Scalar& scalar) {
  const std::int64_t value = scalar.to_int64();
  return scalar.dtype() == DType::kUint64 ? Wide{static_cast<std::uint64_t>(value)} : Wide{value};
}

/// The number of steps up to the end; exact for integers.
std::int64_t steps_between(const Scalar& start, const Scalar& end, const Scalar& step, bool includes_end) {
  if (is_whole(start) && is_whole(end) && is_whole(step)) {
    const Wide distance = wide_of(end) - wide_of(start);
    const Wide whole = distance / wide_of(step);
    return static_cast<std::int64_t>(includes_end ? whole + 1 : whole + (distance % wide_of(step) != 0));
  }
  const double steps = (end.to_double() - start.to_double()) / step.to_double();
  return static_cast<std::int64_t>(includes_end ? std::floor(steps) + 1 : std::ceil(steps));
}

Progression line_between(const Scalar& start, const Scalar& end, std::int64_t steps, Sequence sequence,
                         DType promoted) {
  const double distance = end.to_double() - start.to_double();
  // One step has no distance; it is the start.
  const double step = steps > 1 ? distance / static_cast<double>(steps - 1) : 0.0;
  return {of_double(start.to_double()), steps > 1 ? of_double(end.to_double()) : of_double(start.to_double()),
          of_double(step), sequence, promoted};
}

void check_real(const Scalar& scalar, const char* name) {
  check(kind_of(scalar.dtype()) <= Kind::kFloating, Code::kNnInvalid, "{} has dtype {}; expected a real number.", name,
        scalar.dtype());
}

void check_finite(const Scalar& scalar, const char* name) {
  check(std::isfinite(scalar.to_double()), Code::kNnInvalid, "{} is {}; expected a finite number.", name,
        scalar.to_double());
}

/// Throws 161002 for an UINT64 from 2^63 on, with which elements are not computed as integers.
void check_fits(const Scalar& scalar, const char* name) {
  check(scalar.dtype() != DType::kUint64 || scalar.to_int64() >= 0, Code::kNnInvalid,
        "{} is {} of dtype UINT64; in a range of integers it is at most 2^63 - 1.", name, scalar.to_double());
}

void check_steps(std::int64_t steps, const Tensor& out, const char* out_name) {
  check(steps >= 0, Code::kNnInvalid, "steps is {}; expected 0 or more.", steps);
  check_shape(out, out_name, {steps}, "steps is");
}

}  // namespace

std::shared_ptr<Executor> plan_arange(const char* name, const ScalarArg& start_handle, const ScalarArg& end_handle,
                                      const ScalarArg& step_handle, const OutputArg& out_handle, bool includes_end) {
  const ScalarPtr start = required_scalar(start_handle);
  const ScalarPtr end = required_scalar(end_handle);
  const ScalarPtr step = required_scalar(step_handle);
  const TensorPtr out = required_tensor(out_handle);
  check_real(*start, "start");
  check_real(*end, "end");
  check_real(*step, "step");
  check_operand(*out, "out", kRanges);
  check_finite(*start, "start");
  check_finite(*end, "end");
  const double distance = end->to_double() - start->to_double();
  check(step->to_double() != 0 && std::isfinite(step->to_double()), Code::kNnInvalid,
        "step is {}; it must be finite, and not 0.", step->to_double());
  check(distance * step->to_double() >= 0, Code::kNnInvalid, "start is {}, end is {} and step is {}; it leads away.",
        start->to_double(), end->to_double(), step->to_double());
  check(std::abs(distance / step->to_double()) < std::ldexp(1, 62), Code::kNnInvalid,
        "start is {}, end is {} and step is {}; no tensor has so many elements.", start->to_double(), end->to_double(),
        step->to_double());
  const std::int64_t steps = steps_between(*start, *end, *step, includes_end);
  check(out->elements() == steps, Code::kNnInvalid, "out has shape {}; {} steps need as many elements.", out->shape,
        steps);
  if (kind_of(out->dtype) == Kind::kInteger) {
    check_fits(*start, "start");
    check_fits(*step, "step");
    check_fits(*end, "end");
  }
  return plan_line(name, {*start, *end, *step, Sequence::kForward, out->dtype}, *out, "out");
}

/// aclnnLinspace: `steps` equidistant numbers, including both ends.
std::shared_ptr<Executor> plan(const LinspaceArgs& args) {
  const std::int64_t steps = args.steps;
  const ScalarPtr start = required_scalar(args.start);
  const ScalarPtr end = required_scalar(args.end);
  const TensorPtr out = required_tensor(args.out);
  check_real(*start, "start");
  check_real(*end, "end");
  check_operand(*out, "out", kSpaces);
  check_steps(steps, *out, "out");
  // Float has too few digits for the integers of INT64.
  const bool is_wide = out->dtype == DType::kDouble || out->dtype == DType::kInt64;
  const DType promoted = is_wide ? DType::kDouble : DType::kFloat;
  return plan_line("aclnnLinspace", line_between(*start, *end, steps, Sequence::kBothEnds, promoted), *out, "out");
}

/// aclnnLogSpace: `base` to the power of equidistant numbers.
std::shared_ptr<Executor> plan(const LogSpaceArgs& args) {
  const std::int64_t steps = args.steps;
  const double base = args.base;
  const ScalarPtr start = required_scalar(args.start);
  const ScalarPtr end = required_scalar(args.end);
  const TensorPtr out = required_tensor(args.result);
  check_real(*start, "start");
  check_real(*end, "end");
  check_operand(*out, "result", kFloats);
  check_steps(steps, *out, "result");
  Progression progression = line_between(*start, *end, steps, Sequence::kPower, DType::kFloat);
  progression.base = base;
  return plan_line("aclnnLogSpace", progression, *out, "result");
}

}  // namespace aclvk::ops
