#include "aclnnop/aclnn_atan2.h"
#include "aclnnop/aclnn_logaddexp.h"
#include "aclnnop/aclnn_logaddexp2.h"
#include "aclnnop/aclnn_x_log_y_scalar_other.h"
#include "aclnnop/aclnn_x_log_y_scalar_self.h"
#include "aclnnop/aclnn_x_log_y_tensor.h"
#include "aclnnop/aclnn_xlog1py.h"
#include "ops/elementwise/pointwise_fixture.hpp"

// Logarithms and angles of two tensors.

namespace aclvk::test {
namespace {

const Real kInf = std::numeric_limits<Real>::infinity();
const Real kNan = std::numeric_limits<Real>::quiet_NaN();

using OfTwo = Real (*)(Real, Real);

Real times_log(Real x, Real y) { return std::isnan(y) ? y : x == 0 ? 0 : x * std::log(y); }
Real times_log1p(Real x, Real y) { return std::isnan(y) ? y : x == 0 ? 0 : x * std::log1p(y); }
/// The larger one, and what the smaller one adds; NaN wins.
Real added(Real x, Real y, Real more) {
  if (std::isinf(x) && x == y) return x;
  return std::isnan(x) || std::isnan(y) ? kNan : std::max(x, y) + more;
}
Real log_add_exp(Real x, Real y) { return added(x, y, std::log1p(std::exp(-std::fabs(x - y)))); }
Real log_add_exp2(Real x, Real y) { return added(x, y, std::log1p(std::exp2(-std::fabs(x - y))) / std::log(Real{2})); }
Real angle_of(Real y, Real x) { return std::atan2(y, x); }

class Logarithms : public PointwiseTest {
 protected:
  static void check(const TwoTensorOp& op, OfTwo meaning, const OpTensor& self, const OpTensor& other,
                    const OpTensor& out) {
    expect(
        op.name + " of dtype " + std::to_string(self.type()),
        [&](auto* n, auto** e) { return op.plan(self.get(), other.get(), out.get(), n, e); }, op.launch,
        {&self, &other}, out, [&](const Elements& e) { return meaning(e[0].real(), e[1].real()); }, false);
  }

  static OpTensor& fill_positive(OpTensor& tensor) {
    return tensor.fill([](std::int64_t i) { return Real(i % 23 + 1) / 4; });
  }
};

TEST_F(Logarithms, OfEveryDtype) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT32, ACL_INT64, ACL_UINT8}) {
    OpTensor self(type, {11, 7}, {{1, 11}, 2});
    OpTensor other(type, {7});
    self.fill_random(1);
    fill_positive(other);
    const OpTensor out(is_integer(type) ? ACL_FLOAT : type, {11, 7});
    check(TWO_TENSORS(XLogYTensor), times_log, self, other, out);
    check(TWO_TENSORS(LogAddExp), log_add_exp, self, other, out);
    check(TWO_TENSORS(LogAddExp2), log_add_exp2, self, other, out);
    check(TWO_TENSORS(Atan2), angle_of, self, other, out);
    if (!is_integer(type)) check(TWO_TENSORS(Xlog1py), times_log1p, self, other, out);
  }
  OpTensor self(ACL_DOUBLE, {89});
  OpTensor other(ACL_DOUBLE, {89});
  check(TWO_TENSORS(Atan2), angle_of, self.fill_random(2), other.fill_random(3), OpTensor(ACL_DOUBLE, {89}));
}

TEST_F(Logarithms, OfSpecialNumbers) {
  const std::vector<Real> special = {0, -0.0L, 1, -1, 2.5L, kInf, -kInf, kNan};
  const auto count = static_cast<std::int64_t>(special.size());
  OpTensor self(ACL_FLOAT, {count, 1});
  OpTensor other(ACL_FLOAT, {count});
  fill_from(self, special);
  fill_from(other, special);
  const OpTensor out(ACL_FLOAT, {count, count});
  check(TWO_TENSORS(XLogYTensor), times_log, self, other, out);
  check(TWO_TENSORS(Xlog1py), times_log1p, self, other, out);
  check(TWO_TENSORS(LogAddExp), log_add_exp, self, other, out);
  check(TWO_TENSORS(LogAddExp2), log_add_exp2, self, other, out);
  check(TWO_TENSORS(Atan2), angle_of, self, other, out);
}

TEST_F(Logarithms, OfScalarsAndInPlace) {
  OpTensor self(ACL_FLOAT, {5, 7});
  OpTensor other(ACL_FLOAT, {7});
  fill_positive(self);
  fill_positive(other);
  const OpScalar scalar(ACL_FLOAT, 2.5L);
  const OpTensor out(ACL_FLOAT, {5, 7});
  auto* x = self.get();
  const auto* s = scalar.get();
  expect(
      "XLogYScalarOther",
      [&](auto* n, auto** e) { return aclnnXLogYScalarOtherGetWorkspaceSize(x, s, out.get(), n, e); },
      aclnnXLogYScalarOther, {&self}, out, [](const Elements& e) { return times_log(e[0].real(), 2.5L); }, false);
  expect(
      "XLogYScalarSelf", [&](auto* n, auto** e) { return aclnnXLogYScalarSelfGetWorkspaceSize(s, x, out.get(), n, e); },
      aclnnXLogYScalarSelf, {&self}, out, [](const Elements& e) { return times_log(2.5L, e[0].real()); }, false);
  expect(
      "InplaceXLogYScalarOther",
      [&](auto* n, auto** e) { return aclnnInplaceXLogYScalarOtherGetWorkspaceSize(x, s, n, e); },
      aclnnInplaceXLogYScalarOther, {&self}, self, [](const Elements& e) { return times_log(e[0].real(), 2.5L); },
      false);
  expect(
      "InplaceXLogYTensor",
      [&](auto* n, auto** e) { return aclnnInplaceXLogYTensorGetWorkspaceSize(x, other.get(), n, e); },
      aclnnInplaceXLogYTensor, {&self, &other}, self,
      [](const Elements& e) { return times_log(e[0].real(), e[1].real()); }, false);
  expect(
      "InplaceAtan2", [&](auto* n, auto** e) { return aclnnInplaceAtan2GetWorkspaceSize(x, other.get(), n, e); },
      aclnnInplaceAtan2, {&self, &other}, self, [](const Elements& e) { return angle_of(e[0].real(), e[1].real()); },
      false);
}

TEST_F(Logarithms, RefuseWhatDoesNotFit) {
  const OpTensor t(ACL_FLOAT, {3});
  const OpTensor whole(ACL_INT32, {3});
  const OpTensor complex(ACL_COMPLEX64, {3});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  EXPECT_EQ(aclnnAtan2GetWorkspaceSize(nullptr, t.get(), t.get(), &size, &executor), 161001);
  EXPECT_EQ(aclnnAtan2GetWorkspaceSize(t.get(), t.get(), whole.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnAtan2GetWorkspaceSize(complex.get(), complex.get(), complex.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnXLogYScalarSelfGetWorkspaceSize(nullptr, t.get(), t.get(), &size, &executor), 161001);
}

}  // namespace
}  // namespace aclvk::test
