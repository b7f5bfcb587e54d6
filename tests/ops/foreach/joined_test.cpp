#include <cmath>
#include <cstdlib>
#include <string_view>

#include "aclnnop/aclnn_foreach_addcmul_list.h"
#include "aclnnop/aclnn_foreach_copy.h"
#include "aclnnop/aclnn_foreach_mul_list.h"
#include "aclnnop/aclnn_foreach_mul_list_inplace.h"
#include "aclnnop/aclnn_foreach_mul_scalar_inplace.h"
#include "aclnnop/aclnn_foreach_neg.h"
#include "aclnnop/aclnn_foreach_non_finite_check_and_unscale.h"
#include "aclnnop/aclnn_foreach_norm.h"
#include "ops/foreach/list_fixture.hpp"
#include "support/op_arguments.hpp"

// Lists as tasks: how many there are, and that captures, updates and new addresses reach every member.
namespace aclvk::test {
namespace {

class ForeachTasks : public ListTest {};

// The scalar gets its value after the capture, so only what reads it on the device can have seen it.
TEST_F(ForeachTasks, ReadsScalarsWhenTheWorkRuns) {
  const std::vector<Member> members = {{{64}}, {{64}}, {{9}}};
  const OpTensorList x(ACL_FLOAT, members);
  OpTensor factor(ACL_FLOAT, {1});
  for (std::size_t m = 0; m < x.size(); ++m) x[m].upload();
  ASSERT_EQ(aclmdlRICaptureBegin(stream(), ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL), 0);
  enqueue([&](auto* n, auto** e) { return aclnnForeachMulScalarInplaceGetWorkspaceSize(x.get(), factor.get(), n, e); },
          aclnnForeachMulScalarInplace);
  aclmdlRI model = nullptr;
  ASSERT_EQ(aclmdlRICaptureEnd(stream(), &model), 0);
  for (const Real value : {Real(2), Real(0.5)}) {
    factor.fill([&](std::int64_t) { return value; }).upload();
    ASSERT_EQ(aclmdlRIExecuteAsync(model, stream()), 0);
    ASSERT_EQ(aclrtSynchronizeStream(stream()), 0);
  }
  EXPECT_EQ(aclmdlRIDestroy(model), 0);
  for (std::size_t m = 0; m < x.size(); ++m) {
    const auto bytes = x[m].download();
    for (std::int64_t i = 0; i < x[m].count(); ++i) ASSERT_EQ(x[m].in(bytes, i), x[m].before(i));
  }
}

// A driver for CPUs gets a task for each tensor, unless drivers are not distinguished (ACLVK_DRIVER_TUNING=0).
TEST_F(ForeachTasks, ManySmallTensorsAreFewTasks) {
  constexpr std::int64_t kMembers = 1500;
  std::vector<Member> members;
  for (std::int64_t i = 0; i < kMembers; ++i) members.push_back({{1 + i * 7 % 501}});
  const OpTensorList x(ACL_FLOAT, members);
  const OpTensorList y(ACL_FLOAT, members, 5000);
  for (std::size_t m = 0; m < x.size(); ++m) {
    x[m].upload();
    y[m].upload();
  }
  const auto multiply = [&](auto* n, auto** e) {
    return aclnnForeachMulListInplaceGetWorkspaceSize(x.get(), y.get(), n, e);
  };
  ASSERT_EQ(aclmdlRICaptureBegin(stream(), ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL), 0);
  enqueue(multiply, aclnnForeachMulListInplace);
  enqueue(multiply, aclnnForeachMulListInplace);
  aclmdlRI model = nullptr;
  ASSERT_EQ(aclmdlRICaptureEnd(stream(), &model), 0);
  std::uint32_t tasks = 0;
  std::uint32_t streams = 1;
  aclrtStream inside = nullptr;
  ASSERT_EQ(aclmdlRIGetStreams(model, &inside, &streams), 0);
  ASSERT_EQ(aclmdlRIGetTasksByStream(inside, nullptr, &tasks), 0);
  const char* const tuning = std::getenv("ACLVK_DRIVER_TUNING");
  const bool may_be_separate = !tuning || std::string_view(tuning) != "0";
  EXPECT_TRUE(tasks <= 8 || (may_be_separate && tasks == 2 * kMembers)) << tasks << " tasks";
  ASSERT_EQ(aclmdlRIExecuteAsync(model, stream()), 0);
  ASSERT_EQ(aclrtSynchronizeStream(stream()), 0);
  EXPECT_EQ(aclmdlRIDestroy(model), 0);
  for (std::size_t m = 0; m < x.size(); ++m) {
    const auto bytes = x[m].download();
    for (std::int64_t i = 0; i < x[m].count(); ++i) {
      const auto factor = static_cast<float>(y[m].before(i).real());
      const float expected = static_cast<float>(x[m].before(i).real()) * factor * factor;
      ASSERT_EQ(x[m].in(bytes, i).real(), expected) << "tensor " << m << ", element " << i;
    }
  }
}

TEST_F(ForeachTasks, CapturedListsCanBeUpdated) {
  const std::vector<Member> members = {{{64}}, {{65}}, {{9}}, {{128}}};
  const OpTensorList before(ACL_FLOAT, members);
  const OpTensorList after(ACL_FLOAT, members, 50);
  const OpTensorList y(ACL_FLOAT, members, 90);
  for (const OpTensorList* list : {&before, &after, &y}) {
    for (std::size_t m = 0; m < list->size(); ++m) (*list)[m].upload();
  }
  const auto multiply = [&](const OpTensorList& x) {
    enqueue([&](auto* n, auto** e) { return aclnnForeachMulListInplaceGetWorkspaceSize(x.get(), y.get(), n, e); },
            aclnnForeachMulListInplace);
  };
  aclrtTaskGrp group = nullptr;
  aclmdlRI model = nullptr;
  ASSERT_EQ(aclmdlRICaptureBegin(stream(), ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL), 0);
  ASSERT_EQ(aclmdlRICaptureTaskGrpBegin(stream()), 0);
  multiply(before);
  ASSERT_EQ(aclmdlRICaptureTaskGrpEnd(stream(), &group), 0);
  ASSERT_EQ(aclmdlRICaptureEnd(stream(), &model), 0);
  ASSERT_EQ(aclmdlRICaptureTaskUpdateBegin(stream(), group), 0);
  multiply(after);
  ASSERT_EQ(aclmdlRICaptureTaskUpdateEnd(stream()), 0) << aclGetRecentErrMsg();
  ASSERT_EQ(aclmdlRIExecuteAsync(model, stream()), 0);
  ASSERT_EQ(aclrtSynchronizeStream(stream()), 0);
  EXPECT_EQ(aclmdlRIDestroy(model), 0);
  for (std::size_t m = 0; m < members.size(); ++m) {
    const auto left_alone = before[m].download();
    const auto changed = after[m].download();
    for (std::int64_t i = 0; i < after[m].count(); ++i) {
      const auto factor = static_cast<float>(y[m].before(i).real());
      ASSERT_EQ(before[m].in(left_alone, i), before[m].before(i));
      ASSERT_EQ(after[m].in(changed, i).real(), factor * static_cast<float>(after[m].before(i).real()));
    }
  }
}

TEST_F(ForeachTasks, AddressesOfMembersCanBeReplaced) {
  const std::vector<Member> members = {{{64}}, {{65}}, {{9}}};
  const OpTensorList x(ACL_FLOAT, members);
  const OpTensorList y(ACL_FLOAT, members, 50);
  const OpTensorList out(ACL_FLOAT, members, 90);
  OpTensor other(ACL_FLOAT, {65});
  OpTensor replacement(ACL_FLOAT, {65});
  other.fill_random(77).upload();
  replacement.upload();
  for (const OpTensorList* list : {&x, &y, &out}) {
    for (std::size_t m = 0; m < list->size(); ++m) (*list)[m].upload();
  }
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  ASSERT_EQ(aclnnForeachMulListGetWorkspaceSize(x.get(), y.get(), out.get(), &size, &executor), 0);
  ASSERT_EQ(aclSetAclOpExecutorRepeatable(executor), 0);
  ASSERT_EQ(aclnnForeachMulList(nullptr, 0, executor, stream()), 0);
  ASSERT_EQ(aclSetDynamicInputTensorAddr(executor, 1, 1, y.get(), other.memory()), 0);
  ASSERT_EQ(aclSetDynamicOutputTensorAddr(executor, 0, 1, out.get(), replacement.memory()), 0);
  ASSERT_EQ(aclnnForeachMulList(nullptr, 0, executor, stream()), 0);
  ASSERT_EQ(aclrtSynchronizeStream(stream()), 0);
  EXPECT_EQ(aclDestroyAclOpExecutor(executor), 0);
  const auto first = out[1].download();
  const auto second = replacement.download();
  for (std::int64_t i = 0; i < 65; ++i) {
    const auto factor = static_cast<float>(x[1].before(i).real());
    EXPECT_EQ(out[1].in(first, i).real(), factor * static_cast<float>(y[1].before(i).real()));
    EXPECT_EQ(replacement.in(second, i).real(), factor * static_cast<float>(other.before(i).real()));
  }
}

TEST_F(ForeachTasks, MembersOfAListInPlaceMoveAsAWhole) {
  const std::vector<Member> members = {{{64}}, {{65}}, {{9}}};
  const OpTensorList x(ACL_FLOAT, members);
  const OpTensorList y(ACL_FLOAT, members, 50);
  OpTensor replacement(ACL_FLOAT, {65});
  replacement.fill_random(77).upload();
  for (const OpTensorList* list : {&x, &y}) {
    for (std::size_t m = 0; m < list->size(); ++m) (*list)[m].upload();
  }
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  ASSERT_EQ(aclnnForeachMulListInplaceGetWorkspaceSize(x.get(), y.get(), &size, &executor), 0);
  ASSERT_EQ(aclSetAclOpExecutorRepeatable(executor), 0);
  ASSERT_EQ(aclSetDynamicInputTensorAddr(executor, 0, 1, x.get(), replacement.memory()), 0);
  ASSERT_EQ(aclnnForeachMulListInplace(nullptr, 0, executor, stream()), 0);
  ASSERT_EQ(aclrtSynchronizeStream(stream()), 0);
  EXPECT_EQ(aclDestroyAclOpExecutor(executor), 0);
  const auto left_alone = x[1].download();
  const auto changed = replacement.download();
  for (std::int64_t i = 0; i < 65; ++i) {
    EXPECT_EQ(x[1].in(left_alone, i), x[1].before(i));
    const auto factor = static_cast<float>(y[1].before(i).real());
    EXPECT_EQ(replacement.in(changed, i).real(), factor * static_cast<float>(replacement.before(i).real()));
  }
}

// As a loop over the list does: the tensor is multiplied twice.
TEST_F(ForeachTasks, MembersThatShareMemoryFollowEachOther) {
  OpTensor x(ACL_FLOAT, {997});
  OpTensor factor(ACL_FLOAT, {1});
  x.fill_random(5).upload();
  factor.fill([](std::int64_t) { return 2; }).upload();
  const std::int64_t size = 997;
  const std::int64_t stride = 1;
  std::vector<aclTensor*> handles;
  for (int i = 0; i < 9; ++i) {
    handles.push_back(aclCreateTensor(&size, 1, ACL_FLOAT, &stride, 0, ACL_FORMAT_ND, &size, 1, x.memory()));
  }
  aclTensorList* list = aclCreateTensorList(handles.data(), handles.size());
  enqueue([&](auto* n, auto** e) { return aclnnForeachMulScalarInplaceGetWorkspaceSize(list, factor.get(), n, e); },
          aclnnForeachMulScalarInplace);
  ASSERT_EQ(aclrtSynchronizeStream(stream()), 0);
  aclDestroyTensorList(list);
  const auto bytes = x.download();
  for (std::int64_t i = 0; i < size; ++i) ASSERT_EQ(x.in(bytes, i).real(), 512 * x.before(i).real()) << i;
}

TEST_F(ForeachTasks, NoMemberReadsWhatOneBeforeItWrites) {
  const OpTensor a(ACL_FLOAT, {64});
  const OpTensor b(ACL_FLOAT, {64});
  const OpTensor c(ACL_FLOAT, {64});
  const SharedList there({&a, &b});
  const SharedList back({&b, &a});
  const SharedList on({&b, &c});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  EXPECT_EQ(aclnnForeachNegGetWorkspaceSize(there.get(), back.get(), &size, &executor), 161002);
  EXPECT_NE(std::string(aclGetRecentErrMsg()).find("tensor 1 of the lists shares memory"), std::string::npos);
  EXPECT_EQ(aclnnForeachNegGetWorkspaceSize(there.get(), on.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnForeachCopyGetWorkspaceSize(there.get(), back.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnForeachMulListInplaceGetWorkspaceSize(there.get(), back.get(), &size, &executor), 161002);
  const SharedList twice({&b, &b});
  EXPECT_EQ(aclnnForeachNegGetWorkspaceSize(there.get(), twice.get(), &size, &executor), 161002)
      << "only one of them is in place";
  EXPECT_EQ(executor, nullptr);
  EXPECT_EQ(aclnnForeachNegGetWorkspaceSize(twice.get(), twice.get(), &size, &executor), 0) << aclGetRecentErrMsg();
  EXPECT_EQ(aclDestroyAclOpExecutor(executor), 0);
}

// The products of all members are made first, so that they cannot be of what an earlier member writes.
TEST_F(ForeachTasks, NoFactorIsWhatOneBeforeItWrites) {
  const OpTensor a(ACL_FLOAT, {64});
  const OpTensor b(ACL_FLOAT, {64});
  const OpTensor c(ACL_FLOAT, {64});
  const OpTensor d(ACL_FLOAT, {64});
  const OpTensor factor(ACL_FLOAT, {1});
  const SharedList ab({&a, &b}), cd({&c, &d}), ca({&c, &a}), bc({&b, &c}), aa({&a, &a});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const SharedList& x1, const SharedList& x2, const SharedList& x3) {
    return aclnnForeachAddcmulListGetWorkspaceSize(x1.get(), x2.get(), x3.get(), factor.get(), x1.get(), &size,
                                                   &executor);
  };
  EXPECT_EQ(plan(ab, ca, cd), 161002);
  EXPECT_NE(std::string(aclGetRecentErrMsg()).find("tensor 1 of the lists shares memory"), std::string::npos);
  EXPECT_EQ(plan(aa, aa, cd), 161002);
  EXPECT_EQ(plan(ab, ab, cd), 0) << aclGetRecentErrMsg();
  EXPECT_EQ(aclDestroyAclOpExecutor(executor), 0);
  EXPECT_EQ(plan(ab, bc, cd), 0) << aclGetRecentErrMsg();
  EXPECT_EQ(aclDestroyAclOpExecutor(executor), 0);
}

TEST_F(ForeachTasks, NoNormIsOfWhatOneBeforeItWrites) {
  OpTensor a(ACL_FLOAT, {64});
  OpTensor b(ACL_FLOAT, {});
  const OpTensor c(ACL_FLOAT, {});
  a.fill_random(6).upload();
  b.fill_random(7).upload();
  const OpScalar one(ACL_FLOAT, 1);
  const SharedList ab({&a, &b});
  const SharedList ba({&b, &a});
  const SharedList bc({&b, &c});
  const SharedList cb({&c, &b});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  EXPECT_EQ(aclnnForeachNormGetWorkspaceSize(ab.get(), one.get(), bc.get(), &size, &executor), 161002);
  EXPECT_NE(std::string(aclGetRecentErrMsg()).find("tensor 1 of the lists shares memory"), std::string::npos);
  enqueue([&](auto* n, auto** e) { return aclnnForeachNormGetWorkspaceSize(ba.get(), one.get(), cb.get(), n, e); },
          aclnnForeachNorm);
  ASSERT_EQ(aclrtSynchronizeStream(stream()), 0);
  Real sum = 0;
  for (std::int64_t i = 0; i < 64; ++i) sum += std::fabs(a.before(i).real());
  expect_elements(
      c, c.download(), [&](std::int64_t) -> Number { return std::fabs(b.before(0).real()); }, true);
  expect_elements(
      b, b.download(), [&](std::int64_t) -> Number { return sum; }, false);
}

TEST_F(ForeachTasks, NoGradientIsItsOwnScale) {
  const OpTensor grad(ACL_FLOAT, {64});
  const OpTensor scale(ACL_FLOAT, {1});
  const OpTensor found(ACL_FLOAT, {1});
  const SharedList alone({&grad});
  const SharedList both({&grad, &scale});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const SharedList& grads, const OpTensor& flag) {
    return aclnnForeachNonFiniteCheckAndUnscaleGetWorkspaceSize(grads.get(), flag.get(), scale.get(), &size, &executor);
  };
  EXPECT_EQ(plan(both, found), 161002);
  EXPECT_EQ(plan(alone, scale), 161002);
  EXPECT_EQ(plan(alone, found), 0) << aclGetRecentErrMsg();
  EXPECT_EQ(aclDestroyAclOpExecutor(executor), 0);
}

TEST_F(ForeachTasks, AMemberMayWriteWhatOneBeforeItReads) {
  OpTensor a(ACL_FLOAT, {64});
  OpTensor b(ACL_FLOAT, {64});
  const OpTensor c(ACL_FLOAT, {64});
  a.fill_random(6).upload();
  b.fill_random(7).upload();
  const SharedList x({&a, &b});
  const SharedList out({&c, &a});
  enqueue([&](auto* n, auto** e) { return aclnnForeachNegGetWorkspaceSize(x.get(), out.get(), n, e); },
          aclnnForeachNeg);
  ASSERT_EQ(aclrtSynchronizeStream(stream()), 0);
  expect_elements(
      c, c.download(), [&](std::int64_t i) { return -a.before(i); }, true);
  expect_elements(
      a, a.download(), [&](std::int64_t i) { return -b.before(i); }, true);
}

}  // namespace
}  // namespace aclvk::test
