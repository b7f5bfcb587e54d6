#include <vector>

#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_addmm.h"
#include "aclnnop/aclnn_div.h"
#include "aclnnop/aclnn_fill_tensor.h"
#include "aclnnop/aclnn_gather_nd.h"
#include "aclnnop/aclnn_maximum.h"
#include "aclnnop/aclnn_mul.h"
#include "aclnnop/aclnn_put.h"
#include "aclnnop/aclnn_rsub.h"
#include "aclnnop/aclnn_scatter.h"
#include "aclnnop/aclnn_scatter_nd_update.h"
#include "aclnnop/aclnn_sub.h"
#include "aclnnop/aclnn_tril.h"
#include "support/op_fixture.hpp"

// The two phases: codes, the order of the checks, and the life of an executor.

namespace aclvk::test {
namespace {

constexpr int kNullptr = 161001;
constexpr int kInvalid = 161002;

class Executors : public OpTest {
 protected:
  Executors() : alpha(ACL_FLOAT, 1) {}

  aclnnStatus plan_add(const OpTensor& self, const OpTensor& other, const OpScalar& by, const OpTensor& out) {
    return aclnnAddGetWorkspaceSize(self.get(), other.get(), by.get(), out.get(), &size, &executor);
  }

  uint64_t size = 77;
  aclOpExecutor* executor = nullptr;
  OpScalar alpha;
};

TEST_F(Executors, T250_ScalarsAreCopied) {
  float value = 3;
  aclScalar* scalar = aclCreateScalar(&value, ACL_FLOAT);
  value = 100;
  OpTensor self(ACL_FLOAT, {4});
  self.fill_random(41);
  const OpTensor out(ACL_FLOAT, {4});
  const auto bytes =
      run([&](auto* n, auto** e) { return aclnnMulsGetWorkspaceSize(self.get(), scalar, out.get(), n, e); }, aclnnMuls,
          {&self}, out);
  expect_elements(
      out, bytes, [&](std::int64_t i) { return round_real(self.before(i).real() * 3, ACL_FLOAT); }, true);
  aclDestroyScalar(scalar);
}

TEST_F(Executors, T255_RefusesNullArguments) {
  const OpTensor t(ACL_FLOAT, {4});
  const auto add = [&](const aclTensor* self, const aclTensor* other, const aclScalar* by, aclTensor* out, uint64_t* n,
                       aclOpExecutor** e) { return aclnnAddGetWorkspaceSize(self, other, by, out, n, e); };
  EXPECT_EQ(add(nullptr, t.get(), alpha.get(), t.get(), &size, &executor), kNullptr);
  EXPECT_EQ(add(t.get(), nullptr, alpha.get(), t.get(), &size, &executor), kNullptr);
  EXPECT_EQ(add(t.get(), t.get(), nullptr, t.get(), &size, &executor), kNullptr);
  EXPECT_EQ(add(t.get(), t.get(), alpha.get(), nullptr, &size, &executor), kNullptr);
  EXPECT_EQ(add(t.get(), t.get(), alpha.get(), t.get(), nullptr, &executor), kNullptr);
  EXPECT_EQ(add(t.get(), t.get(), alpha.get(), t.get(), &size, nullptr), kNullptr);
  EXPECT_EQ(size, 77U);
  EXPECT_EQ(executor, nullptr);
}

TEST_F(Executors, MakesTheChecksInOrder) {
  const OpTensor good(ACL_FLOAT, {4});
  const OpTensor bad_dtype(ACL_UINT32, {4});
  // NULL before a wrong dtype.
  EXPECT_EQ(aclnnAddGetWorkspaceSize(bad_dtype.get(), good.get(), nullptr, good.get(), &size, &executor), kNullptr);
  EXPECT_EQ(plan_add(bad_dtype, good, alpha, good), kInvalid);
  EXPECT_NE(std::string(aclGetRecentErrMsg()).find("self has dtype UINT32"), std::string::npos);
  // A dtype before a shape.
  const OpTensor integers(ACL_INT32, {3});
  EXPECT_EQ(plan_add(good, good, alpha, integers), kInvalid);
  EXPECT_NE(std::string(aclGetRecentErrMsg()).find("cannot be cast"), std::string::npos);
  // A shape before an attribute.
  const OpTensor longer(ACL_FLOAT, {5});
  EXPECT_EQ(aclnnDivModGetWorkspaceSize(good.get(), good.get(), 7, longer.get(), &size, &executor), kInvalid);
  EXPECT_NE(std::string(aclGetRecentErrMsg()).find("out has shape (5)"), std::string::npos);
  EXPECT_EQ(aclnnDivModGetWorkspaceSize(good.get(), good.get(), 7, good.get(), &size, &executor), kInvalid);
  EXPECT_NE(std::string(aclGetRecentErrMsg()).find("mode is 7"), std::string::npos);
  EXPECT_EQ(executor, nullptr);
}

TEST_F(Executors, RefusesDtypes) {
  const OpTensor floats(ACL_FLOAT, {4});
  const OpTensor integers(ACL_INT32, {4});
  const OpTensor bools(ACL_BOOL, {4});
  const OpTensor complex(ACL_COMPLEX64, {4});
  const OpScalar truth(ACL_BOOL, 1);
  const OpScalar half(ACL_FLOAT, 0.5L);
  EXPECT_EQ(plan_add(integers, integers, half, integers), kInvalid);
  EXPECT_EQ(plan_add(bools, bools, OpScalar(ACL_FLOAT, 1), bools), kInvalid);
  EXPECT_EQ(plan_add(complex, floats, alpha, floats), kInvalid);
  EXPECT_EQ(aclnnSubGetWorkspaceSize(bools.get(), bools.get(), truth.get(), bools.get(), &size, &executor), kInvalid);
  EXPECT_EQ(aclnnRsubGetWorkspaceSize(bools.get(), integers.get(), truth.get(), integers.get(), &size, &executor),
            kInvalid);
  EXPECT_EQ(aclnnMaximumGetWorkspaceSize(complex.get(), complex.get(), complex.get(), &size, &executor), kInvalid);
  EXPECT_EQ(aclnnDivsGetWorkspaceSize(integers.get(), half.get(), integers.get(), &size, &executor), kInvalid);
  EXPECT_EQ(aclnnDivGetWorkspaceSize(bools.get(), bools.get(), integers.get(), &size, &executor), kInvalid);
  EXPECT_EQ(aclnnInplaceMulsGetWorkspaceSize(integers.get(), half.get(), &size, &executor), kInvalid);
  EXPECT_EQ(executor, nullptr);
}

TEST_F(Executors, RefusesShapes) {
  const OpTensor four(ACL_FLOAT, {4});
  const OpTensor three(ACL_FLOAT, {3});
  const OpTensor row(ACL_FLOAT, {2, 4});
  const OpTensor nine(ACL_FLOAT, {1, 1, 1, 1, 1, 1, 1, 1, 4});
  EXPECT_EQ(plan_add(four, three, alpha, four), kInvalid);
  EXPECT_EQ(plan_add(four, row, alpha, four), kInvalid);
  EXPECT_EQ(plan_add(nine, nine, alpha, nine), kInvalid);
  EXPECT_EQ(aclnnInplaceAddGetWorkspaceSize(four.get(), row.get(), alpha.get(), &size, &executor), kInvalid);
  EXPECT_EQ(executor, nullptr);
}

TEST_F(Executors, RefusesMemoryThatOverlaps) {
  const OpTensor self(ACL_FLOAT, {16});
  const std::int64_t dims[] = {8};
  aclTensor* front = aclCreateTensor(dims, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, dims, 1, self.memory());
  aclTensor* middle = aclCreateTensor(dims, 1, ACL_FLOAT, nullptr, 4, ACL_FORMAT_ND, dims, 1, self.memory());
  const std::int64_t zero[] = {0};
  aclTensor* repeated = aclCreateTensor(dims, 1, ACL_FLOAT, zero, 0, ACL_FORMAT_ND, dims, 1, self.memory());
  EXPECT_EQ(aclnnMulGetWorkspaceSize(front, front, middle, &size, &executor), kInvalid);
  EXPECT_EQ(aclnnMulGetWorkspaceSize(front, front, repeated, &size, &executor), kInvalid);
  auto* const odd = static_cast<char*>(self.memory()) + 2;
  aclTensor* misaligned = aclCreateTensor(dims, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, dims, 1, odd);
  EXPECT_EQ(aclnnMulGetWorkspaceSize(misaligned, front, front, &size, &executor), kInvalid);
  EXPECT_EQ(executor, nullptr);
  for (const aclTensor* tensor : {front, middle, repeated, misaligned}) aclDestroyTensor(tensor);
}

TEST_F(Executors, T257_RefusesANullExecutor) { EXPECT_EQ(aclnnAdd(nullptr, 0, nullptr, stream()), kNullptr); }

TEST_F(Executors, AreUsedUpByTheSecondPhase) {
  const OpTensor t(ACL_FLOAT, {4});
  ASSERT_EQ(plan_add(t, t, alpha, t), 0);
  EXPECT_EQ(size, 0U);
  EXPECT_EQ(aclnnAdd(nullptr, 0, executor, stream()), 0);
  EXPECT_EQ(aclnnAdd(nullptr, 0, executor, stream()), kNullptr);
  ASSERT_EQ(plan_add(t, t, alpha, t), 0);
  EXPECT_EQ(aclnnAdd(nullptr, 16, executor, stream()), kNullptr);
  EXPECT_EQ(aclnnAdd(nullptr, 0, executor, stream()), kNullptr);
  EXPECT_EQ(aclrtSynchronizeStream(stream()), 0);
}

TEST_F(Executors, OutliveTheirTensors) {
  OpTensor self(ACL_FLOAT, {4});
  self.fill_random(42).upload();
  const OpTensor out(ACL_FLOAT, {4});
  const std::int64_t dims[] = {4};
  aclTensor* view = aclCreateTensor(dims, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, dims, 1, self.memory());
  ASSERT_EQ(aclnnMulGetWorkspaceSize(view, view, out.get(), &size, &executor), 0);
  EXPECT_EQ(aclDestroyTensor(view), 0);
  EXPECT_EQ(aclnnMul(nullptr, 0, executor, stream()), 0);
  EXPECT_EQ(aclrtSynchronizeStream(stream()), 0);
  const auto square = [&](std::int64_t i) {
    return round_real(self.before(i).real() * self.before(i).real(), ACL_FLOAT);
  };
  expect_elements(out, out.download(), square, true);
}

TEST_F(Executors, RefusesMemoryThatIsNotOnTheDevice) {
  const OpTensor out(ACL_FLOAT, {4});
  float host[4] = {};
  const std::int64_t dims[] = {4};
  aclTensor* wrong = aclCreateTensor(dims, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, dims, 1, host);
  ASSERT_EQ(aclnnMulGetWorkspaceSize(wrong, wrong, out.get(), &size, &executor), 0);
  EXPECT_EQ(aclnnMul(nullptr, 0, executor, stream()), 361001);
  EXPECT_EQ(aclnnMul(nullptr, 0, executor, stream()), kNullptr);
  aclDestroyTensor(wrong);
}

/// aclnnScatter copies `self` and scatters into the copy: two kernels, of which the second is refused.
class ScatterWithoutIndex : public Executors {
 protected:
  static constexpr int kRefused = 361001;

