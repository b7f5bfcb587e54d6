// Complex numbers made of two real tensors, and those whose functions overflow.
#include <limits>
#include <vector>

#include "aclnnop/aclnn_complex.h"
#include "aclnnop/aclnn_cos.h"
#include "aclnnop/aclnn_polar.h"
#include "support/op_fixture.hpp"

namespace aclvk::test {
namespace {

class ComplexOps : public OpTest {};

TEST_F(ComplexOps, JoinParts) {
  struct Case {
    aclDataType part, whole;
  };
  for (const Case& c :
       {Case{ACL_FLOAT, ACL_COMPLEX64}, Case{ACL_FLOAT16, ACL_COMPLEX32}, Case{ACL_DOUBLE, ACL_COMPLEX128}}) {
    OpTensor real(c.part, {5, 1, 7});
    OpTensor imag(c.part, {3, 7}, {{1, 3}, 2});
    real.fill_random(71);
    imag.fill_random(72);
    const OpTensor out(c.whole, {5, 3, 7});
    const auto bytes =
        run([&](auto* n, auto** e) { return aclnnComplexGetWorkspaceSize(real.get(), imag.get(), out.get(), n, e); },
            aclnnComplex, {&real, &imag}, out);
    const auto joined = [&](std::int64_t i) {
      return Number(real.before(source_of(i, out.shape(), real.shape())).real(),
                    imag.before(source_of(i, out.shape(), imag.shape())).real());
    };
    expect_elements(out, bytes, joined, true);
  }
}

TEST_F(ComplexOps, TurnLengthsByAngles) {
  OpTensor length(ACL_FLOAT, {89});
  OpTensor angle(ACL_FLOAT, {89});
  length.fill_random(73);
  angle.fill_random(74);
  const OpTensor out(ACL_COMPLEX64, {89});
  const auto bytes =
      run([&](auto* n, auto** e) { return aclnnPolarGetWorkspaceSize(length.get(), angle.get(), out.get(), n, e); },
          aclnnPolar, {&length, &angle}, out);
  const auto turned = [&](std::int64_t i) {
    const Real r = length.before(i).real();
    const Real a = angle.before(i).real();
    return Number(r * std::cos(a), r * std::sin(a));
  };
  expect_elements(out, bytes, turned, false);
}

TEST_F(ComplexOps, CosinesOfImaginaryNumbersAreReal) {
  constexpr Real kInfinity = std::numeric_limits<Real>::infinity();
  const std::vector<Real> heights = {1000, -1000, kInfinity, -kInfinity};
  for (const aclDataType type : {ACL_COMPLEX64, ACL_COMPLEX128}) {
    OpTensor x(type, {4});
    x.fill([&](std::int64_t i) { return Number(0, heights[static_cast<std::size_t>(i)]); });
    const OpTensor out(type, {4});
    const auto bytes =
        run([&](auto* n, auto** e) { return aclnnCosGetWorkspaceSize(x.get(), out.get(), n, e); }, aclnnCos, {&x}, out);
    expect_elements(
        out, bytes, [](std::int64_t) { return Number(kInfinity, 0); }, true);
  }
}

TEST_F(ComplexOps, RefuseWhatDoesNotFit) {
  const OpTensor floats(ACL_FLOAT, {3});
  const OpTensor doubles(ACL_DOUBLE, {3});
  const OpTensor four(ACL_FLOAT, {4});
  const OpTensor out(ACL_COMPLEX64, {3});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const aclTensor* real, const aclTensor* imag, aclTensor* result) {
    return aclnnComplexGetWorkspaceSize(real, imag, result, &size, &executor);
  };
  EXPECT_EQ(plan(nullptr, floats.get(), out.get()), 161001);
  EXPECT_EQ(plan(floats.get(), nullptr, out.get()), 161001);
  EXPECT_EQ(plan(floats.get(), floats.get(), nullptr), 161001);
  EXPECT_EQ(plan(floats.get(), doubles.get(), out.get()), 161002);
  EXPECT_EQ(plan(floats.get(), floats.get(), floats.get()), 161002);
  EXPECT_EQ(plan(floats.get(), four.get(), out.get()), 161002);
  EXPECT_EQ(aclnnPolarGetWorkspaceSize(doubles.get(), doubles.get(), out.get(), &size, &executor), 161002);
  EXPECT_EQ(executor, nullptr);
}

}  // namespace
}  // namespace aclvk::test
