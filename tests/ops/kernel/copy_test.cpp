#include "aclnnop/aclnn_cast.h"
#include "aclnnop/aclnn_copy.h"
#include "support/op_fixture.hpp"

namespace aclvk::test {
namespace {

constexpr aclDataType kTypes[] = {ACL_FLOAT, ACL_FLOAT16,   ACL_BF16,      ACL_DOUBLE,    ACL_INT8,  ACL_UINT8,
                                  ACL_INT16, ACL_UINT16,    ACL_INT32,     ACL_UINT32,    ACL_INT64, ACL_UINT64,
                                  ACL_BOOL,  ACL_COMPLEX32, ACL_COMPLEX64, ACL_COMPLEX128};
constexpr aclDataType kFloat8s[] = {ACL_FLOAT8_E4M3FN, ACL_FLOAT8_E5M2};

/// A conversion as torch defines it: towards zero, real part, != 0.
Number converted(Number value, aclDataType type) {
  if (type == ACL_BOOL) return Real(value != Number(0));
  if (is_integer(type)) return wrap(static_cast<Wide>(value.real()), type);
  return rounded(is_complex(type) ? value : Number(value.real()), type);
}

class CopyOps : public OpTest {
 protected:
  static void check_cast(const OpTensor& self, const OpTensor& out) {
    SCOPED_TRACE("dtype " + std::to_string(self.type()) + " -> " + std::to_string(out.type()));
    const auto bytes =
        run([&](auto* n, auto** e) { return aclnnCastGetWorkspaceSize(self.get(), out.type(), out.get(), n, e); },
            aclnnCast, {&self}, out);
    expect_elements(
        out, bytes, [&](std::int64_t i) { return converted(self.before(i), out.type()); }, true);
  }

