#include "ops/glu/unit.hpp"

#include <cstring>

#include "ops/executor/operator_dtypes.hpp"

namespace aclvk::ops {
namespace {

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

std::uint32_t word_of(double value) {
  const auto narrow = static_cast<float>(value);
  std::uint32_t word;
  std::memcpy(&word, &narrow, sizeof(word));
  return word;
}

}  // namespace

DTypeSet unit_dtypes(const char* name) { return dtypes_of(name).inputs.without({DType::kInt64}); }

Halves check_halves(const GluUnit& unit, const Tensor& x, const char* name) {
  return check_halves(x, name, unit.dim, unit.activated.value_or(half_of(unit.op)), unit.interleaved);
}

StridedCall unit_call(const GluUnit& unit, DType promoted, std::string_view shader) {
  StridedCall call;
  call.name = unit.name;
  call.shader = shader;
  call.promoted = promoted;
  call.constants = {static_cast<std::uint32_t>(unit.op)};
  call.arguments = {word_of(unit.alpha), word_of(unit.limit), word_of(unit.bias)};
  return call;
}

}  // namespace aclvk::ops
