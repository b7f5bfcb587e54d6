#include <vector>

#include "aclnnop/aclnn_foreach_mul_list.h"
#include "aclnnop/aclnn_mul.h"
#include "aclnnop/aclnn_reduce_sum.h"
#include "support/op_arguments.hpp"

// Task groups whose tasks are planned without addresses, and updated with others (docs/adr/0026).

namespace aclvk::test {
namespace {

/// An input, and a tensor of the same shape with the values of its other memory.
struct TwoInputs {
  const OpTensor* tensor;
  const OpTensor* other;
};

using Bytes = std::vector<std::byte>;
using Memory = void* (OpTensor::*)() const;

class GroupAddresses : public OpTest {
 protected:
  ~GroupAddresses() override {
    if (model) aclmdlRIDestroy(model);
    if (executor) aclDestroyAclOpExecutor(executor);
    if (workspace) aclrtFree(workspace);
  }

  void plan_without_memory(const Plan& plan) {
    for (const OpTensor* tensor : tensors()) tensor->place(nullptr);
    ASSERT_EQ(plan(&size, &executor), 0) << aclGetRecentErrMsg();
    ASSERT_EQ(aclSetAclOpExecutorRepeatable(executor), 0);
    if (size > 0) {
      ASSERT_EQ(aclrtMalloc(&workspace, size, ACL_MEM_MALLOC_NORMAL_ONLY), 0);
    }
  }
  void launch_at(Memory memory) const {
    for (const OpTensor* tensor : tensors()) tensor->place((tensor->*memory)());
    ASSERT_EQ(run_plan(workspace, size, executor, stream()), 0) << aclGetRecentErrMsg();
  }
  void capture_at(Memory memory) {
    ASSERT_EQ(aclmdlRICaptureBegin(stream(), ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL), 0) << aclGetRecentErrMsg();
    EXPECT_EQ(aclmdlRICaptureTaskGrpBegin(stream()), 0);
    launch_at(memory);
    EXPECT_EQ(aclmdlRICaptureTaskGrpEnd(stream(), &group), 0);
    ASSERT_EQ(aclmdlRICaptureEnd(stream(), &model), 0) << aclGetRecentErrMsg();
  }
  void update_to(Memory memory) const {
    ASSERT_EQ(aclmdlRICaptureTaskUpdateBegin(stream(), group), 0) << aclGetRecentErrMsg();
    launch_at(memory);
    ASSERT_EQ(aclmdlRICaptureTaskUpdateEnd(stream()), 0) << aclGetRecentErrMsg();
  }
  void upload() const {
    for (const TwoInputs& input : inputs) {
      input.tensor->upload();
      input.other->upload_to(input.tensor->other_memory());
    }
    for (const OpTensor* out : outs) {
      out->upload();
      out->upload_to(out->other_memory());
    }
  }
  std::vector<Bytes> results(Memory memory) const {
    std::vector<Bytes> results;
    for (const OpTensor* out : outs) results.push_back(out->download_from((out->*memory)()));
    return results;
  }
  /// Runs the model, which has to write results at one place and nothing at the other.
  void expect_replay(Memory memory, const std::vector<Bytes>& expected, Memory other) const {
    upload();
    const std::vector<Bytes> before = results(other);
    ASSERT_EQ(aclmdlRIExecuteAsync(model, stream()), 0) << aclGetRecentErrMsg();
    EXPECT_EQ(aclrtSynchronizeStream(stream()), 0) << aclGetRecentErrMsg();
    EXPECT_TRUE(results(memory) == expected) << "the replay has another result than the launch";
    EXPECT_TRUE(results(other) == before) << "the replay wrote to the addresses of another plan";
  }