  ScatterWithoutIndex() {
    self.fill([](std::int64_t i) { return Real(i + 1); }).upload();
    out.fill([](std::int64_t) { return 77; }).upload();
    auto index = std::make_unique<OpTensor>(ACL_INT64, Shape{3});
    EXPECT_EQ(aclnnScatterGetWorkspaceSize(self.get(), 0, index->get(), self.get(), 0, out.get(), &size, &executor), 0)
        << aclGetRecentErrMsg();
    EXPECT_EQ(size, 0U);
  }
  void expect_untouched() {
    EXPECT_EQ(aclrtSynchronizeStream(stream()), 0) << aclGetRecentErrMsg();
    expect_elements(
        out, out.download(), [](std::int64_t) { return 77; }, true);
  }

  OpTensor self{ACL_FLOAT, {3}};
  OpTensor out{ACL_FLOAT, {3}};
};

TEST_F(ScatterWithoutIndex, DoesNothing) {
  EXPECT_EQ(aclnnScatter(nullptr, 0, executor, stream()), kRefused);
  expect_untouched();
}

TEST_F(ScatterWithoutIndex, IsNoTaskOfAModel) {
  aclmdlRI model = nullptr;
  ASSERT_EQ(aclmdlRICaptureBegin(stream(), ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL), 0);
  EXPECT_EQ(aclnnScatter(nullptr, 0, executor, stream()), kRefused);
  ASSERT_EQ(aclmdlRICaptureEnd(stream(), &model), 0) << aclGetRecentErrMsg();
  EXPECT_EQ(aclmdlRIExecuteAsync(model, stream()), 0);
  expect_untouched();
  EXPECT_EQ(aclmdlRIDestroy(model), 0);
}

TEST_F(Executors, T259_RepeatWithNewAddresses) {
  OpTensor first(ACL_FLOAT, {8});
  OpTensor second(ACL_FLOAT, {9}, {{1}, 0});
  OpTensor other(ACL_FLOAT, {8});
  first.fill_random(43).upload();
  second.fill_random(44).upload();
  other.fill_random(45).upload();
  const OpTensor out(ACL_FLOAT, {8});
  out.upload();
  ASSERT_EQ(plan_add(first, other, alpha, out), 0);
  ASSERT_EQ(aclSetAclOpExecutorRepeatable(executor), 0);
  const auto run_and_expect = [&](const OpTensor& self, std::int64_t shift) {
    EXPECT_EQ(aclnnAdd(nullptr, 0, executor, stream()), 0);
    EXPECT_EQ(aclrtSynchronizeStream(stream()), 0);
    const auto sum = [&](std::int64_t i) {
      return round_real(self.before(i + shift).real() + other.before(i).real(), ACL_FLOAT);
    };
    expect_elements(out, out.download(), sum, true);
  };
  run_and_expect(first, 0);
  EXPECT_EQ(aclSetInputTensorAddr(executor, 0, first.get(), second.memory()), 0);
  run_and_expect(second, 0);
  // An address that no vector fits: the kernel must be chosen again.
  EXPECT_EQ(aclSetTensorAddr(executor, 0, first.get(), static_cast<float*>(second.memory()) + 1), 0);
  run_and_expect(second, 1);
  EXPECT_EQ(aclSetTensorAddr(executor, 2, out.get(), out.memory()), 0);
  EXPECT_EQ(aclSetInputTensorAddr(executor, 2, first.get(), first.memory()), kInvalid);
  EXPECT_EQ(aclSetOutputTensorAddr(executor, 1, first.get(), first.memory()), kInvalid);
  EXPECT_EQ(aclSetOutputTensorAddr(executor, 0, nullptr, first.memory()), 561103);
  EXPECT_EQ(aclDestroyAclOpExecutor(executor), 0);
  EXPECT_EQ(aclDestroyAclOpExecutor(executor), 561103);
}

TEST_F(Executors, RefuseNewAddressesBetweenElements) {
  OpTensor first(ACL_FLOAT, {8});
  OpTensor other(ACL_FLOAT, {8});
  first.fill_random(46).upload();
  other.fill_random(47).upload();
  const OpTensor out(ACL_FLOAT, {8});
  out.upload();
  ASSERT_EQ(plan_add(first, other, alpha, out), 0);
  ASSERT_EQ(aclSetAclOpExecutorRepeatable(executor), 0);
  const aclTensor* member = other.get();
  aclTensorList* list = aclCreateTensorList(&member, 1);
  for (const int bytes : {1, 2, 3}) {
    auto* const odd = static_cast<char*>(other.memory()) + bytes;
    EXPECT_EQ(aclSetInputTensorAddr(executor, 0, first.get(), odd), kInvalid);
    EXPECT_NE(std::string(aclGetRecentErrMsg()).find("self starts at"), std::string::npos);
    EXPECT_EQ(aclSetOutputTensorAddr(executor, 0, out.get(), odd), kInvalid);
    EXPECT_EQ(aclSetTensorAddr(executor, 1, other.get(), odd), kInvalid);
    EXPECT_EQ(aclSetDynamicInputTensorAddr(executor, 0, 0, list, odd), kInvalid);
    EXPECT_EQ(aclSetDynamicOutputTensorAddr(executor, 0, 0, list, odd), kInvalid);
    EXPECT_EQ(aclSetDynamicTensorAddr(executor, 2, 0, list, odd), kInvalid);
  }
  // What was refused has changed nothing.
  EXPECT_EQ(aclnnAdd(nullptr, 0, executor, stream()), 0);
  EXPECT_EQ(aclrtSynchronizeStream(stream()), 0);
  const auto sum = [&](std::int64_t i) {
    return round_real(first.before(i).real() + other.before(i).real(), ACL_FLOAT);
  };
  expect_elements(out, out.download(), sum, true);
  EXPECT_EQ(aclDestroyAclOpExecutor(executor), 0);
  EXPECT_EQ(aclDestroyTensorList(list), 0);
}

TEST_F(Executors, WriteToTheOldOutputWhereItIsAParameterOfItsOwn) {
  OpTensor both(ACL_FLOAT, {8});
  OpTensor second(ACL_FLOAT, {8});
  const OpTensor other(ACL_FLOAT, {8});  // of no plan: the index says which operand it stands for
  both.fill_random(48).upload();
  second.fill_random(49).upload();
  ASSERT_EQ(plan_add(both, second, alpha, both), 0);
  ASSERT_EQ(aclSetAclOpExecutorRepeatable(executor), 0);
  ASSERT_EQ(aclSetInputTensorAddr(executor, 0, other.get(), second.memory()), 0);
  EXPECT_EQ(aclnnAdd(nullptr, 0, executor, stream()), 0);
  EXPECT_EQ(aclrtSynchronizeStream(stream()), 0);
  EXPECT_EQ(aclDestroyAclOpExecutor(executor), 0);
  expect_elements(
      both, both.download(), [&](std::int64_t i) { return 2 * second.before(i).real(); }, true);
  EXPECT_TRUE(second.only_elements_changed(second.download()));
  expect_elements(
      second, second.download(), [&](std::int64_t i) { return second.before(i); }, true);
}

TEST_F(Executors, T261_RefusesAnIndexPastTheList) {
  const OpTensor t(ACL_FLOAT, {4});
  ASSERT_EQ(plan_add(t, t, alpha, t), 0);
  const aclTensor* member = t.get();
  aclTensorList* list = aclCreateTensorList(&member, 1);
  EXPECT_EQ(aclSetDynamicTensorAddr(executor, 0, 1, list, t.memory()), kInvalid);
  EXPECT_EQ(aclSetDynamicTensorAddr(executor, 9, 0, list, t.memory()), kInvalid);
  EXPECT_EQ(aclSetDynamicInputTensorAddr(executor, 1, 0, list, t.memory()), 0);
  EXPECT_EQ(aclSetDynamicOutputTensorAddr(executor, 0, 0, nullptr, t.memory()), 561103);
  EXPECT_EQ(aclDestroyAclOpExecutor(executor), 0);
  // The list owns its member here; the fixture's tensor tolerates that its handle is gone.
  EXPECT_EQ(aclDestroyTensorList(list), 0);
}

TEST_F(Executors, TakeAWorkspaceAtAnyAddress) {
  OpTensor self(ACL_FLOAT, {16});
  OpTensor places(ACL_INT32, {5, 1});
  self.fill_random(61).upload();
  places.fill([](std::int64_t i) { return Real(3 * i); }).upload();
  const OpTensor out(ACL_FLOAT, {5});
  for (const std::int64_t start : {1, 2, 3, 16, 63}) {
    SCOPED_TRACE(start);
    out.upload();
    ASSERT_EQ(aclnnGatherNdGetWorkspaceSize(self.get(), places.get(), true, out.get(), &size, &executor), 0);
    ASSERT_GT(size, 0U) << "the test needs an operator that has a workspace";
    const auto bytes = static_cast<std::int64_t>(size);
    const OpTensor workspace(ACL_UINT8, {bytes}, {{1}, start, 64});
    workspace.upload();
    EXPECT_EQ(aclnnGatherNd(static_cast<char*>(workspace.memory()) + start, size, executor, stream()), 0);
    EXPECT_EQ(aclrtSynchronizeStream(stream()), 0);
    expect_elements(
        out, out.download(), [&](std::int64_t i) { return self.before(3 * i); }, true);
    EXPECT_TRUE(workspace.only_elements_changed(workspace.download())) << "bytes outside of the workspace were written";
  }
}

TEST_F(Executors, DoNothingForEmptyTensors) {
  const OpTensor self(ACL_FLOAT, {3, 0});
  const OpTensor other(ACL_FLOAT, {1});
  const OpTensor out(ACL_FLOAT, {3, 0});
  run([&](auto* n,
          auto** e) { return aclnnAddGetWorkspaceSize(self.get(), other.get(), alpha.get(), out.get(), n, e); },
      aclnnAdd, {&self, &other}, out);
}

/// Operators that read and write their first parameter, a matrix of 4 x 4.
class ExecutorsInPlace : public Executors {
 protected:
  using PlanOn = std::function<aclnnStatus(aclTensor*, uint64_t*, aclOpExecutor**)>;

