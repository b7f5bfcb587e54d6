#include "ops/elementwise/binary_reference.hpp"

namespace aclvk::test {
namespace {

constexpr aclDataType kTypes[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,  ACL_DOUBLE, ACL_INT32,     ACL_INT64,
                                  ACL_INT16, ACL_INT8,    ACL_UINT8, ACL_BOOL,   ACL_COMPLEX64, ACL_COMPLEX128};

class BinaryOp : public OpTest {
 protected:
  static void check(const TensorOp& op, const OpTensor& self, const OpTensor& other, const OpTensor& out,
                    aclDataType promoted, Number alpha_value = 1) {
    check(op, self, other, out, promoted, OpScalar(promoted, alpha_value));
  }

  /// One call on random operands, compared with the reference.
  static void check(const TensorOp& op, const OpTensor& self, const OpTensor& other, const OpTensor& out,
                    aclDataType promoted, const OpScalar& alpha) {
    SCOPED_TRACE(std::string(op.name) + " dtypes " + std::to_string(self.type()) + ", " + std::to_string(other.type()) +
                 " -> " + std::to_string(out.type()));
    const auto bytes = run(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return op.plan(self.get(), other.get(), alpha.get(), out.get(), size, executor);
        },
        op.launch, {&self, &other}, out);
    const auto expected = [&](std::int64_t i) {
      const Number x = self.before(source_of(i, out.shape(), self.shape()));
      const Number y = other.before(source_of(i, out.shape(), other.shape()));
      return rounded(reference(op.meaning, x, y, alpha.value(), promoted), out.type());
    };
    expect_elements(out, bytes, expected, is_exact(op.meaning, promoted));
  }

  static aclDataType result_of(Meaning meaning, aclDataType type) {
    return meaning == Meaning::kDiv && is_integer(type) ? ACL_FLOAT : type;
  }