  void expect_updates_move(const Plan& plan, Launch launch) {
    constexpr Memory kFirst = &OpTensor::memory;
    constexpr Memory kSecond = &OpTensor::other_memory;
    run_plan = launch;
    plan_without_memory(plan);
    if (HasFatalFailure()) return;
    upload();
    launch_at(kFirst);
    launch_at(kSecond);
    EXPECT_EQ(aclrtSynchronizeStream(stream()), 0) << aclGetRecentErrMsg();
    const std::vector<Bytes> here = results(kFirst);
    const std::vector<Bytes> there = results(kSecond);
    ASSERT_TRUE(here != there) << "else the test shows nothing";
    capture_at(kFirst);
    if (HasFatalFailure()) return;
    expect_replay(kFirst, here, kSecond);
    update_to(kSecond);
    expect_replay(kSecond, there, kFirst);
    update_to(kFirst);
    expect_replay(kFirst, here, kSecond);
  }

  std::vector<TwoInputs> inputs;
  std::vector<const OpTensor*> outs;
  uint64_t size = 0;

 private:
  std::vector<const OpTensor*> tensors() const {
    std::vector<const OpTensor*> all = outs;
    for (const TwoInputs& input : inputs) all.push_back(input.tensor);
    return all;
  }

  Launch run_plan = nullptr;
  aclOpExecutor* executor = nullptr;
  void* workspace = nullptr;
  aclmdlRI model = nullptr;
  aclrtTaskGrp group = nullptr;
};

/// A tensor of random values.
struct Filled {
  Filled(const Shape& shape, unsigned seed) : tensor(ACL_FLOAT, shape) { tensor.fill_random(seed); }
  OpTensor tensor;
};

TEST_F(GroupAddresses, OfPointwiseOperatorsMoveWithUpdates) {
  const Filled x({7, 33}, 1), other_x({7, 33}, 2), y({33}, 3), other_y({33}, 4);
  const OpTensor out(ACL_FLOAT, {7, 33});
  inputs = {{&x.tensor, &other_x.tensor}, {&y.tensor, &other_y.tensor}};
  outs = {&out};
  expect_updates_move(
      [&](auto* n, auto** e) { return aclnnMulGetWorkspaceSize(x.tensor.get(), y.tensor.get(), out.get(), n, e); },
      aclnnMul);
}

TEST_F(GroupAddresses, OfReductionsMoveWithUpdates) {
  const Shape shape = {3, 40000};
  const Filled x(shape, 5), other_x(shape, 6);
  const OpTensor out(ACL_FLOAT, {1, 1});
  const OpInts dims({0, 1});
  inputs = {{&x.tensor, &other_x.tensor}};
  outs = {&out};
  expect_updates_move(
      [&](auto* n, auto** e) {
        return aclnnReduceSumGetWorkspaceSize(x.tensor.get(), dims.get(), true, ACL_FLOAT, out.get(), n, e);
      },
      aclnnReduceSum);
  EXPECT_GT(size, 0U) << "so many elements are summed in two steps";
}

TEST_F(GroupAddresses, OfListsMoveWithUpdates) {
  const Filled x({5}, 7), other_x({5}, 8), wide({2, 300}, 9), other_wide({2, 300}, 10);
  const Filled y({5}, 11), other_y({5}, 12), wide_y({2, 300}, 13), other_wide_y({2, 300}, 14);
  const OpTensor out(ACL_FLOAT, {5});
  const OpTensor wide_out(ACL_FLOAT, {2, 300});
  const OpList first({&x.tensor, &wide.tensor}), second({&y.tensor, &wide_y.tensor}), results({&out, &wide_out});
  inputs = {{&x.tensor, &other_x.tensor},
            {&wide.tensor, &other_wide.tensor},
            {&y.tensor, &other_y.tensor},
            {&wide_y.tensor, &other_wide_y.tensor}};
  outs = {&out, &wide_out};
  expect_updates_move(
      [&](auto* n, auto** e) {
        return aclnnForeachMulListGetWorkspaceSize(first.get(), second.get(), results.get(), n, e);
      },
      aclnnForeachMulList);
}

}  // namespace
}  // namespace aclvk::test