  ExecutorsInPlace() {
    first.fill_random(50);
    second.fill_random(50);
  }

  /// On `first`, after `change` of the executor. What it leaves in `result`.
  std::vector<std::byte> run_on_first(const PlanOn& plan, Launch launch, const OpTensor& result,
                                      const std::function<void()>& change) {
    first.upload();
    second.upload();
    EXPECT_EQ(plan(first.get(), &size, &executor), 0) << aclGetRecentErrMsg();
    EXPECT_EQ(aclSetAclOpExecutorRepeatable(executor), 0);
    change();
    void* workspace = nullptr;
    if (size > 0) {
      EXPECT_EQ(aclrtMalloc(&workspace, size, ACL_MEM_MALLOC_NORMAL_ONLY), 0);
    }
    const aclnnStatus launched = launch(workspace, size, executor, stream());
    skip_if_lacking(launched);
    EXPECT_EQ(launched, 0);
    EXPECT_EQ(aclrtSynchronizeStream(stream()), 0);
    EXPECT_EQ(aclDestroyAclOpExecutor(executor), 0);
    aclrtFree(workspace);
    return result.download();
  }

  void expect_moves(const char* name, const PlanOn& plan, Launch launch) {
    SCOPED_TRACE(name);
    const auto expected = run_on_first(plan, launch, first, [] {});
    for (const auto set : {aclSetInputTensorAddr, aclSetOutputTensorAddr}) {
      const auto moved = run_on_first(plan, launch, second, [&] {
        EXPECT_EQ(set(executor, 0, second.get(), second.memory()), 0) << aclGetRecentErrMsg();
      });
      EXPECT_TRUE(moved == expected) << (set == aclSetInputTensorAddr ? "by the input" : "by the output");
      expect_elements(
          first, first.download(), [&](std::int64_t i) { return first.before(i); }, true);
    }
  }

