#include <functional>
#include <string>
#include <vector>

#include "aclnnop/aclnn_abs.h"
#include "aclnnop/aclnn_amax.h"
#include "aclnnop/aclnn_copy.h"
#include "aclnnop/aclnn_foreach_mul_list.h"
#include "aclnnop/aclnn_mm.h"
#include "aclnnop/aclnn_permute.h"
#include "aclnnop/aclnn_softmax.h"
#include "aclnnop/aclnn_trans_matmul_weight.h"
#include "support/op_arguments.hpp"

// Tensors in blocks, given to operators that read rows. That no operator writes rows to blocks is a part of
// OpTest::run.

namespace aclvk::test {
namespace {

constexpr aclnnStatus kInvalid = 161002;

/// A matrix of 32 x 48 halves; each row holds its number.
class Formats : public OpTest {
 protected:
  Formats() {
    x.fill([](std::int64_t i) { return Real(i / 48); }).upload();
    square.fill([](std::int64_t i) { return Real(i % 7); }).upload();
  }

  aclnnStatus plan(const Plan& plan) {
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    const aclnnStatus planned = plan(&size, &executor);
    if (planned == 0) aclDestroyAclOpExecutor(executor);
    return planned;
  }
  aclnnStatus plan_amax() {
    return plan(
        [&](auto* n, auto** e) { return aclnnAmaxGetWorkspaceSize(x.get(), last.get(), false, rows.get(), n, e); });
  }

  OpTensor x{ACL_FLOAT16, {32, 48}};
  OpTensor square{ACL_FLOAT16, {32, 32}};
  const OpTensor out{ACL_FLOAT16, {32, 32}};
  const OpTensor rows{ACL_FLOAT16, {32}};
  const OpInts last{1};
};

TEST_F(Formats, AWeightInBlocksIsNotReadAsRows) {
  EXPECT_EQ(plan_amax(), 0);
  enqueue([&](auto* n, auto** e) { return aclnnTransMatmulWeightGetWorkspaceSize(x.get(), n, e); },
          aclnnTransMatmulWeight);
  ASSERT_EQ(aclrtSynchronizeStream(stream()), 0);
  EXPECT_EQ(plan_amax(), kInvalid);
  EXPECT_NE(std::string(aclGetRecentErrMsg()).find("self of aclnnAmax has format FRACTAL_NZ"), std::string::npos);
}

TEST_F(Formats, BlocksAreRefusedByWhatReadsRows) {
  const OpInts swapped{1, 0};
  for (const int format : {int{ACL_FORMAT_FRACTAL_NZ}, int{ACL_FORMAT_NC1HWC0}, int{ACL_FORMAT_FRACTAL_Z}, 77}) {
    SCOPED_TRACE(format);
    square.describe(format);
    EXPECT_EQ(plan([&](auto* n, auto** e) { return aclnnAbsGetWorkspaceSize(square.get(), out.get(), n, e); }),
              kInvalid);
    EXPECT_EQ(plan([&](auto* n, auto** e) { return aclnnSoftmaxGetWorkspaceSize(square.get(), 1, out.get(), n, e); }),
              kInvalid);
    EXPECT_EQ(plan([&](auto* n, auto** e) {
                return aclnnMmGetWorkspaceSize(square.get(), square.get(), out.get(), 0, n, e);
              }),
              kInvalid);
    EXPECT_EQ(plan([&](auto* n, auto** e) {
                return aclnnPermuteGetWorkspaceSize(square.get(), swapped.get(), out.get(), n, e);
              }),
              kInvalid);
    EXPECT_EQ(plan([&](auto* n, auto** e) { return aclnnInplaceCopyGetWorkspaceSize(square.get(), out.get(), n, e); }),
              kInvalid);
    aclFormat returned = ACL_FORMAT_UNDEFINED;
    EXPECT_EQ(aclGetFormat(square.get(), &returned), 0);
    EXPECT_EQ(returned, format);
  }
}

TEST_F(Formats, BlocksAmongMembersAreRefused) {
  const OpList xs({&square, &out}), ys({&out, &out}), results({&out, &out});
  square.describe(ACL_FORMAT_NC1HWC0);
  EXPECT_EQ(plan([&](auto* n, auto** e) {
              return aclnnForeachMulListGetWorkspaceSize(xs.get(), ys.get(), results.get(), n, e);
            }),
            kInvalid);
  EXPECT_NE(std::string(aclGetRecentErrMsg()).find("has format NC1HWC0"), std::string::npos);
}

TEST_F(Formats, OfRowsAreAllTaken) {
  for (const aclFormat format : {ACL_FORMAT_UNDEFINED, ACL_FORMAT_ND, ACL_FORMAT_NCHW, ACL_FORMAT_NHWC, ACL_FORMAT_HWCN,
                                 ACL_FORMAT_NCDHW, ACL_FORMAT_NDHWC, ACL_FORMAT_NC, ACL_FORMAT_NCL}) {
    square.describe(format);
    EXPECT_EQ(plan([&](auto* n, auto** e) { return aclnnAbsGetWorkspaceSize(square.get(), out.get(), n, e); }), 0)
        << format;
  }
}

TEST_F(Formats, ANumberThatIsNoDtypeIsNamedOnce) {
  const Shape shape = {2};
  aclTensor* strange = aclCreateTensor(shape.data(), 1, static_cast<aclDataType>(12345), nullptr, 0, ACL_FORMAT_ND,
                                       shape.data(), 1, x.memory());
  ASSERT_NE(strange, nullptr);
  EXPECT_EQ(plan([&](auto* n, auto** e) { return aclnnAbsGetWorkspaceSize(strange, out.get(), n, e); }), kInvalid);
  EXPECT_NE(std::string(aclGetRecentErrMsg()).find("self has dtype 12345, which is none; supported are "),
            std::string::npos);
  aclDestroyTensor(strange);
}

}  // namespace
}  // namespace aclvk::test
