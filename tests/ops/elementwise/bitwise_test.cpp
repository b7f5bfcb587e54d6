#include "aclnnop/aclnn_bitwise_and_scalar.h"
#include "aclnnop/aclnn_bitwise_and_tensor.h"
#include "aclnnop/aclnn_bitwise_or_scalar.h"
#include "aclnnop/aclnn_bitwise_or_tensor.h"
#include "aclnnop/aclnn_bitwise_xor_scalar.h"
#include "aclnnop/aclnn_bitwise_xor_tensor.h"
#include "aclnnop/aclnn_bitwiseand.h"
#include "aclnnop/aclnn_gcd.h"
#include "aclnnop/aclnn_left_shift.h"
#include "aclnnop/aclnn_right_shift.h"
#include "ops/elementwise/pointwise_fixture.hpp"

// Integers bit by bit, shifts and the greatest common divisor.

namespace aclvk::test {
namespace {

constexpr aclDataType kSigned[] = {ACL_INT8, ACL_INT16, ACL_INT32, ACL_INT64};
constexpr aclDataType kWhole[] = {ACL_INT8,   ACL_INT16,  ACL_INT32,  ACL_INT64, ACL_UINT8,
                                  ACL_UINT16, ACL_UINT32, ACL_UINT64, ACL_BOOL};

Wide divisor_of(Wide x, Wide y) { return y == 0 ? (x < 0 ? -x : x) : divisor_of(y, x % y); }

using Combine = Wide (*)(Wide, Wide);

/// Two's complement of any width: the result wraps to its dtype.
ElementMeaning bits_of(Combine combine, aclDataType type) {
  return [=](const Elements& e) {
    return wrap(combine(static_cast<Wide>(e[0].real()), static_cast<Wide>(e[1].real())), type);
  };
}

struct BitOp {
  TwoTensorOp tensor;
  InplaceOp inplace;
  ScalarOp scalar;
  Combine combine;
};
std::vector<BitOp> bit_ops() {
  return {{TWO_TENSORS(BitwiseAndTensor), INPLACE(BitwiseAndTensor), TENSOR_SCALAR(BitwiseAndScalar),
           [](Wide x, Wide y) { return x & y; }},
          {TWO_TENSORS(BitwiseOrTensor), INPLACE(BitwiseOrTensor), TENSOR_SCALAR(BitwiseOrScalar),
           [](Wide x, Wide y) { return x | y; }},
          {TWO_TENSORS(BitwiseXorTensor), INPLACE(BitwiseXorTensor), TENSOR_SCALAR(BitwiseXorScalar),
           [](Wide x, Wide y) { return x ^ y; }}};
}

class Bitwise : public PointwiseTest {
 protected:
  static void check(const TwoTensorOp& op, const ElementMeaning& meaning, const OpTensor& self, const OpTensor& other,
                    const OpTensor& out) {
    expect(
        op.name + " of dtypes " + std::to_string(self.type()) + " and " + std::to_string(other.type()),
        [&](auto* n, auto** e) { return op.plan(self.get(), other.get(), out.get(), n, e); }, op.launch,
        {&self, &other}, out, meaning, true);
  }
};

TEST_F(Bitwise, CombinesEveryDtype) {
  for (const BitOp& op : bit_ops()) {
    for (const aclDataType type : kWhole) {
      OpTensor self(type, {89});
      OpTensor other(type, {89});
      check(op.tensor, bits_of(op.combine, type), self.fill_random(1), other.fill_random(2), OpTensor(type, {89}));
    }
  }
}

TEST_F(Bitwise, TakesScalarsAndWritesInPlace) {
  for (const BitOp& op : bit_ops()) {
    for (const aclDataType type : {ACL_INT8, ACL_INT32, ACL_INT64, ACL_UINT8, ACL_BOOL}) {
      OpTensor self(type, {5, 7}, {{1, 5}, 1});
      OpTensor other(type, {7});
      self.fill_random(3);
      other.fill_random(4);
      const OpScalar scalar(type, type == ACL_BOOL ? 1 : 29);
      const OpTensor out(type, {5, 7});
      const Wide bits = static_cast<Wide>(scalar.value().real());
      expect(
          op.scalar.name, [&](auto* n, auto** e) { return op.scalar.plan(self.get(), scalar.get(), out.get(), n, e); },
          op.scalar.launch, {&self}, out,
          [&](const Elements& x) { return wrap(op.combine(static_cast<Wide>(x[0].real()), bits), type); }, true);
      expect(
          op.inplace.name, [&](auto* n, auto** e) { return op.inplace.plan(self.get(), other.get(), n, e); },
          op.inplace.launch, {&self, &other}, self, bits_of(op.combine, type), true);
    }
  }
}

TEST_F(Bitwise, CombinesDtypesAndStoresOthers) {
  const BitOp both = bit_ops().front();
  OpTensor self(ACL_UINT8, {4, 1});
  OpTensor other(ACL_INT8, {11});
  check(both.tensor, bits_of(both.combine, ACL_INT16), self.fill_random(5), other.fill_random(6),
        OpTensor(ACL_INT64, {4, 11}));
  OpTensor wide(ACL_INT32, {11});
  check(both.tensor, bits_of(both.combine, ACL_INT32), wide.fill_random(7), other.fill_random(8),
        OpTensor(ACL_INT64, {11}));
  check(TWO_TENSORS(BitwiseAndTensorOut), bits_of(both.combine, ACL_INT32), wide, other, OpTensor(ACL_INT32, {11}));
}

TEST_F(Bitwise, ShiftsEveryDtype) {
  for (const aclDataType type : kWhole) {
    if (type == ACL_BOOL) continue;
    const auto [bits, is_signed] = facts_of(type);
    const Real largest = std::ldexp(Real{1}, bits - (is_signed ? 1 : 0)) - 1;
    const Real lowest = is_signed ? -largest - 1 : largest - 4;
    OpTensor self(type, {8});
    OpTensor other(type, {8});
    fill_from(self, {1, 5, largest, lowest, lowest, 100, 77, lowest});
    fill_from(other, {0, 3, 1, 1, Real(bits) - 1, Real(bits), is_signed ? Real{-1} : Real(bits) + 1, Real(bits) + 3});
    const auto inside = [end = bits](Wide distance) { return distance >= 0 && distance < end; };
    check(
        TWO_TENSORS(LeftShift),
        [&](const Elements& e) {
          const Wide distance = static_cast<Wide>(e[1].real());
          return inside(distance) ? wrap(static_cast<Wide>(e[0].real()) * (Wide{1} << distance), type) : Real{0};
        },
        self, other, OpTensor(type, {8}));
    check(
        TWO_TENSORS(RightShift),
        [&](const Elements& e) {
          const Wide distance = static_cast<Wide>(e[1].real());
          const Real x = e[0].real();
          return inside(distance) ? std::floor(x / std::ldexp(Real{1}, static_cast<int>(distance)))
                                  : (x < 0 ? Real{-1} : Real{0});
        },
        self, other, OpTensor(type, {8}));
  }
}

TEST_F(Bitwise, ShiftsByNarrowerNumbers) {
  OpTensor self(ACL_INT64, {6});
  fill_from(self, {1, -5, -1000, 1000, -1, 3});
  const auto shifted = [](const Elements& e, Real factor) {
    const Real distance = e[1].real();
    return distance < 0 || distance > 63 ? Real{0} : e[0].real() * std::pow(factor, distance);
  };
  for (const aclDataType type : {ACL_INT8, ACL_INT16, ACL_INT32}) {
    OpTensor other(type, {6});
    fill_from(other, {40, 3, 0, 9, -1, 64});
    check(
        TWO_TENSORS(LeftShift), [&](const Elements& e) { return shifted(e, 2); }, self, other,
        OpTensor(ACL_INT64, {6}));
    check(
        TWO_TENSORS(RightShift),
        [&](const Elements& e) { return e[1].real() < 0 ? Real{-1} : std::floor(shifted(e, 0.5L)); }, self, other,
        OpTensor(ACL_INT64, {6}));
  }
}

TEST_F(Bitwise, ShiftsByScalars) {
  OpTensor self(ACL_INT16, {37});
  self.fill_random(9);
  const OpScalar distance(ACL_INT32, 9);
  const OpTensor out(ACL_INT16, {37});
  const ScalarOp op = TENSOR_SCALAR(LeftShifts);
  expect(
      op.name, [&](auto* n, auto** e) { return op.plan(self.get(), distance.get(), out.get(), n, e); }, op.launch,
      {&self}, out, [](const Elements& e) { return wrap(static_cast<Wide>(e[0].real()) * 512, ACL_INT16); }, true);
}

TEST_F(Bitwise, FindsDivisors) {
  for (const aclDataType type : kSigned) {
    const Real lowest = -std::ldexp(Real{1}, facts_of(type).bits - 1);
    OpTensor self(type, {12});
    OpTensor other(type, {12});
    fill_from(self, {0, 0, 12, -12, 18, 35, 100, lowest, lowest, lowest, 7, -96});
    fill_from(other, {0, 9, 18, 18, -12, 64, 75, 2, 0, 48, 0, 36});
    check(TWO_TENSORS(Gcd), bits_of(divisor_of, type), self, other, OpTensor(type, {12}));
  }
}

TEST_F(Bitwise, RefusesWhatHasNoBits) {
  constexpr int kInvalid = 161002;
  const OpTensor real(ACL_FLOAT, {3});
  const OpTensor whole(ACL_INT32, {3});
  const OpScalar half(ACL_FLOAT, 0.5L);
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  for (const BitOp& op : bit_ops()) {
    EXPECT_EQ(op.tensor.plan(real.get(), whole.get(), whole.get(), &size, &executor), kInvalid);
    EXPECT_EQ(op.scalar.plan(whole.get(), half.get(), whole.get(), &size, &executor), kInvalid);
    EXPECT_EQ(op.tensor.plan(whole.get(), nullptr, whole.get(), &size, &executor), 161001);
  }
  EXPECT_EQ(aclnnGcdGetWorkspaceSize(real.get(), real.get(), real.get(), &size, &executor), kInvalid);
  EXPECT_EQ(aclnnLeftShiftGetWorkspaceSize(whole.get(), whole.get(), real.get(), &size, &executor), kInvalid);
}

}  // namespace
}  // namespace aclvk::test