  OpTensor first{ACL_FLOAT, {4, 4}};
  OpTensor second{ACL_FLOAT, {4, 4}};
};

TEST_F(ExecutorsInPlace, MoveWhatTheyUpdateAsAWhole) {
  OpTensor matrix(ACL_FLOAT, {4, 4});
  OpTensor row(ACL_FLOAT, {1, 4});
  OpTensor one(ACL_FLOAT, {1});
  OpTensor places(ACL_INT32, {1, 1});
  matrix.fill_random(51).upload();
  row.fill_random(52).upload();
  one.fill_random(53).upload();
  places.fill([](std::int64_t) { return 2; }).upload();
  expect_moves(
      "Mul", [&](auto* self, auto* n, auto** e) { return aclnnInplaceMulGetWorkspaceSize(self, matrix.get(), n, e); },
      aclnnInplaceMul);
  expect_moves(
      "FillTensor",
      [&](auto* self, auto* n, auto** e) { return aclnnInplaceFillTensorGetWorkspaceSize(self, one.get(), n, e); },
      aclnnInplaceFillTensor);
  expect_moves(
      "Tril", [&](auto* self, auto* n, auto** e) { return aclnnInplaceTrilGetWorkspaceSize(self, 0, n, e); },
      aclnnInplaceTril);
  expect_moves(
      "Scatter",
      [&](auto* self, auto* n, auto** e) {
        return aclnnInplaceScatterGetWorkspaceSize(self, 0, places.get(), row.get(), 1, n, e);
      },
      aclnnInplaceScatter);
  expect_moves(
      "Put",
      [&](auto* self, auto* n, auto** e) {
        return aclnnInplacePutGetWorkspaceSize(self, places.get(), one.get(), true, n, e);
      },
      aclnnInplacePut);
  expect_moves(
      "ScatterNdUpdate",
      [&](auto* self, auto* n, auto** e) {
        return aclnnScatterNdUpdateGetWorkspaceSize(self, places.get(), row.get(), n, e);
      },
      aclnnScatterNdUpdate);
  expect_moves(
      "Addmm",
      [&](auto* self, auto* n, auto** e) {
        return aclnnInplaceAddmmGetWorkspaceSize(self, matrix.get(), matrix.get(), alpha.get(), alpha.get(), 0, n, e);
      },
      aclnnInplaceAddmm);
}

}  // namespace
}  // namespace aclvk::test
