#include <string>
#include <vector>

#include "aclnnop/aclnn_aminmax_dim.h"
#include "aclnnop/aclnn_apply_adam_w_v2.h"
#include "aclnnop/aclnn_svd.h"
#include "support/op_arguments.hpp"

// Outputs of one operator that share memory: its kernels write them in no order.

namespace aclvk::test {
namespace {

constexpr aclnnStatus kInvalid = 161002;

/// A tensor of floats somewhere in the memory of another one; without memory unless it is given.
class Part {
 public:
  Part(const Shape& shape, const Shape& strides, void* memory = nullptr, std::int64_t offset = 0) {
    const std::int64_t storage = 64;
    handle_ = aclCreateTensor(shape.data(), shape.size(), ACL_FLOAT, strides.data(), offset, ACL_FORMAT_ND, &storage, 1,
                              memory);
  }
  ~Part() { aclDestroyTensor(handle_); }
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;

  aclTensor* get() const { return handle_; }

 private:
  aclTensor* handle_;
};

class Outputs : public OpTest {
 protected:
  ~Outputs() override { aclDestroyAclOpExecutor(executor); }

  /// Plans the least and the greatest element of each row of `self`, whose shape is (4, 3).
  aclnnStatus plan(const aclTensor* self, const Part& least, const Part& greatest) {
    if (executor) aclDestroyAclOpExecutor(executor);
    executor = nullptr;
    return aclnnAminmaxDimGetWorkspaceSize(self, 1, false, least.get(), greatest.get(), &size, &executor);
  }
  aclnnStatus launch() {
    void* workspace = nullptr;
    if (size > 0) {
      EXPECT_EQ(aclrtMalloc(&workspace, size, ACL_MEM_MALLOC_NORMAL_ONLY), 0);
    }
    const aclnnStatus status = aclnnAminmaxDim(workspace, size, executor, stream());
    EXPECT_EQ(aclrtSynchronizeStream(stream()), 0);
    aclrtFree(workspace);
    return status;
  }

  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
};

TEST_F(Outputs, AreRefusedWhereTheyAreOneTensor) {
  const OpTensor x(ACL_FLOAT, {5}), v(ACL_FLOAT, {5}), highest(ACL_FLOAT, {5}), gradient(ACL_FLOAT, {5});
  const OpTensor step(ACL_INT64, {1});
  const auto adam = [&](const OpTensor& m, const OpTensor& second) {
    return aclnnApplyAdamWV2GetWorkspaceSize(x.get(), m.get(), second.get(), highest.get(), gradient.get(), step.get(),
                                             0.5F, 0.5F, 0.5F, 0, 0.5F, true, false, &size, &executor);
  };
  EXPECT_EQ(adam(x, v), kInvalid) << "m is the variable";
  EXPECT_NE(std::string(aclGetRecentErrMsg()).find("share memory"), std::string::npos) << aclGetRecentErrMsg();
  EXPECT_EQ(adam(v, v), kInvalid);
  EXPECT_EQ(adam(highest, v), kInvalid);
  EXPECT_EQ(adam(OpTensor(ACL_FLOAT, {5}), v), 0) << aclGetRecentErrMsg();
}

TEST_F(Outputs, AreRefusedWhereTheyOverlap) {
  const OpTensor self(ACL_FLOAT, {4, 3}), memory(ACL_FLOAT, {64});
  const Part first({4}, {1}, memory.memory()), second({4}, {1}, memory.memory(), 3),
      third({4}, {1}, memory.memory(), 7);
  EXPECT_EQ(plan(self.get(), first, second), kInvalid);
  EXPECT_EQ(plan(self.get(), second, first), kInvalid);
  EXPECT_EQ(plan(self.get(), third, second), 0) << aclGetRecentErrMsg();
}

TEST_F(Outputs, MayLieBetweenEachOther) {
  OpTensor self(ACL_FLOAT, {4, 3});
  self.fill([](std::int64_t i) { return i; }).upload();
  const OpTensor memory(ACL_FLOAT, {8});
  const Part even({4}, {2}, memory.memory()), odd({4}, {2}, memory.memory(), 1);
  ASSERT_EQ(plan(self.get(), even, odd), 0) << aclGetRecentErrMsg();
  ASSERT_EQ(launch(), 0) << aclGetRecentErrMsg();
  executor = nullptr;
  std::vector<float> values(8);
  ASSERT_EQ(aclrtMemcpy(values.data(), 32, memory.memory(), 32, ACL_MEMCPY_DEVICE_TO_HOST), 0);
  EXPECT_EQ(values, (std::vector<float>{0, 2, 3, 5, 6, 8, 9, 11}));
}

TEST_F(Outputs, AreComparedWhenTheirAddressesCome) {
  OpTensor self(ACL_FLOAT, {4, 3});
  self.fill([](std::int64_t i) { return i; }).upload();
  const OpTensor memory(ACL_FLOAT, {64});
  const Part least({4}, {1}), greatest({4}, {1});
  ASSERT_EQ(plan(self.get(), least, greatest), 0) << aclGetRecentErrMsg();
  ASSERT_EQ(aclSetAclOpExecutorRepeatable(executor), 0);
  auto* const start = static_cast<float*>(memory.memory());
  EXPECT_EQ(aclSetOutputTensorAddr(executor, 0, least.get(), start), 0);
  for (const int distance : {0, 2}) {
    EXPECT_EQ(aclSetOutputTensorAddr(executor, 1, greatest.get(), start + distance), 0);
    EXPECT_EQ(launch(), kInvalid) << distance;
  }
  EXPECT_EQ(aclSetOutputTensorAddr(executor, 1, greatest.get(), start + 4), 0);
  EXPECT_EQ(launch(), 0) << aclGetRecentErrMsg();
}

TEST_F(Outputs, MayBeOneTensorThatIsNotWritten) {
  const OpTensor self(ACL_FLOAT, {4, 3}), values(ACL_FLOAT, {3}), both(ACL_FLOAT, {3, 3});
  EXPECT_EQ(aclnnSvdGetWorkspaceSize(self.get(), false, false, values.get(), both.get(), both.get(), &size, &executor),
            0)
      << aclGetRecentErrMsg();
}

}  // namespace
}  // namespace aclvk::test
