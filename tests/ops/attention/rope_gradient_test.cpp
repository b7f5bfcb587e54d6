#include <cmath>

#include "aclnnop/aclnn_rotary_position_embedding_grad.h"
#include "ops/attention/rope_points.hpp"
#include "support/op_arguments.hpp"

namespace aclvk::test {
namespace {

using Numbers = std::vector<Real>;

/// What the definition of the rotation makes of dy, element by element of its result.
struct RopeGradients {
  Numbers dx, dcos, dsin;

  RopeGradients(const OpTensor& dy, const OpTensor& cos, const OpTensor& sin, const OpTensor& x, std::int64_t mode)
      : dx(size_of(x)), dcos(size_of(cos)), dsin(size_of(sin)) {
    const std::int64_t columns = x.shape().back();
    for (std::int64_t i = 0; i < x.count(); ++i) {
      const Point point = point_of(mode, i % columns, columns);
      const std::int64_t start = i - i % columns;
      const auto angle = static_cast<std::size_t>(source_of(i, x.shape(), cos.shape()));
      const std::int64_t mine = start + (point.is_second ? point.second : point.first);
      const std::int64_t other = start + (point.is_second ? point.first : point.second);
      const Real sign = point.is_second ? 1 : -1;
      const Real grown = dy.before(i).real();
      dx[static_cast<std::size_t>(mine)] += grown * number(cos, angle);
      dx[static_cast<std::size_t>(other)] += sign * grown * number(sin, angle);
      dcos[angle] += grown * x.before(mine).real();
      dsin[angle] += sign * grown * x.before(other).real();
    }
  }

  static std::size_t size_of(const OpTensor& tensor) { return static_cast<std::size_t>(tensor.count()); }
  static Real number(const OpTensor& tensor, std::size_t i) {
    return tensor.before(static_cast<std::int64_t>(i)).real();
  }
};

class RopeGradient : public OpTest {
 protected:
  static void expect_numbers(const OpTensor& tensor, const std::vector<std::byte>& bytes, const Numbers& want) {
    expect_elements(
        tensor, bytes, [&](std::int64_t i) -> Number { return want[static_cast<std::size_t>(i)]; }, false);
  }

  static void check(aclDataType type, const Shape& shape, const Shape& angles, std::int64_t mode,
                    const View& view = {}) {
    SCOPED_TRACE(testing::Message() << "dtype " << type << ", mode " << mode);
    OpTensor dy(type, shape, view);
    OpTensor x(type, shape);
    OpTensor cos(type, angles);
    OpTensor sin(type, angles);
    dy.fill_random(3);
    x.fill_random(4);
    cos.fill([](std::int64_t i) -> Number { return std::cos(Real(i % 37) / 7); });
    sin.fill([](std::int64_t i) -> Number { return std::sin(Real(i % 37) / 7); });
    const RopeGradients want(dy, cos, sin, x, mode);
    const OpTensor dx(type, shape, view);
    const OpTensor dcos(type, angles);
    const OpTensor dsin(type, angles);
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnRotaryPositionEmbeddingGradGetWorkspaceSize(dy.get(), cos.get(), sin.get(), x.get(), mode,
                                                                  dx.get(), dcos.get(), dsin.get(), n, e);
        },
        aclnnRotaryPositionEmbeddingGrad, {&dy, &cos, &sin, &x, &dcos, &dsin}, dx);
    expect_numbers(dx, bytes, want.dx);
    expect_numbers(dcos, dcos.download(), want.dcos);
    expect_numbers(dsin, dsin.download(), want.dsin);
  }
};

