#include "aclnnop/aclnn_eq_scalar.h"
#include "aclnnop/aclnn_eq_tensor.h"
#include "aclnnop/aclnn_ge_scalar.h"
#include "aclnnop/aclnn_ge_tensor.h"
#include "aclnnop/aclnn_gt_scalar.h"
#include "aclnnop/aclnn_gt_tensor.h"
#include "aclnnop/aclnn_isclose.h"
#include "aclnnop/aclnn_le_scalar.h"
#include "aclnnop/aclnn_le_tensor.h"
#include "aclnnop/aclnn_logical_and.h"
#include "aclnnop/aclnn_logical_or.h"
#include "aclnnop/aclnn_logical_xor.h"
#include "aclnnop/aclnn_lt_scalar.h"
#include "aclnnop/aclnn_lt_tensor.h"
#include "aclnnop/aclnn_ne_scalar.h"
#include "aclnnop/aclnn_ne_tensor.h"
#include "ops/elementwise/pointwise_fixture.hpp"

// Comparisons and logic: the result is a bool, stored as any dtype.

namespace aclvk::test {
namespace {

constexpr aclDataType kReal[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE, ACL_INT32,
                                 ACL_INT64, ACL_INT16,   ACL_INT8, ACL_UINT8,  ACL_BOOL};
constexpr aclDataType kLate[] = {ACL_UINT32, ACL_UINT64};
constexpr aclDataType kComplex[] = {ACL_COMPLEX64, ACL_COMPLEX128};

using Truth = std::function<bool(Number, Number)>;
ElementMeaning truth_of(const Truth& truth) {
  return [truth](const Elements& e) { return Real(truth(e[0], e[1])); };
}
Truth in_order(bool (*holds)(Real, Real)) {
  return [holds](Number x, Number y) { return holds(x.real(), y.real()); };
}

struct Comparison {
  TwoTensorOp tensor;
  InplaceOp inplace;
  ScalarOp scalar;
  Truth truth;
  bool takes_complex;
};

std::vector<Comparison> comparisons() {
  return {{TWO_TENSORS(EqTensor), INPLACE(EqTensor), TENSOR_SCALAR(EqScalar), [](Number x, Number y) { return x == y; },
           true},
          {TWO_TENSORS(NeTensor), INPLACE(NeTensor), TENSOR_SCALAR(NeScalar), [](Number x, Number y) { return x != y; },
           true},
          {TWO_TENSORS(LtTensor), INPLACE(LtTensor), TENSOR_SCALAR(LtScalar),
           in_order([](Real x, Real y) { return x < y; }), false},
          {TWO_TENSORS(LeTensor), INPLACE(LeTensor), TENSOR_SCALAR(LeScalar),
           in_order([](Real x, Real y) { return x <= y; }), false},
          {TWO_TENSORS(GtTensor), INPLACE(GtTensor), TENSOR_SCALAR(GtScalar),
           in_order([](Real x, Real y) { return x > y; }), false},
          {TWO_TENSORS(GeTensor), INPLACE(GeTensor), TENSOR_SCALAR(GeScalar),
           in_order([](Real x, Real y) { return x >= y; }), false}};
}

struct Logic {
  TwoTensorOp tensor;
  Truth truth;
};
std::vector<Logic> logics() {
  return {{TWO_TENSORS(LogicalAnd), [](Number x, Number y) { return x != Number(0) && y != Number(0); }},
          {TWO_TENSORS(LogicalOr), [](Number x, Number y) { return x != Number(0) || y != Number(0); }},
          {TWO_TENSORS(LogicalXor), [](Number x, Number y) { return (x != Number(0)) != (y != Number(0)); }}};
}

class Comparisons : public PointwiseTest {
 protected:
  static void check(const TwoTensorOp& op, const Truth& truth, const OpTensor& self, const OpTensor& other,
                    const OpTensor& out) {
    expect(
        op.name + " of dtypes " + std::to_string(self.type()) + " and " + std::to_string(other.type()),
        [&](auto* n, auto** e) { return op.plan(self.get(), other.get(), out.get(), n, e); }, op.launch,
        {&self, &other}, out, truth_of(truth), true);
  }

