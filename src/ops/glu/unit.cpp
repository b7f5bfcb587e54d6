#include "ops/glu/unit.hpp"

#include "glu/backward.args.h"
#include "glu/unit.args.h"
#include "ops/executor/operator_dtypes.hpp"
#include "ops/kernel/declare.hpp"

namespace aclvk::ops {
namespace {

ARGUMENT_STRUCT(UnitArguments, UNIT_ARGUMENTS);
CONSTANT_STRUCT(UnitConstants, UNIT_CONSTANTS);
CONSTANT_STRUCT(BackwardConstants, BACKWARD_CONSTANTS);

Half half_of(GluOp op) {
  constexpr Half kFirst = Half::kFirst;
  constexpr Half kSecond = Half::kSecond;
  static constexpr Half kHalves[] = {
#define GLU(name, half, activation, derivative, linear, linear_derivative) half,
#include "ops/glu/glu.def"
#undef GLU
  };
  return kHalves[static_cast<std::size_t>(op)];
}

}  // namespace

// INT64 is that of group indices in the operator's table.
DTypeSet unit_dtypes(const char* name) { return dtypes_of(name).inputs.without({DType::kInt64}); }

Halves check_halves(const GluUnit& unit, const Tensor& x, const char* name) {
  return check_halves(x, name, unit.dim, unit.activated.value_or(half_of(unit.op)), unit.interleaved);
}

StridedCall unit_call(const GluUnit& unit, DType promoted, std::string_view shader) {
  StridedCall call;
  call.name = unit.name;
  call.shader = shader;
  call.promoted = promoted;
  UnitConstants constants;
  constants.kOperator = static_cast<uint>(unit.op);
  add_constants(call, constants);
  UnitArguments arguments;
  arguments.alpha = static_cast<float>(unit.alpha);
  arguments.limit = static_cast<float>(unit.limit);
  arguments.bias = static_cast<float>(unit.bias);
  add_arguments(call, arguments);
  return call;
}

void set_gradient(StridedCall& call, GradientOf of) {
  BackwardConstants constants;
  constants.kGradientOf = static_cast<uint>(of);
  add_constants(call, constants);
}

}  // namespace aclvk::ops
