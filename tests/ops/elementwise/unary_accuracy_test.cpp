// How far the math functions are from the truth, in units of the last place of their results. The limits are what the
// functions keep, with a little room; the specification asks for much less.
#include <cstdio>

#include "ops/elementwise/unary_reference.hpp"

namespace aclvk::test {
namespace {

struct Limit {
  const char* op;
  Real low, high;     ///< where half of the operands are; the others have any size
  Real floor;         ///< the size of a result below which errors are not relative any more
  Real narrow, wide;  ///< for float and double
};

/// Below -87 the sigmoid that x is multiplied by is a denormal number, and a driver may flush it to 0.
constexpr Real kFlushed = 0x1p-98L;

const Limit kLimits[] = {
    {"Sqrt", 0, 100, 0, 1.1L, 1.1L},   {"Rsqrt", 0, 100, 0, 2, 2},         {"Exp", -90, 90, 0, 1.5L, 1.5L},
    {"Log", 0, 10, 0, 1.5L, 1.5L},     {"Log2", 0, 10, 0, 2.5L, 2.5L},     {"Log10", 0, 10, 0, 2.5L, 2.5L},
    {"Sinh", -90, 90, 0, 3, 3},        {"Exp2", -120, 120, 0, 1.5L, 1.5L}, {"Expm1", -2, 2, 0, 3, 0},
    {"Log1p", -1, 3, 0, 2, 2},         {"Cosh", -90, 90, 0, 2.5L, 2.5L},   {"Tanh", -5, 5, 0, 4, 0},
    {"Acosh", 1, 10, 0, 4, 4},         {"Asinh", -3, 3, 0, 4, 4},          {"Atanh", -1, 1, 0, 4, 4},
    {"Sigmoid", -20, 20, 0, 2.5L, 0},  {"Sin", -100, 100, 0, 3, 3},        {"Cos", -100, 100, 0, 3, 3},
    {"Tan", -100, 100, 0, 4, 4},       {"Asin", -1, 1, 0, 3, 3},           {"Acos", -1, 1, 0, 3, 3},
    {"Atan", -5, 5, 0, 2.5L, 2.5L},    {"Sinc", -20, 20, 0, 4, 4},         {"Erf", -3, 3, 0, 3, 3},
    {"Erfc", -2, 9, 0, 8, 8},          {"Erfinv", -1, 1, 0, 8, 0},         {"Lgamma", 0, 40, 1, 8, 16},
    {"Digamma", 0, 40, 1, 16, 16},     {"Gelu", -5, 5, 0, 8, 0},           {"Silu", -20, 20, kFlushed, 4, 0},
    {"Mish", -20, 20, kFlushed, 6, 0}, {"LogSigmoid", -20, 20, 0, 4, 0},   {"Ndtri", 0, 1, 0, 8, 0}};

void PrintTo(const Limit& limit, std::ostream* out) { *out << limit.op; }

class UnaryAccuracy : public OpTest, public testing::WithParamInterface<Limit> {
 protected:
  static constexpr std::int64_t kCount = 4096;

  static Real sample(std::mt19937_64& random, const Limit& limit, aclDataType type, std::int64_t i) {
    const Real fraction = Real(random()) / 0x1p64L;
    if (i % 2) return limit.low + (limit.high - limit.low) * fraction;
    const int range = type == ACL_FLOAT ? 120 : 900;
    const int exponent = static_cast<int>(random() % (2 * range)) - range;
    return std::ldexp(1 + fraction, exponent) * (random() % 2 ? 1 : -1);
  }

  static Real unit_of(Real value, Real floor, aclDataType type) {
    const Real magnitude = std::fmax(std::fabs(value), floor);
    const int lowest = type == ACL_FLOAT ? -126 : -1022;
    const int exponent = magnitude == 0 ? lowest : std::max(std::ilogb(magnitude), lowest);
    return std::ldexp(Real{1}, exponent - (type == ACL_FLOAT ? 23 : 52));
  }

  /// In units; infinities and NaN are right or wrong. Drivers may flush denormal results.
  static Real error_of(Real got, Real want, Real floor, aclDataType type) {
    const Real largest = type == ACL_FLOAT ? 0x1.fffffep127L : 0x1.fffffffffffffp1023L;
    const Real smallest = type == ACL_FLOAT ? 0x1p-126L : 0x1p-1022L;
    if (std::isnan(want)) return std::isnan(got) ? 0 : 1e9L;
    if (std::fabs(want) > largest * (1 - 1e-6L))
      return std::isinf(got) || std::fabs(got) > largest * (1 - 2e-6L) ? 0 : 1e9L;
    if (std::fabs(want) < smallest) return std::fabs(got) <= smallest ? 0 : 1e9L;
    return std::fabs(got - want) / unit_of(want, floor, type);
  }

  static void check(const Limit& limit, aclDataType type, Real bound) {
    const UnaryOp& op = unary_op(limit.op);
    std::mt19937_64 random(58);
    OpTensor self(type, {kCount});
    const OpTensor out(type, {kCount});
    self.fill([&](std::int64_t i) { return sample(random, limit, type, i); });
    const auto bytes =
        run([&](auto* n, auto** e) { return op.plan(self.get(), out.get(), n, e); }, op.launch, {&self}, out);
    Real worst = 0;
    Real where = 0;
    for (std::int64_t i = 0; i < kCount; ++i) {
      const Real x = self.before(i).real();
      const Real error = error_of(out.in(bytes, i).real(), op.real(x), limit.floor, type);
      if (error > worst) where = x;
      worst = std::max(worst, error);
    }
    std::printf("%-12s %-6s %8.2Lf units at %.9Lg\n", limit.op, type == ACL_FLOAT ? "float" : "double", worst, where);
    EXPECT_LE(worst, bound) << limit.op << " at " << static_cast<double>(where);
  }
};

TEST_P(UnaryAccuracy, KeepsItsLimit) {
  const Limit& limit = GetParam();
  check(limit, ACL_FLOAT, limit.narrow);
  if (limit.wide > 0) check(limit, ACL_DOUBLE, limit.wide);
}

INSTANTIATE_TEST_SUITE_P(Table, UnaryAccuracy, testing::ValuesIn(kLimits),
                         [](const auto& each) { return std::string(each.param.op); });

}  // namespace
}  // namespace aclvk::test