  static void check_types(const Comparison& op, aclDataType type) {
    OpTensor self(type, {7, 13});
    OpTensor other(type, {7, 13});
    const OpTensor out(ACL_BOOL, {7, 13});
    check(op.tensor, op.truth, fill_meeting(self, 7), fill_meeting(other, 6), out);
  }
};

TEST_F(Comparisons, CompareEveryDtype) {
  const Comparison eq = comparisons()[0];
  const Comparison lt = comparisons()[2];
  for (const aclDataType type : kReal) check_types(eq, type);
  for (const aclDataType type : kComplex) check_types(eq, type);
  for (const aclDataType type : kReal) check_types(lt, type);
}

TEST_F(Comparisons, CompareInEveryWay) {
  for (const Comparison& op : comparisons()) {
    for (const aclDataType type : {ACL_FLOAT, ACL_INT8, ACL_INT64}) check_types(op, type);
    if (op.takes_complex) check_types(op, ACL_COMPLEX64);
  }
}

TEST_F(Comparisons, TakeScalars) {
  for (const Comparison& op : comparisons()) {
    for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_INT32, ACL_UINT8}) {
      OpTensor self(type, {89});
      fill_meeting(self, 5);
      const OpTensor out(ACL_BOOL, {89});
      const OpScalar other(type, 1);
      expect(
          op.scalar.name + " of dtype " + std::to_string(type),
          [&](auto* n, auto** e) { return op.scalar.plan(self.get(), other.get(), out.get(), n, e); }, op.scalar.launch,
          {&self}, out, [&](const Elements& x) { return Real(op.truth(x[0], other.value())); }, true);
    }
  }
}

TEST_F(Comparisons, WriteIntoTheFirstOperand) {
  for (const Comparison& op : comparisons()) {
    for (const aclDataType type : {ACL_FLOAT, ACL_INT8, ACL_BOOL}) {
      OpTensor self(type, {3, 11}, {{1, 3}, 2});
      OpTensor other(type, {11});
      fill_meeting(self, 7);
      fill_meeting(other, 5);
      expect(
          "in place " + op.inplace.name,
          [&](auto* n, auto** e) { return op.inplace.plan(self.get(), other.get(), n, e); }, op.inplace.launch,
          {&self, &other}, self, truth_of(op.truth), true);
    }
  }
}

TEST_F(Comparisons, StoreTheAnswerAsAnyDtype) {
  const Comparison eq = comparisons().front();
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE, ACL_INT64, ACL_UINT8, ACL_UINT16, ACL_COMPLEX64}) {
    for (const aclDataType input : {ACL_INT32, ACL_FLOAT16}) {
      OpTensor self(input, {4, 7});
      OpTensor other(input, {7});
      check(eq.tensor, eq.truth, fill_meeting(self, 5), fill_meeting(other, 5), OpTensor(type, {4, 7}));
    }
  }
}

TEST_F(Comparisons, CombineDtypesViewsAndEmptyTensors) {
  const Comparison lt = comparisons()[2];
  OpTensor self(ACL_INT32, {5, 7}, {{1, 5}, 3});
  OpTensor other(ACL_FLOAT16, {7}, {{2}, 1});
  check(lt.tensor, lt.truth, fill_meeting(self, 7), fill_meeting(other, 5), OpTensor(ACL_BOOL, {5, 7}, {{9, 1}, 5}));
  OpTensor single(ACL_INT8, {});
  OpTensor expanded(ACL_UINT8, {4, 3}, {{0, 0}, 2});
  check(lt.tensor, lt.truth, fill_meeting(single, 3), fill_meeting(expanded, 3), OpTensor(ACL_BOOL, {4, 3}));
  const OpTensor nothing(ACL_FLOAT, {0, 3});
  check(lt.tensor, lt.truth, nothing, nothing, OpTensor(ACL_BOOL, {0, 3}));
}

