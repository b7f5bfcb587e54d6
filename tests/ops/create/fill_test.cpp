#include "aclnnop/aclnn_eye.h"
#include "aclnnop/aclnn_fill_diagonal.h"
#include "aclnnop/aclnn_fill_scalar.h"
#include "aclnnop/aclnn_fill_tensor.h"
#include "aclnnop/aclnn_ones.h"
#include "aclnnop/aclnn_zero.h"
#include "support/op_arguments.hpp"

namespace aclvk::test {
namespace {

constexpr aclDataType kTypes[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,   ACL_DOUBLE,    ACL_INT8,
                                  ACL_UINT8, ACL_INT16,   ACL_UINT16, ACL_INT32,     ACL_UINT32,
                                  ACL_INT64, ACL_UINT64,  ACL_BOOL,   ACL_COMPLEX64, ACL_COMPLEX128};

class Fills : public OpTest {
 protected:
  static void check_fill(const Plan& plan, Launch launch, const OpTensor& self,
                         const std::function<Number(std::int64_t)>& expected) {
    SCOPED_TRACE("dtype " + std::to_string(self.type()) + ", " + std::to_string(self.count()) + " elements");
    expect_elements(self, run(plan, launch, {}, self), expected, true);
  }
  static std::vector<Shape> shapes() { return {{}, {1}, {13}, {0, 3}, {3, 5, 7}, {64}}; }
};

class FillTypes : public Fills, public testing::WithParamInterface<aclDataType> {};

TEST_P(FillTypes, WriteAScalar) {
  for (const Shape& shape : shapes()) {
    const OpTensor self(GetParam(), shape);
    const OpScalar value(is_integer(GetParam()) ? ACL_INT64 : ACL_FLOAT, 3);
    check_fill([&](auto* n, auto** e) { return aclnnInplaceFillScalarGetWorkspaceSize(self.get(), value.get(), n, e); },
               aclnnInplaceFillScalar, self, [&](auto) { return rounded(3, GetParam()); });
  }
}

TEST_P(FillTypes, WriteThroughStridesAndOffsets) {
  const OpTensor self(GetParam(), {5, 7}, {{1, 6}, 3});
  check_fill([&](auto* n, auto** e) { return aclnnInplaceOneGetWorkspaceSize(self.get(), n, e); }, aclnnInplaceOne,
             self, [](auto) { return Number(1); });
  check_fill([&](auto* n, auto** e) { return aclnnInplaceZeroGetWorkspaceSize(self.get(), n, e); }, aclnnInplaceZero,
             self, [](auto) { return Number(0); });
}

INSTANTIATE_TEST_SUITE_P(Types, FillTypes, testing::ValuesIn(kTypes), name_of_dtype);

TEST_F(Fills, ConvertTheScalar) {
  struct Case {
    aclDataType scalar;
    Number value;
    aclDataType type;
    Number expected;
  };
  const Real inf = std::numeric_limits<Real>::infinity();
  const Case cases[] = {{ACL_FLOAT, 2.75L, ACL_INT32, 2},
                        {ACL_FLOAT, -1.5L, ACL_FLOAT16, -1.5L},
                        {ACL_DOUBLE, 1e10L, ACL_FLOAT16, inf},
                        {ACL_DOUBLE, 5.9604645e-8L, ACL_FLOAT16, std::ldexp(Real{1}, -24)},
                        {ACL_DOUBLE, 1.00048828125L, ACL_FLOAT16, 1},
                        {ACL_DOUBLE, 1.00146484375L, ACL_FLOAT16, 1.001953125L},
                        {ACL_FLOAT, 0.1L, ACL_BF16, round_real(static_cast<float>(0.1L), ACL_BF16)},
                        {ACL_INT64, 300, ACL_UINT8, 44},
                        {ACL_INT64, -1, ACL_UINT32, 4294967295.0L},
                        {ACL_FLOAT, 0.25L, ACL_BOOL, 1},
                        {ACL_COMPLEX64, {1, -2}, ACL_COMPLEX128, {1, -2}},
                        {ACL_DOUBLE, -inf, ACL_DOUBLE, -inf}};
  for (const Case& c : cases) {
    const OpScalar value(c.scalar, c.value);
    const OpTensor self(c.type, {5});
    check_fill([&](auto* n, auto** e) { return aclnnInplaceFillScalarGetWorkspaceSize(self.get(), value.get(), n, e); },
               aclnnInplaceFillScalar, self, [&](auto) { return c.expected; });
  }
}

TEST_F(Fills, WriteTheElementOfATensor) {
  for (const aclDataType type : {ACL_FLOAT, ACL_INT64, ACL_BOOL, ACL_BF16, ACL_UINT16}) {
    OpTensor value(ACL_INT32, {1});
    value.fill([](auto) { return Number(1); });
    value.upload();
    const OpTensor self(type, {3, 7}, {{8, 1}, 2});
    check_fill([&](auto* n, auto** e) { return aclnnInplaceFillTensorGetWorkspaceSize(self.get(), value.get(), n, e); },
               aclnnInplaceFillTensor, self, [](auto) { return Number(1); });
  }
}

TEST_F(Fills, MakeAnIdentity) {
  for (const aclDataType type :
       {ACL_FLOAT16, ACL_FLOAT, ACL_INT32, ACL_INT16, ACL_INT8, ACL_UINT8, ACL_INT64, ACL_BOOL, ACL_BF16}) {
    for (const Shape& shape : {Shape{5, 5}, Shape{3, 7}, Shape{7, 3}, Shape{0, 3}, Shape{1, 1}}) {
      const OpTensor out(type, shape);
      check_fill([&](auto* n, auto** e) { return aclnnEyeGetWorkspaceSize(shape[0], shape[1], out.get(), n, e); },
                 aclnnEye, out, [&](std::int64_t i) { return Real(i / shape[1] == i % shape[1]); });
    }
  }
}

TEST_F(Fills, WriteADiagonal) {
  struct Case {
    Shape shape;
    bool wrap;
  };
  for (const Case& c :
       {Case{{5, 5}, false}, Case{{3, 7}, true}, Case{{17, 3}, false}, Case{{17, 3}, true}, Case{{8, 3}, true},
        Case{{4, 3}, true}, Case{{3, 3, 3}, true}, Case{{1, 1}, false}, Case{{9, 1}, true}, Case{{0, 0}, false}}) {
    for (const aclDataType type : {ACL_FLOAT, ACL_INT8, ACL_COMPLEX64}) {
      OpTensor self(type, c.shape);
      self.fill_random(3);
      const OpScalar value(ACL_FLOAT, 9);
      const auto on_diagonal = [&](const Shape& at) {
        const bool wraps = c.wrap && c.shape.size() == 2;
        const std::int64_t row = wraps ? at[0] % (c.shape[1] + 1) : at[0];
        return std::all_of(at.begin() + 1, at.end(), [&](std::int64_t place) { return place == row; });
      };
      check_fill(
          [&](auto* n, auto** e) {
            return aclnnInplaceFillDiagonalGetWorkspaceSize(self.get(), value.get(), c.wrap, n, e);
          },
          aclnnInplaceFillDiagonal, self,
          [&](std::int64_t i) { return on_diagonal(coordinates_of(i, c.shape)) ? Number(9) : self.before(i); });
    }
  }
}

TEST_F(Fills, RefuseWhatDoesNotFit) {
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const OpTensor self(ACL_FLOAT, {4});
  const OpTensor narrow(ACL_COMPLEX32, {4});
  const OpTensor overlapping(ACL_FLOAT, {4, 4}, {{0, 1}, 0});
  const OpScalar fill(ACL_FLOAT, 1);
  const OpTensor two(ACL_FLOAT, {2});
  const OpScalar complex(ACL_COMPLEX64, {1, 1});
  EXPECT_EQ(aclnnInplaceFillScalarGetWorkspaceSize(nullptr, complex.get(), &size, &executor), 161001);
  EXPECT_EQ(aclnnInplaceFillScalarGetWorkspaceSize(self.get(), nullptr, &size, &executor), 161001);
  EXPECT_EQ(aclnnInplaceFillScalarGetWorkspaceSize(self.get(), complex.get(), nullptr, &executor), 161001);
  EXPECT_EQ(aclnnInplaceFillScalarGetWorkspaceSize(self.get(), complex.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnInplaceOneGetWorkspaceSize(narrow.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnInplaceFillDiagonalGetWorkspaceSize(overlapping.get(), fill.get(), false, &size, &executor), 161002);
  EXPECT_EQ(aclnnInplaceFillTensorGetWorkspaceSize(self.get(), two.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnEyeGetWorkspaceSize(2, 3, self.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnEyeGetWorkspaceSize(-1, 3, self.get(), &size, &executor), 161002);
  const OpScalar one(ACL_FLOAT, 1);
  EXPECT_EQ(aclnnInplaceFillDiagonalGetWorkspaceSize(self.get(), one.get(), false, &size, &executor), 161002);
  EXPECT_EQ(executor, nullptr);
}

TEST_F(Fills, WritePlacesThatElementsShare) {
  for (const aclDataType type : {ACL_FLOAT, ACL_BF16, ACL_INT8}) {
    const OpTensor repeated(type, {3, 5}, {{0, 1}, 2, 1});
    const OpTensor windows(type, {4, 3}, {{1, 1}, 1, 2});
    const OpScalar seven(ACL_INT64, 7);
    for (const OpTensor* self : {&repeated, &windows}) {
      check_fill(
          [&](auto* n, auto** e) { return aclnnInplaceFillScalarGetWorkspaceSize(self->get(), seven.get(), n, e); },
          aclnnInplaceFillScalar, *self, [](auto) { return Number(7); });
    }
  }
}

}  // namespace
}  // namespace aclvk::test