TEST_F(RopeGradient, RotatesBackInEveryMode) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (const std::int64_t mode : {0, 1, 2, 3}) {
      check(type, {2, 3, 5, 16}, {1, 1, 5, 16}, mode);
      check(type, {2, 5, 3, 12}, {2, 5, 1, 12}, mode);
      check(type, {5, 3, 8}, {5, 3, 8}, mode);
      check(type, {3, 5, 8}, {8}, mode);
    }
  }
  check(ACL_FLOAT, {2, 3, 5, 8}, {1, 1, 5, 8}, 0, {{200, 60, 12, 1}, 3});
  check(ACL_FLOAT, {0, 3, 5, 8}, {1, 1, 5, 8}, 0);
}

TEST_F(RopeGradient, SumsUpManyTokens) { check(ACL_FLOAT, {65541, 1, 2}, {1, 1, 2}, 0); }

TEST_F(RopeGradient, LeavesAnglesAloneWithoutX) {
  OpTensor dy(ACL_FLOAT, {3, 5, 8});
  OpTensor cos(ACL_FLOAT, {1, 5, 8});
  OpTensor sin(ACL_FLOAT, {1, 5, 8});
  for (OpTensor* tensor : {&dy, &cos, &sin}) tensor->fill_random(5);
  const RopeGradients want(dy, cos, sin, dy, 1);
  const OpTensor dx(ACL_FLOAT, {3, 5, 8});
  const OpTensor dcos(ACL_FLOAT, {1, 5, 8});
  const auto bytes = run(
      [&](auto* n, auto** e) {
        return aclnnRotaryPositionEmbeddingGradGetWorkspaceSize(dy.get(), cos.get(), sin.get(), nullptr, 1, dx.get(),
                                                                dcos.get(), nullptr, n, e);
      },
      aclnnRotaryPositionEmbeddingGrad, {&dy, &cos, &sin, &dcos}, dx);
  expect_numbers(dx, bytes, want.dx);
  const auto untouched = dcos.download();
  for (std::int64_t i = 0; i < dcos.count(); ++i) ASSERT_EQ(dcos.in(untouched, i), dcos.before(i));
}

TEST_F(RopeGradient, RefusesOthers) {
  const OpTensor x(ACL_FLOAT, {3, 5, 8});
  const OpTensor dx(ACL_FLOAT, {3, 5, 8});
  const OpTensor angles(ACL_FLOAT, {5, 8});
  const OpTensor dcos(ACL_FLOAT, {5, 8});
  const OpTensor dsin(ACL_FLOAT, {5, 8});
  const OpTensor odd(ACL_FLOAT, {3, 5, 7});
  const OpTensor whole(ACL_INT32, {3, 5, 8});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const OpTensor* dy, const OpTensor& cos, const OpTensor* given, std::int64_t mode,
                        const OpTensor& out, const OpTensor* of_cos) {
    return aclnnRotaryPositionEmbeddingGradGetWorkspaceSize(
        dy ? dy->get() : nullptr, cos.get(), angles.get(), given ? given->get() : nullptr, mode, out.get(),
        of_cos ? of_cos->get() : nullptr, dsin.get(), &size, &executor);
  };
  EXPECT_EQ(plan(nullptr, angles, &x, 0, dx, &dcos), 161001);
  EXPECT_EQ(plan(&x, angles, &x, 0, dx, nullptr), 161001);
  EXPECT_EQ(plan(&whole, angles, &x, 0, dx, &dcos), 161002);
  EXPECT_EQ(plan(&x, angles, &x, 4, dx, &dcos), 161002);
  EXPECT_EQ(plan(&odd, angles, nullptr, 0, odd, &dcos), 161002);
  EXPECT_EQ(plan(&x, odd, &x, 0, dx, &dcos), 161002);
  EXPECT_EQ(plan(&x, angles, &odd, 0, dx, &dcos), 161002);
  EXPECT_EQ(plan(&x, angles, &x, 0, odd, &dcos), 161002);
  EXPECT_EQ(plan(&x, angles, &x, 0, dx, &dx), 161002);
  EXPECT_EQ(plan(&x, angles, &x, 0, x, &dcos), 161002);
  EXPECT_EQ(executor, nullptr);
}

}  // namespace
}  // namespace aclvk::test
