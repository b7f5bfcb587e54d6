#include <algorithm>
#include <array>
#include <cmath>

#include "aclnnop/aclnn_cast.h"
#include "support/op_arguments.hpp"

namespace aclvk::test {
namespace {

/// What the codes 0 to 7 are.
constexpr std::array<Real, 8> kE2M1 = {0, 0.5L, 1, 1.5L, 2, 3, 4, 6};
constexpr std::array<Real, 8> kE1M2 = {0, 0.25L, 0.5L, 0.75L, 1, 1.25L, 1.5L, 1.75L};

const std::array<Real, 8>& values_of(aclDataType type) { return type == ACL_FLOAT4_E2M1 ? kE2M1 : kE1M2; }
Real value_of(int code, aclDataType type) {
  const Real magnitude = values_of(type)[static_cast<std::size_t>(code & 7)];
  return (code & 8) != 0 ? -magnitude : magnitude;
}

/// The nearest code, of two the even one; no sign for 0.
int code_of(Real value, aclDataType type) {
  if (std::isnan(value)) return 0;
  const Real magnitude = std::min(std::fabs(value), value_of(7, type));
  int best = 0;
  for (int code = 1; code < 8; ++code) {
    const Real now = std::fabs(magnitude - value_of(best, type));
    const Real other = std::fabs(magnitude - value_of(code, type));
    if (other < now || (other == now && code % 2 == 0)) best = code;
  }
  return best == 0 ? 0 : best | (std::signbit(value) ? 8 : 0);
}

/// Elements of four bits in the memory of bytes; fill() of those is that of the pairs.
class Halves {
 public:
  Halves(const OpTensor& bytes, aclDataType type, const Shape& shape, std::int64_t offset = 0)
      : handle_(aclCreateTensor(shape.data(), shape.size(), type, OpTensor::row_major(shape).data(), offset,
                                ACL_FORMAT_ND, shape.data(), shape.size(), bytes.memory())) {
    bytes.also(handle_);
  }
  ~Halves() { aclDestroyTensor(handle_); }
  Halves(const Halves&) = delete;
  Halves& operator=(const Halves&) = delete;
  aclTensor* get() const { return handle_; }