  static OpTensor& filled(OpTensor& tensor, unsigned seed) { return tensor.fill_random(seed); }
};

class BinaryOpTypes : public BinaryOp, public testing::WithParamInterface<aclDataType> {};

TEST_P(BinaryOpTypes, ComputesEveryOperator) {
  const aclDataType type = GetParam();
  for (const TensorOp& op : tensor_ops()) {
    if (!takes(op.meaning, type)) continue;
    const aclDataType result = result_of(op.meaning, type);
    OpTensor self(type, {11, 4});
    OpTensor other(type, {11, 4});
    const OpTensor out(result, {11, 4});
    check(op, filled(self, 1), filled(other, 2), out, result, type == ACL_BOOL ? 1 : 3);
  }
}

TEST_P(BinaryOpTypes, TakesStridesOffsetsAndBroadcast) {
  const aclDataType type = GetParam();
  const TensorOp op = tensor_ops()[0];
  OpTensor self(type, {5, 7}, {{1, 5}, 3});
  OpTensor other(type, {7}, {{2}, 1});
  const OpTensor out(type, {5, 7}, {{9, 1}, 5});
  check(op, filled(self, 3), filled(other, 4), out, type);
}

TEST_P(BinaryOpTypes, TakesSizesThatFillNoVector) {
  const aclDataType type = GetParam();
  const TensorOp op = tensor_ops()[3];
  for (const std::int64_t size : {1, 3, 89}) {
    OpTensor self(type, {size});
    OpTensor other(type, {size});
    const OpTensor out(type, {size});
    check(op, filled(self, 5), filled(other, 6), out, type);
  }
}

INSTANTIATE_TEST_SUITE_P(Types, BinaryOpTypes, testing::ValuesIn(kTypes), name_of_dtype);

TEST_F(BinaryOp, CombinesDifferentDtypes) {
  struct Case {
    aclDataType self, other, promoted, out;
  };
  const Case cases[] = {{ACL_FLOAT16, ACL_BF16, ACL_FLOAT, ACL_FLOAT},
                        {ACL_FLOAT16, ACL_FLOAT, ACL_FLOAT, ACL_FLOAT16},
                        {ACL_INT32, ACL_FLOAT16, ACL_FLOAT16, ACL_FLOAT16},
                        {ACL_INT64, ACL_FLOAT, ACL_FLOAT, ACL_FLOAT},
                        {ACL_UINT8, ACL_INT8, ACL_INT16, ACL_INT64},
                        {ACL_INT8, ACL_INT8, ACL_INT8, ACL_INT32},
                        {ACL_INT32, ACL_INT32, ACL_INT32, ACL_DOUBLE},
                        {ACL_INT16, ACL_INT64, ACL_INT64, ACL_FLOAT},
                        {ACL_BOOL, ACL_INT8, ACL_INT8, ACL_INT8},
                        {ACL_BOOL, ACL_BOOL, ACL_BOOL, ACL_FLOAT},
                        {ACL_FLOAT, ACL_COMPLEX64, ACL_COMPLEX64, ACL_COMPLEX64},
                        {ACL_INT64, ACL_COMPLEX64, ACL_COMPLEX64, ACL_COMPLEX128},
                        {ACL_INT32, ACL_INT32, ACL_INT32, ACL_COMPLEX64},
                        {ACL_FLOAT, ACL_FLOAT, ACL_FLOAT, ACL_COMPLEX128},
                        {ACL_FLOAT, ACL_FLOAT, ACL_FLOAT, ACL_BF16}};
  for (const Case& c : cases) {
    OpTensor self(c.self, {3, 29});
    OpTensor other(c.other, {3, 29});
    const OpTensor out(c.out, {3, 29});
    check(tensor_ops()[0], filled(self, 7), filled(other, 8), out, c.promoted);
  }
}

TEST_F(BinaryOp, DividesIntegersIntoWiderOnes) {
  struct Case {
    aclDataType self, other, promoted, out;
  };
  const Case cases[] = {{ACL_INT32, ACL_INT32, ACL_INT32, ACL_INT64},
                        {ACL_INT64, ACL_INT32, ACL_INT64, ACL_INT64},
                        {ACL_INT16, ACL_INT64, ACL_INT64, ACL_FLOAT},
                        {ACL_INT8, ACL_INT8, ACL_INT8, ACL_DOUBLE}};
  for (const Case& c : cases) {
    OpTensor self(c.self, {12});
    OpTensor other(c.other, {12});
    const OpTensor out(c.out, {12});
    const Real x[] = {7, -7, 7, -7, 1, -1, 100, -100, 0, 5, -5, -128};
    const Real y[] = {2, 2, -2, -2, -6, 6, -7, 7, -3, 0, 0, -1};
    self.fill([&](std::int64_t i) { return x[i]; });
    other.fill([&](std::int64_t i) { return y[i]; });
    check(tensor_ops()[5], self, other, out, c.promoted);
    check(tensor_ops()[6], self, other, out, c.promoted);
  }
}

TEST_F(BinaryOp, DividesIntegersIntoIntegers) {
  TensorOp div = tensor_ops()[4];
  ASSERT_STREQ(div.name, "Div");
  div.meaning = Meaning::kDivTrunc;
  const Real x[] = {7, -7, 7, -7, 1, -1, 100, -100, 0, 5, -5, 127};
  const Real y[] = {2, 2, -2, -2, 6, 6, -7, 7, -3, 100, -1, 1};
  for (const aclDataType type : {ACL_INT8, ACL_INT16, ACL_INT32, ACL_INT64}) {
    OpTensor self(type, {12});
    OpTensor other(type, {12});
    self.fill([&](std::int64_t i) { return x[i]; });
    other.fill([&](std::int64_t i) { return y[i]; });
    check(div, self, other, OpTensor(type, {12}), type);
  }
  OpTensor bytes(ACL_UINT8, {3, 29});
  OpTensor small(ACL_UINT8, {1, 29});
  small.fill([](std::int64_t i) { return Real(1 + i % 7); });
  check(div, filled(bytes, 3), small, OpTensor(ACL_INT32, {3, 29}), ACL_UINT8);
}

TEST_F(BinaryOp, FactorsWrapAsTheirOperandsDo) {
  struct Case {
    aclDataType type, alpha;
    Real value;
  };
  const Case cases[] = {{ACL_UINT8, ACL_INT64, -1},
                        {ACL_UINT8, ACL_INT32, 258},
                        {ACL_INT8, ACL_INT64, 131},
                        {ACL_INT16, ACL_INT32, -65539}};
  for (const Case& c : cases) {
    OpTensor self(c.type, {3, 29});
    OpTensor other(c.type, {3, 29});
    const OpTensor out(ACL_INT32, {3, 29});
    for (const std::size_t op : {0, 1, 2}) {
      check(tensor_ops()[op], filled(self, 9), filled(other, 10), out, c.type, OpScalar(c.alpha, c.value));
    }
  }
}

TEST_F(BinaryOp, BroadcastsBothOperands) {
  struct Case {
    Shape self, other, out;
  };
  const Case cases[] = {{{3, 1, 7}, {5, 1}, {3, 5, 7}},
                        {{}, {11}, {11}},
                        {{}, {}, {}},
                        {{37}, {1}, {37}},
                        {{2, 8}, {8}, {2, 8}},
                        {{2, 8}, {2, 1}, {2, 8}},
                        {{1, 1, 1}, {3}, {1, 1, 3}},
                        {{2, 3, 1, 5}, {3, 4, 1}, {2, 3, 4, 5}}};
  for (const Case& c : cases) {
    OpTensor self(ACL_FLOAT, c.self);
    OpTensor other(ACL_FLOAT, c.other);
    const OpTensor out(ACL_FLOAT, c.out);
    check(tensor_ops()[1], filled(self, 9), filled(other, 10), out, ACL_FLOAT, 2.5);
  }
}

TEST_F(BinaryOp, WalksEightDims) {
  const Shape shape = {2, 3, 2, 3, 2, 1, 2, 3};
  OpTensor self(ACL_FLOAT, shape, {{1, 2, 6, 12, 36, 1, 72, 144}, 0});
  OpTensor other(ACL_FLOAT, shape, {{0, 1, 0, 3, 0, 0, 0, 9}, 0});
  const OpTensor out(ACL_FLOAT, shape);
  check(tensor_ops()[0], filled(self, 11), filled(other, 12), out, ACL_FLOAT);
}

TEST_F(BinaryOp, T262_AddsATransposedViewTimesAlpha) {
  OpTensor transposed(ACL_FLOAT, {31, 13}, {{1, 31}, 0});
  OpTensor plain(ACL_FLOAT, {31, 13});
  const OpTensor out(ACL_FLOAT, {31, 13});
  check(tensor_ops()[0], filled(plain, 17), filled(transposed, 18), out, ACL_FLOAT, 0.75);
}

TEST_F(BinaryOp, ReadsTransposedAndExpandedViews) {
  OpTensor transposed(ACL_FLOAT16, {29, 8}, {{1, 29}, 0});
  OpTensor expanded(ACL_FLOAT16, {29, 8}, {{0, 0}, 2});
  const OpTensor out(ACL_FLOAT16, {29, 8});
  check(tensor_ops()[3], filled(transposed, 13), filled(expanded, 14), out, ACL_FLOAT16);
}

TEST_F(BinaryOp, WritesNarrowElementsBesideOthers) {
  for (const aclDataType type : {ACL_INT8, ACL_UINT8, ACL_BOOL, ACL_FLOAT16, ACL_BF16, ACL_INT16}) {
    OpTensor self(type, {7, 11});
    OpTensor other(type, {7, 11});
    const OpTensor out(type, {7, 11}, {{3, 22}, 1});
    check(tensor_ops()[0], filled(self, 15), filled(other, 16), out, type);
  }
}

TEST_F(BinaryOp, WrapsIntegers) {
  for (const aclDataType type : {ACL_INT8, ACL_UINT8, ACL_INT16, ACL_INT32, ACL_INT64}) {
    const auto [bits, is_signed] = facts_of(type);
    const Real largest = std::ldexp(Real{1}, bits - (is_signed ? 1 : 0)) - 1;
    const Real lowest = is_signed ? -largest - 1 : 0;
    for (const TensorOp& op : tensor_ops()) {
      if (op.meaning == Meaning::kDiv) continue;
      OpTensor self(type, {8});
      OpTensor other(type, {8});
      const OpTensor out(type, {8});
      const Real y[] = {1, 2, largest, lowest, is_signed ? Real{-1} : Real{1}, 0, 3, 7};
      self.fill([&](std::int64_t i) { return i % 2 ? largest : lowest; });
      other.fill([&](std::int64_t i) { return y[i]; });
      check(op, self, other, out, type, 3);
    }
  }
}

TEST_F(BinaryOp, KeepsNanAndInfinity) {
  const Real inf = std::numeric_limits<Real>::infinity();
  const Real nan = std::numeric_limits<Real>::quiet_NaN();
  const Real x[] = {inf, -inf, nan, 1, 0, 0, inf, 1, 65504, nan, -1, 3};
  const Real y[] = {-inf, 5, 2, nan, 0, inf, inf, 0, 65504, nan, 0, -inf};
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE}) {
    for (const TensorOp& op : tensor_ops()) {
      OpTensor self(type, {12});
      OpTensor other(type, {12});
      const OpTensor out(type, {12});
      self.fill([&](std::int64_t i) { return x[i]; });
      other.fill([&](std::int64_t i) { return y[i]; });
      check(op, self, other, out, type);
    }
  }
}