  static void check_copy(const OpTensor& self, const OpTensor& src) {
    SCOPED_TRACE("dtype " + std::to_string(src.type()) + " -> " + std::to_string(self.type()));
    const auto bytes =
        run([&](auto* n, auto** e) { return aclnnInplaceCopyGetWorkspaceSize(self.get(), src.get(), n, e); },
            aclnnInplaceCopy, {&src}, self);
    expect_elements(
        self, bytes,
        [&](std::int64_t i) { return converted(src.before(source_of(i, self.shape(), src.shape())), self.type()); },
        true);
  }
};

class CopyOpsTypes : public CopyOps, public testing::WithParamInterface<aclDataType> {};

TEST_P(CopyOpsTypes, CastsToEveryDtype) {
  for (const aclDataType type : kTypes) {
    OpTensor self(GetParam(), {3, 8});
    // 0 and, for unsigned targets, nothing below zero: there torch gives no answer.
    const bool is_unsigned = is_integer(type) && !facts_of(type).is_signed && !is_integer(GetParam());
    self.fill_random(31);
    if (is_unsigned) self.fill([](std::int64_t i) { return Real(i) * 1.75L; });
    const OpTensor out(type, {3, 8});
    check_cast(self, out);
  }
}

TEST_P(CopyOpsTypes, CopiesThroughStridesAndBroadcast) {
  const aclDataType type = GetParam();
  OpTensor src(type, {7, 1, 5}, {{1, 1, 7}, 2});
  src.fill_random(32);
  const OpTensor self(type, {2, 7, 3, 5}, {{1, 2, 80, 16}, 3});
  check_copy(self, src);
}

/// Rows of whole vec8s, which are in another order, are repeated, or repeat an element; some begin beside a vec8.
TEST_P(CopyOpsTypes, CopiesRowsOfVec8s) {
  const aclDataType type = GetParam();
  const aclDataType other = type == ACL_FLOAT ? ACL_FLOAT16 : ACL_FLOAT;
  for (const std::int64_t offset : {0, 32, 1}) {
    OpTensor transposed(type, {7, 5, 24}, {{24, 7 * 24, 1}, offset});
    OpTensor row(type, {1, 5, 24}, {{0, 32, 1}, offset});
    OpTensor column(type, {7, 5, 1}, {{5, 1, 1}, offset});
    transposed.fill_random(36);
    row.fill_random(37);
    column.fill_random(38);
    for (const OpTensor* src : {&transposed, &row, &column}) {
      check_copy(OpTensor(type, {7, 5, 24}), *src);
      if (!is_complex(type) && !is_integer(type)) check_copy(OpTensor(other, {7, 5, 24}, {{160, 32, 1}, 32}), *src);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Types, CopyOpsTypes, testing::ValuesIn(kTypes), name_of_dtype);

TEST_F(CopyOps, CastsToAndFromEightBits) {
  for (const aclDataType narrow : kFloat8s) {
    OpTensor all(narrow, {256});
    all.fill([&](std::int64_t i) -> Number { return float8_value(static_cast<int>(i), narrow); });
    for (const aclDataType type : kTypes) {
      if (is_integer(type) && type != ACL_BOOL) continue;  // infinities and NaN
      check_cast(all, OpTensor(type, {256}));
    }
    for (const aclDataType type : kTypes) {
      OpTensor self(type, {3, 8});
      self.fill_random(31);
      check_cast(self, OpTensor(narrow, {3, 8}));
      OpTensor some(narrow, {3, 8}, {{11, 1}, 1});
      some.fill([](std::int64_t i) -> Number { return Real(i) / 2; });
      check_cast(some, OpTensor(type, {3, 8}));
    }
    check_cast(all, OpTensor(kFloat8s[narrow == kFloat8s[0] ? 1 : 0], {256}));
    check_cast(all, OpTensor(narrow, {256}));
  }
}

/// Between each two neighbours: the middle, and a little beside it.
TEST_F(CopyOps, RoundsEightBitsToNearestEven) {
  for (const aclDataType narrow : kFloat8s) {
    std::vector<Real> values = {464, 464.01L, 470, 480, 500, 61439, 61440, 65536, 1e30L, 1e-30L, 0, INFINITY, NAN};
    for (int bits = 0; bits < 0x7C; ++bits) {
      const Real low = float8_value(bits, narrow);
      const Real middle = (low + float8_value(bits + 1, narrow)) / 2;
      if (std::isinf(middle)) continue;
      for (const Real value : {low, middle, middle * (1 - 0x1p-20L), middle * (1 + 0x1p-20L)}) values.push_back(value);
    }
    const auto count = static_cast<std::int64_t>(values.size());
    OpTensor self(ACL_FLOAT, {2, count});
    self.fill(
        [&](std::int64_t i) -> Number { return values[static_cast<std::size_t>(i % count)] * (i < count ? 1 : -1); });
    check_cast(self, OpTensor(narrow, {2, count}));
  }
}

Real half_value(int bits) {
  const auto half = static_cast<std::uint16_t>(bits);
  return half_from(reinterpret_cast<const std::byte*>(&half));
}

// Drivers may convert halves in a way of their own, and kernels let some do it (quirks.def).
TEST_F(CopyOps, ConvertsRowsOfEveryHalf) {
  OpTensor all(ACL_FLOAT16, {256, 256});
  all.fill([](std::int64_t i) -> Number { return half_value(static_cast<int>(i)); });
  check_cast(all, OpTensor(ACL_FLOAT, {256, 256}));
  check_cast(all, OpTensor(ACL_DOUBLE, {256, 256}));
}

/// Each half, the middle to the next, and a little beside it; then the same below zero.
TEST_F(CopyOps, RoundsRowsToEveryHalf) {
  constexpr std::int64_t kPositive = 0x7C00;  // the next would be infinity
  OpTensor self(ACL_FLOAT, {2, kPositive, 4});
  self.fill([](std::int64_t i) -> Number {
    const int bits = static_cast<int>(i / 4 % kPositive);
    const Real low = half_value(bits);
    const Real middle = (low + (bits + 1 == kPositive ? 65536 : half_value(bits + 1))) / 2;
    const Real values[] = {low, middle, middle * (1 - 0x1p-23L), middle * (1 + 0x1p-23L)};
    return values[i % 4] * (i < 4 * kPositive ? 1 : -1);
  });
  check_cast(self, OpTensor(ACL_FLOAT16, {2, kPositive, 4}));
}

TEST_F(CopyOps, RoundsToNearestEven) {
  OpTensor self(ACL_FLOAT, {16});
  const float values[] = {1.00048828125F, 1.00146484375F, 65519.0F,  65520.0F,      1e-8F,   5.9604645e-8F,
                          2.9802322e-8F,  3e-8F,          -65504.0F, 6.1035156e-5F, 6.1e-5F, 1.00390625F,
                          1.01171875F,    3.4e38F,        -0.0F,     2.5F};
  self.fill([&](std::int64_t i) { return Real{values[i]}; });
  const OpTensor half(ACL_FLOAT16, {16});
  const OpTensor brain(ACL_BF16, {16});
  check_cast(self, half);
  check_cast(self, brain);
}

TEST_F(CopyOps, RoundsWideIntegersOnce) {
  OpTensor self(ACL_INT64, {8});
  const std::int64_t values[] = {
      (1LL << 62) + (1LL << 38) + 1, 16777217, -16777219, INT64_MAX, INT64_MIN, 1, 0, 33554435};
  self.fill([&](std::int64_t i) { return Real(values[i]); });
  for (const aclDataType type : {ACL_FLOAT, ACL_DOUBLE}) {
    const OpTensor out(type, {8});
    check_cast(self, out);
  }
  OpTensor late(ACL_UINT64, {8});
  late.fill([&](std::int64_t i) { return std::ldexp(Real{1}, 63) + Real(i) * std::ldexp(Real{1}, 39) + 1; });
  const OpTensor out(ACL_FLOAT, {8});
  check_cast(late, out);
}

TEST_F(CopyOps, SaturatesFloatsAndMakesNanZero) {
  const Real inf = std::numeric_limits<Real>::infinity();
  const Real values[] = {inf, -inf, std::numeric_limits<Real>::quiet_NaN(), 1e30L, -1e30L, 127.9L, -128.9L, -0.9L};
  for (const aclDataType type : {ACL_INT8, ACL_INT32, ACL_INT64, ACL_UINT8, ACL_UINT32, ACL_UINT64}) {
    for (const aclDataType source : {ACL_FLOAT, ACL_DOUBLE}) {
      SCOPED_TRACE("dtype " + std::to_string(source) + " -> " + std::to_string(type));
      OpTensor self(source, {8});
      self.fill([&](std::int64_t i) { return values[i]; });
      const OpTensor out(type, {8});
      const auto [bits, is_signed] = facts_of(type);
      const Real largest = std::ldexp(Real{1}, bits - (is_signed ? 1 : 0)) - 1;
      const Real lowest = is_signed ? -largest - 1 : 0;
      const auto bytes =
          run([&](auto* n, auto** e) { return aclnnCastGetWorkspaceSize(self.get(), type, out.get(), n, e); },
              aclnnCast, {&self}, out);
      expect_elements(
          out, bytes,
          [&](std::int64_t i) {
            const Real x = self.before(i).real();
            return std::isnan(x) ? Real{0} : std::trunc(std::min(std::max(x, lowest), largest));
          },
          true);
    }
  }
}

TEST_F(CopyOps, KeepsTheBitsOfEqualDtypes) {
  OpTensor src(ACL_FLOAT, {4});
  src.fill([](std::int64_t i) { return i % 2 ? std::numeric_limits<Real>::quiet_NaN() : std::ldexp(Real{1}, -140); });
  const OpTensor self(ACL_FLOAT, {4});
  check_copy(self, src);
}

TEST_F(CopyOps, CopiesEightDimsOfWideElements) {
  const Shape shape = {2, 3, 2, 2, 2, 2, 2, 2};
  for (const aclDataType type : {ACL_INT64, ACL_COMPLEX128}) {
    OpTensor src(type, shape, {{192, 1, 96, 3, 48, 6, 24, 12}, 0});
    src.fill_random(33);
    const OpTensor self(type, shape);
    check_copy(self, src);
  }
}

TEST_F(CopyOps, CopiesManyRows) {
  for (const std::int64_t columns : {3, 8}) {
    OpTensor src(ACL_INT8, {2, 70001, columns}, {{columns, 2 * columns, 1}, 0});
    src.fill([](std::int64_t i) -> Number { return Real(i * 31 % 101); });
    check_copy(OpTensor(ACL_INT8, {2, 70001, columns}), src);
  }
}

TEST_F(CopyOps, ConvertsWhileItBroadcasts) {
  OpTensor src(ACL_INT32, {5});
  src.fill_random(34);
  const OpTensor self(ACL_FLOAT16, {3, 5});
  check_copy(self, src);
}

TEST_F(CopyOps, RefusesWhatHasNoMeaningHere) {
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const OpTensor self(ACL_FLOAT, {4});
  const OpTensor narrow(ACL_HIFLOAT8, {4});
  const OpTensor shorter(ACL_INT32, {3});
  const OpTensor out(ACL_INT32, {4});
  EXPECT_EQ(aclnnCastGetWorkspaceSize(self.get(), ACL_HIFLOAT8, narrow.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnCastGetWorkspaceSize(self.get(), ACL_INT64, out.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnCastGetWorkspaceSize(self.get(), ACL_INT32, shorter.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnCastGetWorkspaceSize(self.get(), ACL_INT32, nullptr, &size, &executor), 161001);
  EXPECT_EQ(aclnnInplaceCopyGetWorkspaceSize(shorter.get(), self.get(), &size, &executor), 161002);
  EXPECT_EQ(executor, nullptr);
}

}  // namespace
}  // namespace aclvk::test