TEST_F(Comparisons, OrderLargeUnsignedNumbers) {
  for (const aclDataType type : kLate) {
    const Real largest = std::ldexp(Real{1}, facts_of(type).bits) - 1;
    for (const Comparison& op : comparisons()) {
      OpTensor self(type, {9});
      OpTensor other(type, {9});
      fill_from(self, {0, 1, largest, largest, std::floor(largest / 2), std::floor(largest / 2) + 1});
      fill_from(other, {largest, 1, 0, largest, std::floor(largest / 2) + 1, std::floor(largest / 2), 5});
      check(op.tensor, op.truth, self, other, OpTensor(ACL_BOOL, {9}));
    }
  }
}

TEST_F(Comparisons, DistinguishLargeIntegers) {
  const Real large = 9007199254740993.0L;  // 2^53 + 1
  for (const Comparison& op : comparisons()) {
    OpTensor self(ACL_INT64, {4});
    OpTensor other(ACL_INT64, {4});
    fill_from(self, {large, large, large, -large});
    fill_from(other, {large - 1, large, large + 1, -large + 1});
    check(op.tensor, op.truth, self, other, OpTensor(ACL_BOOL, {4}));
  }
}

TEST_F(Comparisons, DistinguishNan) {
  const Real inf = std::numeric_limits<Real>::infinity();
  const Real nan = std::numeric_limits<Real>::quiet_NaN();
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE}) {
    OpTensor self(type, {8});
    OpTensor other(type, {8});
    fill_from(self, {nan, nan, 1, inf, -inf, inf, 0, -0.0L});
    fill_from(other, {nan, 1, nan, inf, inf, 3, -0.0L, 0});
    for (const Comparison& op : comparisons()) check(op.tensor, op.truth, self, other, OpTensor(ACL_BOOL, {8}));
    for (const Logic& op : logics()) check(op.tensor, op.truth, self, other, OpTensor(ACL_BOOL, {8}));
  }
}

// As an element of the tensor would hold it: -1 is 255 in uint8, 0.1 is 0.0999755859375 in float16.
TEST_F(Comparisons, RoundTheScalar) {
  const Comparison eq = comparisons().front();
  const auto count_equal = [&](aclDataType type, Real element, const OpScalar& other) {
    OpTensor self(type, {3});
    fill_from(self, {element, 1, element});
    const OpTensor out(ACL_INT32, {3});
    expect(
        "EqScalar", [&](auto* n, auto** e) { return eq.scalar.plan(self.get(), other.get(), out.get(), n, e); },
        eq.scalar.launch, {&self}, out, [&](const Elements& x) { return Real(x[0] == self.before(0)); }, true);
  };
  count_equal(ACL_UINT8, 255, OpScalar(ACL_INT64, -1));
  count_equal(ACL_FLOAT16, 0.1L, OpScalar(ACL_DOUBLE, 0.1L));
  count_equal(ACL_BF16, 0.1L, OpScalar(ACL_FLOAT, 0.1L));
}

TEST_F(Comparisons, CombineTruths) {
  for (const Logic& op : logics()) {
    for (const aclDataType type : kReal) {
      OpTensor self(type, {89});
      OpTensor other(type, {89});
      check(op.tensor, op.truth, fill_meeting(self, 3), fill_meeting(other, 5), OpTensor(ACL_BOOL, {89}));
    }
    for (const aclDataType type : kComplex) {
      OpTensor self(type, {13});
      OpTensor other(type, {13});
      check(op.tensor, op.truth, fill_meeting(self, 3), fill_meeting(other, 5), OpTensor(ACL_FLOAT, {13}));
    }
  }
}

