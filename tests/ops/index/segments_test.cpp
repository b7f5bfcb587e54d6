#include "aclnnop/aclnn_expand_into_jagged_permute.h"
#include "aclnnop/aclnn_three_interpolate_backward.h"
#include "support/op_arguments.hpp"

namespace aclvk::test {
namespace {

class Segments : public OpTest {};

TEST_F(Segments, AreBroughtIntoAnotherOrder) {
  const std::vector<std::int64_t> lengths = {4, 0, 7, 3, 5};  // of the input
  const std::vector<std::int64_t> order = {3, 0, 4, 1, 2};
  std::vector<std::int64_t> from = {0};
  std::vector<std::int64_t> to = {0};
  std::vector<std::int64_t> expected;
  for (const std::int64_t length : lengths) from.push_back(from.back() + length);
  for (const std::int64_t segment : order) {
    const auto at = static_cast<std::size_t>(segment);
    to.push_back(to.back() + lengths[at]);
    for (std::int64_t i = 0; i < lengths[at]; ++i) expected.push_back(from[at] + i);
  }
  OpTensor permute(ACL_INT32, {5});
  OpTensor input(ACL_INT32, {6}, {{2}, 1});
  OpTensor output(ACL_INT32, {6});
  permute.fill([&](std::int64_t i) { return Real(order[static_cast<std::size_t>(i)]); });
  input.fill([&](std::int64_t i) { return Real(from[static_cast<std::size_t>(i)]); });
  output.fill([&](std::int64_t i) { return Real(to[static_cast<std::size_t>(i)]); });
  const OpTensor out(ACL_INT32, {19});
  const auto bytes = run(
      [&](auto* n, auto** e) {
        return aclnnExpandIntoJaggedPermuteGetWorkspaceSize(permute.get(), input.get(), output.get(), 19, out.get(), n,
                                                            e);
      },
      aclnnExpandIntoJaggedPermute, {&permute, &input, &output}, out);
  expect_elements(
      out, bytes, [&](std::int64_t i) { return Real(expected[static_cast<std::size_t>(i)]); }, true);
}

TEST_F(Segments, GetTheGradientsOfInterpolatedPoints) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16}) {
    for (const aclDataType index_type : {ACL_INT32, ACL_INT64}) {
      OpTensor grad(type, {2, 3, 7});
      OpTensor indices(index_type, {2, 7, 3});
      OpTensor weights(type, {2, 7, 3});
      grad.fill_random(1);
      weights.fill_random(2);
      indices.fill([](std::int64_t i) { return Real(i * 3 % 5); });
      const OpTensor out(type, {2, 3, 5});
      std::vector<Real> expected(30, 0);
      for (std::int64_t i = 0; i < 42; ++i) {
        const Shape at = coordinates_of(i, {2, 3, 7});
        for (std::int64_t k = 0; k < 3; ++k) {
          const std::int64_t from = element_at({at[0], at[2], k}, {2, 7, 3});
          const auto point = static_cast<std::int64_t>(indices.before(from).real());
          Real& sum = expected[static_cast<std::size_t>(element_at({at[0], at[1], point}, {2, 3, 5}))];
          const Real product = round_real(grad.before(i).real() * weights.before(from).real(), type);
          sum = round_real(sum + product, type);
        }
      }
      const auto bytes = run(
          [&](auto* n, auto** e) {
            return aclnnThreeInterpolateBackwardGetWorkspaceSize(grad.get(), indices.get(), weights.get(), 5, out.get(),
                                                                 n, e);
          },
          aclnnThreeInterpolateBackward, {&grad, &indices, &weights}, out);
      expect_elements(
          out, bytes, [&](std::int64_t i) { return expected[static_cast<std::size_t>(i)]; }, true);
    }
  }
}

TEST_F(Segments, RefuseWhatDoesNotFit) {
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const OpTensor two(ACL_INT32, {2});
  const OpTensor three(ACL_INT32, {3});
  const OpTensor real(ACL_FLOAT, {3});
  EXPECT_EQ(
      aclnnExpandIntoJaggedPermuteGetWorkspaceSize(nullptr, three.get(), three.get(), 3, three.get(), &size, &executor),
      161001);
  EXPECT_EQ(aclnnExpandIntoJaggedPermuteGetWorkspaceSize(two.get(), real.get(), three.get(), 3, three.get(), &size,
                                                         &executor),
            161002);
  EXPECT_EQ(aclnnExpandIntoJaggedPermuteGetWorkspaceSize(two.get(), three.get(), three.get(), 4, three.get(), &size,
                                                         &executor),
            161002);
  EXPECT_EQ(aclnnThreeInterpolateBackwardGetWorkspaceSize(real.get(), three.get(), real.get(), 5, real.get(), &size,
                                                          &executor),
            161002);
  EXPECT_EQ(
      aclnnThreeInterpolateBackwardGetWorkspaceSize(nullptr, three.get(), real.get(), 5, real.get(), &size, &executor),
      161001);
  EXPECT_EQ(executor, nullptr);
}

}  // namespace
}  // namespace aclvk::test