TEST_F(BinaryOp, RoundsFloorDivisionDown) {
  OpTensor self(ACL_FLOAT, {11});
  OpTensor other(ACL_FLOAT, {11});
  const OpTensor out(ACL_FLOAT, {11});
  const float x[] = {-1.0F, 7.0F, -7.0F, 1.0F, 0.9F, 100.0F, -5.0F, 6.0F, 3.0e38F, 49.0F, 16777215.0F};
  const float y[] = {0.3F, 2.0F, 2.0F, -0.3F, 0.4F, 0.7F, 5.0F, 3.0F, 7.0F, 49.0F, 3.0F};
  self.fill([&](std::int64_t i) { return Real{x[i]}; });
  other.fill([&](std::int64_t i) { return Real{y[i]}; });
  check(tensor_ops()[6], self, other, out, ACL_FLOAT);
}

TEST_F(BinaryOp, TheFloorIsThatOfTheRoundedQuotient) {
  OpTensor self(ACL_FLOAT, {2});
  OpTensor other(ACL_FLOAT, {2});
  const OpTensor out(ACL_FLOAT, {2});
  self.fill([](std::int64_t i) { return i == 0 ? 1 : -1; });
  other.fill([](std::int64_t) { return Real{0.1F}; });
  for (const OpTensor* input : {&self, &other}) input->upload();
  enqueue([&](auto* n, auto** e) { return aclnnDivModGetWorkspaceSize(self.get(), other.get(), 2, out.get(), n, e); },
          aclnnDivMod);
  ASSERT_EQ(aclrtSynchronizeStream(stream()), 0);
  EXPECT_EQ(out.in(out.download(), 0), Number(10));
  EXPECT_EQ(out.in(out.download(), 1), Number(-10));
}

TEST_F(BinaryOp, UsesMoreThanOneRowOfGroups) {
  // 65,535 groups of 256 elements are 16,776,960. Filled by the device and compared in bulk: the host is slow at this
  // size.
  const std::int64_t size = 16'777'216 + 12;
  const OpTensor other(ACL_INT8, {1});
  const OpTensor out(ACL_INT8, {size});
  const OpScalar alpha(ACL_INT8, 1);
  ASSERT_EQ(aclrtMemset(other.memory(), 1, 3, 1), 0);
  ASSERT_EQ(aclrtMemset(out.memory(), static_cast<std::size_t>(size), 4, static_cast<std::size_t>(size)), 0);
  enqueue([&](auto* n, auto** e) { return aclnnInplaceAddGetWorkspaceSize(out.get(), other.get(), alpha.get(), n, e); },
          aclnnInplaceAdd);
  ASSERT_EQ(aclrtSynchronizeStream(stream()), 0);
  EXPECT_TRUE(out.download() == std::vector<std::byte>(static_cast<std::size_t>(size), std::byte{7}));
}

}  // namespace
}  // namespace aclvk::test
