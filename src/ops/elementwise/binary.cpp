#include "ops/elementwise/binary.hpp"

#include "base/error.hpp"
#include "ops/handles.hpp"
#include "ops/operator.hpp"
#include "ops/promotion.hpp"
#include "ops/strided.hpp"

namespace aclvk::ops {
namespace {

constexpr ClassShaders kShaders = ACLVK_CLASS_SHADERS("elementwise/binary");

constexpr DTypeSet kAll = {DType::kFloat, DType::kFloat16,    DType::kDouble,    DType::kInt32,
                           DType::kInt64, DType::kInt16,      DType::kInt8,      DType::kUint8,
                           DType::kBool,  DType::kComplex128, DType::kComplex64, DType::kBfloat16};
constexpr DTypeSet kComplexes = {DType::kComplex32, DType::kComplex64, DType::kComplex128};
constexpr DTypeSet kComputable = {DType::kFloat,    DType::kFloat16,    DType::kDouble,    DType::kInt32,
                                  DType::kInt64,    DType::kInt16,      DType::kInt8,      DType::kUint8,
                                  DType::kBool,     DType::kComplex128, DType::kComplex64, DType::kBfloat16,
                                  DType::kComplex32};

/// What the rules of binary.def stand for.
struct BinaryRule {
  DTypeSet tensors;            ///< what self, other and out may be
  DTypeSet promoted;           ///< what they may be combined in
  bool true_division = false;  ///< integers are combined in float
};
constexpr BinaryRule kArithmetic{kAll, kComputable};
constexpr BinaryRule kNumeric{kAll, kComputable.without({DType::kBool})};
constexpr BinaryRule kReversed{kAll.without({DType::kBool}), kComputable};
constexpr BinaryRule kTrueDivision{kAll, kComputable, true};
constexpr BinaryRule kOrdered{kAll, kComputable.without(kComplexes).without({DType::kBool})};
constexpr BinaryRule kComparable{kAll.without(kComplexes), kComputable};

const BinaryRule& rule_of(BinaryOp op) {
  static constexpr BinaryRule kRules[] = {
#define BINARY(name, rule, value) rule,
#include "ops/elementwise/binary_rows.def"
#undef BINARY
  };
  return kRules[static_cast<std::size_t>(op)];
}

/// What the handles stand for, once none of them is NULL.
struct BinaryCall {
  const char* name;
  BinaryOp op;
  const char* self_name;
  const char* out_name;
  TensorPtr self;
  TensorPtr other;  ///< null when other is a scalar
  ScalarPtr scalar;
  ScalarPtr alpha;  ///< null when the operator has none
  TensorPtr out;
};

BinaryCall read(const char* name, BinaryOp op, const BinaryHandles& handles) {
  const char* self_name = handles.in_place ? "selfRef" : "self";
  BinaryCall call{name, op, self_name, handles.in_place ? "selfRef" : "out", {}, {}, {}, {}, {}};
  call.self = required_tensor(handles.self, self_name);
  if (handles.other_is_scalar) call.scalar = required_scalar(handles.other, "other");
  if (!handles.other_is_scalar) call.other = required_tensor(handles.other, "other");
  if (handles.has_alpha) call.alpha = required_scalar(handles.alpha, "alpha");
  call.out = handles.in_place ? call.self : required_tensor(handles.out, "out");
  return call;
}

DType promoted_dtype(const BinaryCall& call, const BinaryRule& rule) {
  const DType second = call.other ? call.other->dtype : call.scalar->dtype();
  const auto promoted = call.other ? promote(call.self->dtype, second) : promote_scalar(call.self->dtype, second);
  check(promoted.has_value(), Code::kNnInvalid, "{} has dtype {} and other has dtype {}; no dtype holds both.",
        call.self_name, call.self->dtype, second);
  if (rule.true_division && kind_of(*promoted) <= Kind::kInteger) return DType::kFloat;
  return *promoted;
}

DType check_dtypes(const BinaryCall& call) {
  const BinaryRule& rule = rule_of(call.op);
  check_dtype(*call.self, call.self_name, rule.tensors);
  if (call.other) check_dtype(*call.other, "other", rule.tensors);
  check_dtype(*call.out, call.out_name, rule.tensors);
  const DType promoted = promoted_dtype(call, rule);
  check(rule.promoted.contains(promoted), Code::kNnInvalid, "{} combines its operands in {}; it supports {}.",
        call.name, promoted, rule.promoted);
  if (call.alpha) check_castable(call.alpha->dtype(), promoted, "alpha", "the combined operands");
  check_castable(promoted, call.out->dtype, "the result", call.out_name);
  return promoted;
}

void check_shapes(const BinaryCall& call) {
  check_view(*call.self, call.self_name);
  if (call.other) check_view(*call.other, "other");
  check_view(*call.out, call.out_name);
  const Shape shape = call.other ? check_broadcast(*call.self, call.self_name, *call.other, "other") : call.self->shape;
  check_shape(*call.out, call.out_name, shape, call.other ? "the operands broadcast to" : "self has shape");
}

void check_memory(const char* out_name, const Executor::Operands& operands) {
  const Tensor& out = operands.output(0);
  check_distinct(out, out_name);
  check_overlap(out, out_name, operands.input(0), "self");
  if (operands.inputs.size() > 1) check_overlap(out, out_name, operands.input(1), "other");
}

/// What stays the same when addresses are replaced.
StridedCall fixed_part(const BinaryCall& call, DType promoted) {
  const DType second = call.other ? call.other->dtype : call.self->dtype;
  const ComputeClass compute = class_for(promoted, {call.self->dtype, second, call.out->dtype});
  StridedCall fixed;
  fixed.name = call.name;
  fixed.shader = kShaders[static_cast<std::size_t>(compute)];
  fixed.constants = {static_cast<std::uint32_t>(promoted), static_cast<std::uint32_t>(call.op)};
  fixed.arguments.resize(8);
  if (call.alpha) {
    const auto words = scalar_words(*call.alpha, compute);
    std::copy(words.begin(), words.end(), fixed.arguments.begin());
  }
  if (call.scalar) {
    const auto words = scalar_words(*call.scalar, compute);
    std::copy(words.begin(), words.end(), fixed.arguments.begin() + 4);
  }
  return fixed;
}

std::shared_ptr<Executor> plan(const BinaryCall& call) {
  const DType promoted = check_dtypes(call);
  check_shapes(call);
  TensorSlots inputs = call.other ? TensorSlots{call.self.get(), call.other.get()} : TensorSlots{call.self.get()};
  auto build = [fixed = fixed_part(call, promoted), out_name = call.out_name](const Executor::Operands& now) {
    using runtime::Access;
    check_memory(out_name, now);
    const bool scalar = now.inputs.size() == 1;
    StridedCall run = fixed;
    run.operands = {{&now.input(0), Access::kRead, false},
                    {scalar ? &now.input(0) : &now.input(1), Access::kRead, scalar},
                    {&now.output(0), Access::kWrite, false}};
    return strided_kernels(run);
  };
  return std::make_shared<Executor>(call.name, Executor::Operands{std::move(inputs), {call.out.get()}},
                                    std::move(build));
}

}  // namespace

std::shared_ptr<Executor> plan_binary(const char* name, BinaryOp op, const BinaryHandles& handles) {
  return plan(read(name, op, handles));
}

std::shared_ptr<Executor> plan_div_mod(const char* name, int mode, const BinaryHandles& handles) {
  const BinaryOp op = mode == 1 ? BinaryOp::kDivTrunc : mode == 2 ? BinaryOp::kDivFloor : BinaryOp::kDiv;
  auto executor = plan(read(name, op, handles));
  check(mode >= 0 && mode <= 2, Code::kNnInvalid, "mode is {}; 0 (true), 1 (trunc) and 2 (floor) exist.", mode);
  return executor;
}

}  // namespace aclvk::ops