TEST_F(Comparisons, CombineTruthsInPlace) {
  const InplaceOp ops[] = {INPLACE(LogicalAnd), INPLACE(LogicalOr)};
  for (std::size_t i = 0; i < 2; ++i) {
    OpTensor self(ACL_FLOAT, {37});
    OpTensor other(ACL_INT8, {37});
    fill_meeting(self, 3);
    fill_meeting(other, 5);
    expect(
        ops[i].name, [&](auto* n, auto** e) { return ops[i].plan(self.get(), other.get(), n, e); }, ops[i].launch,
        {&self, &other}, self, truth_of(logics()[i].truth), true);
  }
}

TEST_F(Comparisons, FindCloseNumbers) {
  const Real inf = std::numeric_limits<Real>::infinity();
  const Real nan = std::numeric_limits<Real>::quiet_NaN();
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE, ACL_INT32, ACL_INT64, ACL_INT8}) {
    for (const bool equal_nan : {false, true}) {
      OpTensor self(type, {11});
      OpTensor other(type, {11});
      const Real special = is_integer(type) ? 7 : nan;
      const Real infinite = is_integer(type) ? 8 : inf;
      fill_from(self, {1, 2, 100, -50, special, infinite, infinite, 0, 64, special, 3});
      fill_from(other, {1, 3, 99, -60, special, infinite, -infinite, 1, 80, 1, 4});
      const OpTensor out(ACL_BOOL, {11});
      expect(
          "IsClose",
          [&](auto* n, auto** e) {
            return aclnnIsCloseGetWorkspaceSize(self.get(), other.get(), 0.125, 0.5, equal_nan, out.get(), n, e);
          },
          aclnnIsClose, {&self, &other}, out,
          [&](const Elements& x) {
            const Real a = x[0].real();
            const Real b = x[1].real();
            const bool close = std::isfinite(a - b) && std::fabs(a - b) <= 0.5L + 0.125L * std::fabs(b);
            return Real(a == b || close || (equal_nan && std::isnan(a) && std::isnan(b)));
          },
          true);
    }
  }
}

TEST_F(Comparisons, RefuseWhatDoesNotFit) {
  constexpr int kNullptr = 161001;
  constexpr int kInvalid = 161002;
  const OpTensor self(ACL_FLOAT, {3, 5});
  const OpTensor out(ACL_BOOL, {3, 5});
  const OpScalar scalar(ACL_FLOAT, 1);
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  for (const Comparison& op : comparisons()) {
    const auto plan = [&](const OpTensor& x, const OpTensor& y, const OpTensor& z) {
      return op.tensor.plan(x.get(), y.get(), z.get(), &size, &executor);
    };
    EXPECT_EQ(op.tensor.plan(nullptr, self.get(), out.get(), &size, &executor), kNullptr);
    EXPECT_EQ(op.tensor.plan(self.get(), nullptr, out.get(), &size, &executor), kNullptr);
    EXPECT_EQ(op.tensor.plan(self.get(), self.get(), nullptr, &size, &executor), kNullptr);
    EXPECT_EQ(op.scalar.plan(self.get(), nullptr, out.get(), &size, &executor), kNullptr);
    EXPECT_EQ(op.inplace.plan(nullptr, self.get(), &size, &executor), kNullptr);
    EXPECT_EQ(plan(self, self, OpTensor(ACL_BOOL, {3, 6})), kInvalid) << "shape of out";
    EXPECT_EQ(plan(self, OpTensor(ACL_FLOAT, {4}), out), kInvalid) << "no broadcast";
    EXPECT_EQ(plan(OpTensor(ACL_UINT32, {3, 5}), OpTensor(ACL_INT32, {3, 5}), out), kInvalid) << "no promotion";
    const OpTensor complex(ACL_COMPLEX64, {3, 5});
    EXPECT_EQ(plan(complex, complex, out), op.takes_complex ? 0 : kInvalid);
    EXPECT_EQ(op.inplace.plan(OpTensor(ACL_FLOAT, {5}).get(), self.get(), &size, &executor), kInvalid);
  }
}

}  // namespace
}  // namespace aclvk::test
