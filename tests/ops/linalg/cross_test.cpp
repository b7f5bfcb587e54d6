#include "aclnnop/aclnn_linalg_cross.h"
#include "support/op_arguments.hpp"

namespace aclvk::test {
namespace {

class LinalgCross : public OpTest {
 protected:
  /// The product of `self` and `other`, broadcast to `out`, along a dim.
  static void check_cross(const OpTensor& self, const OpTensor& other, std::int64_t dim, const OpTensor& out) {
    SCOPED_TRACE("dtypes " + std::to_string(self.type()) + " and " + std::to_string(other.type()));
    const auto along = static_cast<std::size_t>(dim < 0 ? dim + static_cast<std::int64_t>(out.shape().size()) : dim);
    const auto element = [&](const OpTensor& from, Shape at, std::int64_t component) {
      at[along] = component;
      return from.before(source_of(element_at(at, out.shape()), out.shape(), from.shape()));
    };
    const auto expected = [&](std::int64_t i) {
      const Shape at = coordinates_of(i, out.shape());
      const std::int64_t next = (at[along] + 1) % 3;
      const std::int64_t last = (at[along] + 2) % 3;
      const Number value =
          element(self, at, next) * element(other, at, last) - element(self, at, last) * element(other, at, next);
      return is_integer(out.type()) ? Number(wrap(static_cast<Wide>(value.real()), out.type()))
                                    : rounded(value, out.type());
    };
    const auto bytes =
        run([&](auto* n,
                auto** e) { return aclnnLinalgCrossGetWorkspaceSize(self.get(), other.get(), dim, out.get(), n, e); },
            aclnnLinalgCross, {&self, &other}, out);
    expect_elements(out, bytes, expected, is_integer(out.type()));
  }
  static void check_shapes(aclDataType first, aclDataType second, aclDataType result, const Shape& x, const Shape& y,
                           std::int64_t dim, const Shape& z, const View& view = {}) {
    OpTensor self(first, x, view);
    OpTensor other(second, y);
    self.fill_random(3);
    other.fill_random(4);
    check_cross(self, other, dim, OpTensor(result, z));
  }
};

TEST_F(LinalgCross, IsThatOfEachVector) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE, ACL_INT8, ACL_UINT8, ACL_INT16,
                                 ACL_INT32, ACL_INT64, ACL_COMPLEX64, ACL_COMPLEX128}) {
    check_shapes(type, type, type, {7, 3}, {7, 3}, -1, {7, 3});
    check_shapes(type, type, type, {2, 3, 8}, {2, 3, 8}, 1, {2, 3, 8});
    check_shapes(type, type, type, {3, 1, 5}, {3, 4, 1}, 0, {3, 4, 5});
    check_shapes(type, type, type, {5, 3}, {3}, 1, {5, 3}, {{7, 2}, 3});
  }
}

TEST_F(LinalgCross, Promotes) {
  check_shapes(ACL_FLOAT16, ACL_FLOAT, ACL_FLOAT, {5, 3}, {5, 3}, 1, {5, 3});
  check_shapes(ACL_INT32, ACL_FLOAT, ACL_DOUBLE, {5, 3}, {5, 3}, 1, {5, 3});
  check_shapes(ACL_INT8, ACL_INT32, ACL_INT64, {5, 3}, {5, 3}, 1, {5, 3});
}

TEST_F(LinalgCross, RefusesOthers) {
  const OpTensor x(ACL_FLOAT, {5, 3});
  const OpTensor y(ACL_FLOAT, {3, 5});
  const OpTensor one(ACL_FLOAT, {5, 1});
  const OpTensor truth(ACL_BOOL, {5, 3});
  const OpTensor whole(ACL_INT32, {5, 3});
  const OpTensor out(ACL_FLOAT, {5, 3});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const aclTensor* self, const aclTensor* other, std::int64_t dim, aclTensor* to) {
    return aclnnLinalgCrossGetWorkspaceSize(self, other, dim, to, &size, &executor);
  };
  EXPECT_EQ(plan(nullptr, x.get(), 1, out.get()), 161001);
  EXPECT_EQ(plan(x.get(), nullptr, 1, out.get()), 161001);
  EXPECT_EQ(plan(x.get(), x.get(), 1, nullptr), 161001);
  EXPECT_EQ(plan(truth.get(), x.get(), 1, out.get()), 161002);
  EXPECT_EQ(plan(x.get(), x.get(), 1, whole.get()), 161002);
  EXPECT_EQ(plan(x.get(), y.get(), 1, out.get()), 161002);
  EXPECT_EQ(plan(x.get(), x.get(), 0, out.get()), 161002);
  EXPECT_EQ(plan(x.get(), x.get(), 2, out.get()), 161002);
  EXPECT_EQ(plan(x.get(), one.get(), 1, out.get()), 161002);
  EXPECT_EQ(plan(x.get(), x.get(), 1, y.get()), 161002);
  EXPECT_EQ(plan(x.get(), x.get(), 1, x.get()), 161002);
  EXPECT_EQ(executor, nullptr);
}

}  // namespace
}  // namespace aclvk::test