 private:
  aclTensor* handle_;
};

class Float4 : public OpTest {
 protected:
  static void check_narrowing(const OpTensor& self, aclDataType type) {
    SCOPED_TRACE(testing::Message() << "dtypes " << self.type() << " and " << type << ", count " << self.count());
    const OpTensor bytes(ACL_UINT8, {self.count() / 2});
    const Halves out(bytes, type, self.shape());
    const auto got =
        run([&](auto* n, auto** e) { return aclnnCastGetWorkspaceSize(self.get(), type, out.get(), n, e); }, aclnnCast,
            {&self}, bytes);
    expect_elements(
        bytes, got,
        [&](std::int64_t i) -> Number {
          return Real(code_of(self.before(2 * i).real(), type) | code_of(self.before(2 * i + 1).real(), type) << 4);
        },
        true);
  }
};

constexpr std::array kFloat4s = {ACL_FLOAT4_E2M1, ACL_FLOAT4_E1M2};
constexpr std::array kWide = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};

TEST_F(Float4, RoundsToTheNearestEvenCode) {
  for (const aclDataType type : kFloat4s) {
    std::vector<Real> values = {0, -0.0L, INFINITY, NAN, 1e30L, 1e-30L, 6.5L, 7, 1000};
    for (int code = 0; code < 7; ++code) {
      const Real low = value_of(code, type);
      const Real middle = (low + value_of(code + 1, type)) / 2;
      for (const Real value : {low, middle, middle * (1 - 0x1p-20L), middle * (1 + 0x1p-20L)}) values.push_back(value);
    }
    const auto count = static_cast<std::int64_t>(values.size());
    OpTensor self(ACL_FLOAT, {count, 2});
    self.fill(
        [&](std::int64_t i) -> Number { return values[static_cast<std::size_t>(i / 2)] * (i % 2 == 0 ? 1 : -1); });
    check_narrowing(self, type);
  }
}

TEST_F(Float4, IsMadeOfFloatsOfAnyStrides) {
  for (const aclDataType type : kFloat4s) {
    for (const aclDataType wide : kWide) {
      for (const Shape& shape : {Shape{2}, Shape{3, 6}, Shape{5, 7, 8}, Shape{0, 4}}) {
        OpTensor self(wide, shape);
        self.fill_random(3);
        check_narrowing(self, type);
      }
      OpTensor transposed(wide, {6, 10}, {{1, 7}, 2});
      transposed.fill_random(4);
      check_narrowing(transposed, type);
    }
  }
}

/// More than a row of groups.
TEST_F(Float4, MayBeLong) {
  OpTensor self(ACL_FLOAT, {70001, 10});
  self.fill_random(5);
  check_narrowing(self, ACL_FLOAT4_E2M1);
}

TEST_F(Float4, BecomesFloats) {
  for (const aclDataType type : kFloat4s) {
    for (const aclDataType wide : kWide) {
      for (const Shape& shape : {Shape{16}, Shape{3, 6}, Shape{3, 2, 22}}) {
        const std::int64_t skipped = 8;
        OpTensor bytes(ACL_UINT8, {(count_of(shape) + skipped) / 2});
        bytes.fill([](std::int64_t i) -> Number { return Real(i * 37 % 256); });
        const Halves self(bytes, type, shape, skipped);
        const OpTensor out(wide, shape, shape.size() == 2 ? View{{1, 5}, 1} : View{});
        const auto got =
            run([&](auto* n, auto** e) { return aclnnCastGetWorkspaceSize(self.get(), wide, out.get(), n, e); },
                aclnnCast, {&bytes}, out);
        expect_elements(
            out, got,
            [&](std::int64_t i) -> Number {
              const std::int64_t at = i + skipped;
              const int pair = static_cast<int>(at / 2 * 37 % 256);
              return value_of(at % 2 == 0 ? pair & 15 : pair >> 4, type);
            },
            true);
      }
    }
  }
}

TEST_F(Float4, KeepsItsBitsOrBecomesTheOther) {
  for (const aclDataType type : kFloat4s) {
    for (const aclDataType other : kFloat4s) {
      OpTensor from(ACL_UINT8, {15});
      from.fill([](std::int64_t i) -> Number { return Real(i * 37 % 256); });
      const OpTensor to(ACL_UINT8, {15});
      const Halves self(from, type, {5, 6});
      const Halves out(to, other, {5, 6});
      const auto got =
          run([&](auto* n, auto** e) { return aclnnCastGetWorkspaceSize(self.get(), other, out.get(), n, e); },
              aclnnCast, {&from}, to);
      expect_elements(
          to, got,
          [&](std::int64_t i) -> Number {
            const int pair = static_cast<int>(i * 37 % 256);
            if (type == other) return Real(pair);
            return Real(code_of(value_of(pair & 15, type), other) | code_of(value_of(pair >> 4, type), other) << 4);
          },
          true);
    }
  }
}

TEST_F(Float4, RefusesOthers) {
  const OpTensor floats(ACL_FLOAT, {4, 6});
  const OpTensor odd(ACL_FLOAT, {4, 3});
  const OpTensor doubles(ACL_DOUBLE, {4, 6});
  const OpTensor bytes(ACL_UINT8, {64});
  const Halves out(bytes, ACL_FLOAT4_E2M1, {4, 6});
  const Halves odd_out(bytes, ACL_FLOAT4_E2M1, {4, 3});
  const Halves inside(bytes, ACL_FLOAT4_E2M1, {4, 6}, 2);
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const OpTensor& self, aclDataType type, const Halves& to) {
    return aclnnCastGetWorkspaceSize(self.get(), type, to.get(), &size, &executor);
  };
  EXPECT_EQ(plan(odd, ACL_FLOAT4_E2M1, odd_out), 161002);
  EXPECT_EQ(plan(doubles, ACL_FLOAT4_E2M1, out), 161002);
  EXPECT_EQ(plan(floats, ACL_FLOAT4_E1M2, out), 161002);
  EXPECT_EQ(plan(floats, ACL_FLOAT4_E2M1, inside), 161002);
  EXPECT_EQ(executor, nullptr);
}

}  // namespace
}  // namespace aclvk::test
