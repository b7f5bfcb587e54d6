#include "ops/elementwise/unary.hpp"

#include <cmath>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "ops/handles.hpp"
#include "ops/operator.hpp"
#include "ops/operator_dtypes.hpp"
#include "ops/promotion.hpp"
#include "ops/strided.hpp"

namespace aclvk::ops {
namespace {

/// In what the rules of unary.def compute, and what the result is.
struct UnaryRule {
  bool floats = false;    ///< integers compute in float
  bool scalars = false;   ///< the scalars take part in the promotion
  bool truth = false;     ///< the result is 0 or 1, in any dtype
  bool part = false;      ///< the result of complex numbers is real
  bool and_back = false;  ///< what integers computed in float becomes an integer again
};
constexpr UnaryRule kKeeps{};
constexpr UnaryRule kFloats{true};
constexpr UnaryRule kFloatsAndBack{true, false, false, false, true};
constexpr UnaryRule kWithScalars{false, true};
constexpr UnaryRule kTruth{false, false, true};
constexpr UnaryRule kPart{false, false, false, true};
constexpr UnaryRule kFloatsPart{true, false, false, true};

struct UnaryRow {
  UnaryRule rule;
  ClassShaders shaders;  ///< empty names for classes that the topic does not have
};

const UnaryRow& row_of(UnaryOp op) {
#define NO_CLASS std::string_view()
#define REALS(stem) stem "_f32", stem "_f64", NO_CLASS, NO_CLASS, NO_CLASS, NO_CLASS, NO_CLASS
#define REALS_AND_COMPLEX(stem) stem "_f32", stem "_f64", NO_CLASS, NO_CLASS, NO_CLASS, stem "_c64", stem "_c128"
#define REALS_AND_INTEGERS(stem) stem "_f32", stem "_f64", stem "_i32", stem "_i64", stem "_i64f", NO_CLASS, NO_CLASS
  static constexpr ClassShaders ALGEBRAIC = ACLVK_CLASS_SHADERS("elementwise/unary_algebraic");
  static constexpr ClassShaders STEPWISE = {REALS_AND_INTEGERS("elementwise/unary_stepwise")};
  static constexpr ClassShaders EXPONENTIAL = {REALS_AND_COMPLEX("elementwise/unary_exponential")};
  static constexpr ClassShaders HYPERBOLIC = {REALS("elementwise/unary_hyperbolic")};
  static constexpr ClassShaders ACTIVATION = {REALS("elementwise/unary_activation")};
  static constexpr ClassShaders TRIGONOMETRIC = {REALS_AND_COMPLEX("elementwise/unary_trigonometric")};
  static constexpr ClassShaders INVERSE = {REALS("elementwise/unary_inverse")};
  static constexpr ClassShaders SPECIAL = {REALS("elementwise/unary_special")};
  static constexpr UnaryRow kRows[] = {
#define UNARY(topic, forms, name, rule, value) {rule, topic},
#include "ops/elementwise/unary.def"
#undef UNARY
  };
  return kRows[static_cast<std::size_t>(op)];
}

/// What the handles stand for, once none of them is NULL.
struct UnaryCall {
  const char* name;
  UnaryOp op;
  const char* self_name = nullptr;
  const char* out_name = nullptr;
  TensorPtr self;
  TensorPtr out;
  InlineVector<const char*, 3> scalar_names;
  std::vector<Scalar> scalars;
};

Scalar number(double value) { return Scalar(&value, DType::kDouble); }

bool is_optional(const UnaryArgument& argument) {
  const std::string_view name = argument.name;
  constexpr std::string_view kMark = "Optional";
  return argument.handle == nullptr && name.size() > kMark.size() && name.substr(name.size() - kMark.size()) == kMark;
}

/// An optional scalar that is left out is 1.
Scalar scalar_of(const UnaryArgument& argument) {
  if (argument.kind == UnaryArgument::Kind::kNumber || is_optional(argument)) return number(argument.number);
  return *required_scalar(argument.handle, argument.name);
}

UnaryCall read(const char* name, UnaryOp op, const UnaryArguments& arguments) {
  UnaryCall call{name, op, nullptr, nullptr, {}, {}, {}, {}};
  for (const UnaryArgument& argument : arguments) {
    if (argument.kind != UnaryArgument::Kind::kTensor) {
      call.scalar_names.push_back(argument.name);
      call.scalars.push_back(scalar_of(argument));
      continue;
    }
    call.out = required_tensor(argument.handle, argument.name);
    call.out_name = argument.name;
    if (call.self) continue;
    call.self = call.out;
    call.self_name = argument.name;
  }
  return call;
}

DType part_of(DType dtype) {
  if (dtype == DType::kComplex32) return DType::kFloat16;
  return dtype == DType::kComplex64 ? DType::kFloat : dtype == DType::kComplex128 ? DType::kDouble : dtype;
}

DType computed_dtype(const UnaryCall& call, const UnaryRule& rule) {
  DType dtype = call.self->dtype;
  if (rule.floats && kind_of(dtype) <= Kind::kInteger) return DType::kFloat;
  for (std::size_t i = 0; i < call.scalars.size(); ++i) {
    const DType scalar = call.scalars[i].dtype();
    check(kind_of(scalar) < Kind::kComplex, Code::kNnInvalid, "{} has dtype {}; {} computes in {}.",
          call.scalar_names[i], scalar, call.name, dtype);
    if (rule.scalars) dtype = promote_scalar(dtype, scalar).value_or(dtype);
  }
  return dtype;
}

void check_result(const UnaryCall& call, const UnaryRule& rule, DType computed) {
  if (rule.truth) return;
  const DType result = rule.and_back ? call.self->dtype : rule.part ? part_of(computed) : computed;
  check_castable(result, call.out->dtype, "the result", call.out_name);
}

DType check_dtypes(const UnaryCall& call) {
  const UnaryRule& rule = row_of(call.op).rule;
  const OperatorDtypes& dtypes = dtypes_of(call.name);
  check_dtype(*call.self, call.self_name, dtypes.inputs);
  check_dtype(*call.out, call.out_name, dtypes.outputs);
  const DType computed = computed_dtype(call, rule);
  check_result(call, rule, computed);
  return computed;
}

void check_shapes(const UnaryCall& call) {
  check_view(*call.self, call.self_name);
  check_view(*call.out, call.out_name);
  check_shape(*call.out, call.out_name, call.self->shape, "the operand has shape");
}

/// What a scalar may be. NaN is fine: the result is NaN.
void check_attributes(const UnaryCall& call) {
  const auto value = [&](std::size_t i) { return call.scalars[i].to_double(); };
  if (call.op == UnaryOp::kCelu) check(value(0) != 0, Code::kNnInvalid, "alpha is 0; aclnnCelu divides by it.");
  if (call.op == UnaryOp::kSoftshrink) {
    check(!(value(0) < 0), Code::kNnInvalid, "lambd is {}; it is not negative.", value(0));
  }
}

/// What stays the same when addresses are replaced.
StridedCall fixed_part(const UnaryCall& call, DType computed) {
  const ComputeClass compute = class_for(computed, {call.self->dtype, call.out->dtype});
  StridedCall fixed;
  fixed.name = call.name;
  fixed.shader = row_of(call.op).shaders[static_cast<std::size_t>(compute)];
  check(!fixed.shader.empty(), Code::kNnInner, "{} has no kernel that computes in {}.", call.name, computed);
  fixed.constants = {static_cast<std::uint32_t>(computed), static_cast<std::uint32_t>(call.op)};
  for (const Scalar& scalar : call.scalars) {
    const auto words = scalar_words(scalar, compute);
    fixed.arguments.append(words.begin(), words.begin() + 2);
  }
  fixed.arguments.resize(6);
  return fixed;
}

std::vector<runtime::Kernel> kernels_of(StridedCall fixed, const Tensor& self, const char* self_name, const Tensor& out,
                                        const char* out_name) {
  check_distinct(out, out_name);
  check_overlap(out, out_name, self, self_name);
  fixed.operands = {{&self, runtime::Access::kRead, false}, {&out, runtime::Access::kWrite, false}};
  return strided_kernels(fixed);
}

DType check_call(const UnaryCall& call) {
  const DType computed = check_dtypes(call);
  check_shapes(call);
  check_attributes(call);
  return computed;
}

std::shared_ptr<Executor> plan(const UnaryCall& call) {
  const DType computed = check_call(call);
  auto build = [fixed = fixed_part(call, computed), self_name = call.self_name,
                out_name = call.out_name](const Executor::Operands& now) {
    return kernels_of(fixed, now.input(0), self_name, now.output(0), out_name);
  };
  return std::make_shared<Executor>(call.name, Executor::Operands{{call.self.get()}, {call.out.get()}},
                                    std::move(build));
}

/// Takes a number out of the scalars: it chooses the kernel.
double take_number(UnaryCall& call) {
  const double value = call.scalars.back().to_double();
  call.scalars.pop_back();
  return value;
}

}  // namespace

std::shared_ptr<Executor> plan_unary(const char* name, UnaryOp op, const UnaryArguments& arguments) {
  return plan(read(name, op, arguments));
}

std::shared_ptr<Executor> plan_clamp(const char* name, const UnaryArguments& arguments) {
  UnaryArguments given;
  for (const UnaryArgument& argument : arguments) {
    if (argument.kind != UnaryArgument::Kind::kScalar || argument.handle != nullptr) given.push_back(argument);
  }
  const std::size_t bounds = given.size() - 2;
  const bool has_lower = arguments[1].handle != nullptr;
  UnaryCall call = read(name,
                        bounds == 2 ? UnaryOp::kClamp
                        : has_lower ? UnaryOp::kClampMin
                                    : UnaryOp::kClampMax,
                        given);
  check(bounds > 0, Code::kNnNullptr, "{} and {} are NULL; {} needs one of them.", arguments[1].name, arguments[2].name,
        name);
  return plan(call);
}

std::shared_ptr<Executor> plan_gelu(const char* name, const UnaryArguments& arguments) {
  UnaryCall call = read(name, UnaryOp::kGelu, arguments);
  const double approximate = take_number(call);
  if (approximate == 1) call.op = UnaryOp::kGeluTanh;
  check_call(call);
  check(approximate == 0 || approximate == 1, Code::kNnInvalid, "approximate is {}; 0 (none) and 1 (tanh) exist.",
        approximate);
  return plan(call);
}

std::shared_ptr<Executor> plan_round_decimals(const char* name, const UnaryArguments& arguments) {
  UnaryCall call = read(name, UnaryOp::kRoundBehind, arguments);
  const double decimals = take_number(call);
  if (decimals < 0) call.op = UnaryOp::kRoundBefore;
  const double unit = std::pow(10.0, std::abs(decimals));
  // An integer type without such a unit has 0 as the only multiple.
  const double largest = std::ldexp(1.0, static_cast<int>(8 * size_of(call.self->dtype)) - 1);
  const bool integer = kind_of(call.self->dtype) <= Kind::kInteger;
  call.scalars.push_back(number(integer && unit >= largest ? 0 : unit));
  call.scalar_names = {"decimals"};
  return plan(call);
}

std::shared_ptr<Executor> plan_log_sigmoid_forward(const char* name, const void* self, const void* out,
                                                   const void* buffer) {
  constexpr auto kTensor = UnaryArgument::Kind::kTensor;
  const UnaryArgument operand{"self", kTensor, self, 0};
  const UnaryCall call = read(name, UnaryOp::kLogSigmoid, {operand, {"out", kTensor, out, 0}});
  const UnaryCall second = read(name, UnaryOp::kExpMinusAbs, {operand, {"buffer", kTensor, buffer, 0}});
  const DType computed = check_call(call);
  check_dtypes(second);
  const bool keeps = !second.out->empty() || call.self->empty();
  if (keeps) check_shapes(second);
  auto build = [first = fixed_part(call, computed), last = fixed_part(second, computed),
                keeps](const Executor::Operands& now) {
    auto kernels = kernels_of(first, now.input(0), "self", now.output(0), "out");
    if (!keeps) return kernels;
    check_overlap(now.output(1), "buffer", now.output(0), "out");
    auto more = kernels_of(last, now.input(0), "self", now.output(1), "buffer");
    kernels.insert(kernels.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    return kernels;
  };
  return std::make_shared<Executor>(name, Executor::Operands{{call.self.get()}, {call.out.get(), second.out.get()}},
                                    std::move(build));
}

}  // namespace aclvk::ops
