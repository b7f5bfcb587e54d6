#include <cmath>
#include <string>
#include <vector>

#include "aclnnop/aclnn_abs.h"
#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_cast.h"
#include "aclnnop/aclnn_copy.h"
#include "aclnnop/aclnn_embedding.h"
#include "aclnnop/aclnn_foreach_mul_list.h"
#include "aclnnop/aclnn_gemm.h"
#include "aclnnop/aclnn_inplace_add_rms_norm.h"
#include "aclnnop/aclnn_rms_norm.h"
#include "aclnnop/aclnn_topk.h"
#include "aclnnop/aclnn_uniform.h"
#include "support/op_arguments.hpp"

// Addresses that come after the plan (docs/adr/0026). That each operator takes them is a part of OpTest::run.

namespace aclvk::test {
namespace {

constexpr aclnnStatus kInvalid = 161002;
constexpr aclnnStatus kLaunchRefused = 361001;
constexpr aclnnStatus kInnerNullptr = 561103;

using Floats = std::vector<float>;

/// Memory of the device that holds values of the host.
template <typename T>
class Held {
 public:
  explicit Held(const std::vector<T>& values) : count_(values.size()) {
    EXPECT_EQ(aclrtMalloc(&memory_, bytes(), ACL_MEM_MALLOC_NORMAL_ONLY), 0);
    EXPECT_EQ(aclrtMemcpy(memory_, bytes(), values.data(), bytes(), ACL_MEMCPY_HOST_TO_DEVICE), 0);
  }
  ~Held() { aclrtFree(memory_); }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;

  T* at(std::size_t element = 0) const { return static_cast<T*>(memory_) + element; }
  std::vector<T> values() const {
    std::vector<T> values(count_);
    EXPECT_EQ(aclrtMemcpy(values.data(), bytes(), memory_, bytes(), ACL_MEMCPY_DEVICE_TO_HOST), 0);
    return values;
  }

 private:
  std::size_t bytes() const { return count_ * sizeof(T); }

  std::size_t count_;
  void* memory_ = nullptr;
};

/// A descriptor, of no memory unless it is given.
class Described {
 public:
  explicit Described(const Shape& shape, aclDataType type = ACL_FLOAT, void* memory = nullptr)
      : Described(shape, OpTensor::row_major(shape), type, memory) {}
  Described(const Shape& shape, const Shape& strides, aclDataType type = ACL_FLOAT, void* memory = nullptr) {
    const std::int64_t storage = 1 << 20;  // of no meaning for a view
    handle_ = aclCreateTensor(shape.data(), shape.size(), type, strides.data(), 0, ACL_FORMAT_ND, &storage, 1, memory);
  }
  ~Described() { aclDestroyTensor(handle_); }
  Described(const Described&) = delete;
  Described& operator=(const Described&) = delete;

  aclTensor* get() const { return handle_; }
  void* address() const {
    void* address = nullptr;
    EXPECT_EQ(aclGetRawTensorAddr(handle_, &address), 0);
    return address;
  }

 private:
  aclTensor* handle_;
};

class Addresses : public OpTest {
 protected:
  ~Addresses() override {
    if (executor) aclDestroyAclOpExecutor(executor);
    if (workspace) aclrtFree(workspace);
  }

  void plan(const Plan& plan) {
    ASSERT_EQ(plan(&size, &executor), 0) << aclGetRecentErrMsg();
    ASSERT_EQ(aclSetAclOpExecutorRepeatable(executor), 0);
    if (workspace) aclrtFree(workspace);
    workspace = nullptr;
    if (size > 0) {
      ASSERT_EQ(aclrtMalloc(&workspace, size, ACL_MEM_MALLOC_NORMAL_ONLY), 0);
    }
  }
  void set(std::size_t index, const Described& tensor, void* address) {
    EXPECT_EQ(aclSetTensorAddr(executor, index, tensor.get(), address), 0) << aclGetRecentErrMsg();
  }
  void launch(Launch second_phase) {
    ASSERT_EQ(second_phase(workspace, size, executor, stream()), 0) << aclGetRecentErrMsg();
    EXPECT_EQ(aclrtSynchronizeStream(stream()), 0);
  }
  void done() {
    EXPECT_EQ(aclDestroyAclOpExecutor(executor), 0);
    executor = nullptr;
  }

  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  void* workspace = nullptr;
};

Floats counted(std::size_t count, float first = 1) {
  Floats values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = first + static_cast<float>(i);
  return values;
}

// ---- plans without memory ----

TEST_F(Addresses, OfMatricesComeForEachOfABatch) {
  const Held<float> a(counted(12)), b(counted(24, -7)), c(Floats(16, 2));
  const Described ta({2, 3}), tb({3, 4}), both({2, 4});
  plan([&](auto* n, auto** e) {
    return aclnnGemmGetWorkspaceSize(ta.get(), tb.get(), both.get(), 1, 1, 0, 0, both.get(), 1, n, e);
  });
  for (std::size_t k = 0; k < 2; ++k) {
    set(0, ta, a.at(6 * k));
    set(1, tb, b.at(12 * k));
    set(2, both, c.at(8 * k));
    set(3, both, c.at(8 * k));
    launch(aclnnGemm);
  }
  Floats expected;
  for (std::size_t i = 0; i < 16; ++i) {
    expected.push_back(2);
    for (std::size_t j = 0; j < 3; ++j) {
      expected.back() += counted(12)[i / 8 * 6 + i % 8 / 4 * 3 + j] * counted(24, -7)[i / 8 * 12 + j * 4 + i % 4];
    }
  }
  EXPECT_EQ(c.values(), expected);
}

TEST_F(Addresses, OfRowsComeOneAfterTheOther) {
  const Floats x = counted(12);
  const Floats weights = {2, -1, 0.5F, 3};
  const Held<float> input(x), gamma(weights), out(Floats(12)), statistic(Floats(1));
  const Described tx({4}), tg({4}), ty({4}), ts({1});
  plan([&](auto* n, auto** e) {
    return aclnnRmsNormGetWorkspaceSize(tx.get(), tg.get(), 1e-6, ty.get(), ts.get(), n, e);
  });
  set(1, tg, gamma.at());
  set(3, ts, statistic.at());
  for (std::size_t row = 0; row < 3; ++row) {
    set(0, tx, input.at(4 * row));
    set(2, ty, out.at(4 * row));
    launch(aclnnRmsNorm);
  }
  const Floats got = out.values();
  for (std::size_t i = 0; i < 12; ++i) {
    double sum = 4e-6;
    for (std::size_t j = 0; j < 4; ++j) sum += double(x[i / 4 * 4 + j]) * x[i / 4 * 4 + j];
    EXPECT_NEAR(got[i], x[i] / std::sqrt(sum / 4) * weights[i % 4], 1e-4) << i;
  }
}

TEST_F(Addresses, OfSeveralResultsComeLater) {
  const Held<float> x({3, 9, -2, 7, 5}), values(Floats(2));
  const Held<std::int64_t> places(std::vector<std::int64_t>(2));
  const Described tx({5}), tv({2}), tp({2}, ACL_INT64);
  plan([&](auto* n, auto** e) {
    return aclnnTopkGetWorkspaceSize(tx.get(), 2, 0, true, true, tv.get(), tp.get(), n, e);
  });
  set(0, tx, x.at());
  set(1, tv, values.at());
  set(2, tp, places.at());
  launch(aclnnTopk);
  EXPECT_EQ(values.values(), (Floats{9, 7}));
  EXPECT_EQ(places.values(), (std::vector<std::int64_t>{1, 3}));
}

TEST_F(Addresses, OfTablesAndPlacesComeLater) {
  const Held<float> table(counted(24)), out(Floats(12));
  const Held<std::int64_t> places({5, 0, 5});
  const Described tt({6, 4}), tp({3}, ACL_INT64), to({3, 4});
  plan([&](auto* n, auto** e) { return aclnnEmbeddingGetWorkspaceSize(tt.get(), tp.get(), to.get(), n, e); });
  set(0, tt, table.at());
  set(1, tp, places.at());
  set(2, to, out.at());
  launch(aclnnEmbedding);
  EXPECT_EQ(out.values(), (Floats{21, 22, 23, 24, 1, 2, 3, 4, 21, 22, 23, 24}));
}

TEST_F(Addresses, OfAPlanThatIsUsedOnceComeLaterToo) {
  const Held<float> x({1, 2, 3}), out(Floats(3));
  const Described from({3}), to({3});
  uint64_t bytes = 0;
  aclOpExecutor* once = nullptr;
  ASSERT_EQ(aclnnAbsGetWorkspaceSize(from.get(), to.get(), &bytes, &once), 0);
  EXPECT_EQ(aclSetInputTensorAddr(once, 0, from.get(), x.at()), 0);
  EXPECT_EQ(aclSetRawTensorAddr(to.get(), out.at()), 0);
  ASSERT_EQ(aclnnAbs(nullptr, bytes, once, stream()), 0) << aclGetRecentErrMsg();
  EXPECT_EQ(aclrtSynchronizeStream(stream()), 0);
  EXPECT_EQ(out.values(), (Floats{1, 2, 3}));
}

TEST_F(Addresses, ThatAreMissingAreReported) {
  const Held<float> x({1, 2, 3});
  const Described from({3}, ACL_FLOAT, x.at()), to({3});
  plan([&](auto* n, auto** e) { return aclnnAbsGetWorkspaceSize(from.get(), to.get(), n, e); });
  EXPECT_EQ(aclnnAbs(nullptr, size, executor, stream()), kLaunchRefused);
  EXPECT_NE(std::string(aclGetRecentErrMsg()).find("out of aclnnAbs has the address NULL"), std::string::npos);
  // One that is taken away again is missing, too.
  const Held<float> out(Floats(3));
  set(1, to, out.at());
  launch(aclnnAbs);
  set(0, from, nullptr);
  EXPECT_EQ(aclnnAbs(nullptr, size, executor, stream()), kLaunchRefused);
  EXPECT_NE(std::string(aclGetRecentErrMsg()).find("self of aclnnAbs"), std::string::npos);
}

TEST_F(Addresses, OfEmptyTensorsNeverCome) {
  const Described from({0, 3}), to({0, 3});
  plan([&](auto* n, auto** e) { return aclnnAbsGetWorkspaceSize(from.get(), to.get(), n, e); });
  launch(aclnnAbs);
}

TEST_F(Addresses, AreLookedAtWhenThePlanIsLaunched) {
  const Held<float> x(counted(8));
  const Described from({4}), to({4});
  plan([&](auto* n, auto** e) { return aclnnInplaceCopyGetWorkspaceSize(to.get(), from.get(), n, e); });
  const auto refused = [&](const char* sentence) {
    EXPECT_EQ(aclnnInplaceCopy(nullptr, size, executor, stream()), kInvalid);
    EXPECT_NE(std::string(aclGetRecentErrMsg()).find(sentence), std::string::npos);
  };
  EXPECT_EQ(aclSetRawTensorAddr(to.get(), x.at()), 0);
  EXPECT_EQ(aclSetRawTensorAddr(from.get(), x.at(1)), 0);
  refused("partly overlaps");
  EXPECT_EQ(aclSetRawTensorAddr(from.get(), reinterpret_cast<char*>(x.at(4)) + 1), 0);
  refused("starts at");
  EXPECT_EQ(aclSetRawTensorAddr(from.get(), x.at(4)), 0);
  launch(aclnnInplaceCopy);
  EXPECT_EQ(x.values(), (Floats{5, 6, 7, 8, 5, 6, 7, 8}));
}

// ---- without an executor ----

TEST_F(Addresses, WithoutAnExecutorAreTheTensorsOwn) {
  const Held<float> source(counted(6)), first(Floats(6)), second(Floats(6)), old(Floats(16));
  const Described to({2, 3}, ACL_FLOAT, old.at()), from({2, 3}, {1, 2}, ACL_FLOAT, old.at(8));
  ASSERT_EQ(aclnnInplaceCopyGetWorkspaceSize(to.get(), from.get(), &size, &executor), 0);
  done();  // a plan that never ran
  for (const Held<float>* target : {&first, &second}) {
    EXPECT_EQ(AclSetTensorAddr(nullptr, 0, to.get(), target->at()), kInnerNullptr);
    EXPECT_EQ(AclSetTensorAddr(nullptr, 1, from.get(), source.at()), kInnerNullptr);
    EXPECT_EQ(to.address(), target->at());
    plan([&](auto* n, auto** e) { return aclnnInplaceCopyGetWorkspaceSize(to.get(), from.get(), n, e); });
    launch(aclnnInplaceCopy);
    done();
    EXPECT_EQ(target->values(), (Floats{1, 3, 5, 2, 4, 6}));
  }
  EXPECT_EQ(old.values(), Floats(16));
}

TEST_F(Addresses, OfMembersWithoutAnExecutorAreTheirOwn) {
  const Held<float> memory(Floats(4));
  const std::int64_t dim = 4;
  aclTensor* member = aclCreateTensor(&dim, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, &dim, 1, nullptr);
  aclTensorList* list = aclCreateTensorList(&member, 1);
  EXPECT_EQ(aclSetDynamicTensorAddr(nullptr, 0, 0, list, memory.at()), kInnerNullptr);
  void* address = nullptr;
  EXPECT_EQ(aclGetRawTensorAddr(member, &address), 0);
  EXPECT_EQ(address, memory.at());
  EXPECT_EQ(aclDestroyTensorList(list), 0);
}

/// Descriptors without memory, a plan that is thrown away, then the addresses, the plan and the run.
TEST_F(Addresses, OfRearrangementsAreTheTensorsOwn) {
  struct Case {
    aclDataType type;
    Shape shape, to, from;
  };
  const Case cases[] = {{ACL_FLOAT, {2, 3}, {3, 1}, {1, 2}},
                        {ACL_FLOAT, {4}, {2}, {1}},
                        {ACL_INT32, {3, 2, 2}, {4, 1, 2}, {4, 2, 1}},
                        {ACL_FLOAT, {5}, {1}, {1}}};
  for (const Case& c : cases) {
    const auto count = static_cast<std::size_t>(count_of(c.shape));
    const Floats values = counted(2 * count);
    Floats expected(2 * count, -1);
    for (std::size_t i = 0; i < count; ++i) {
      const Shape at = coordinates_of(static_cast<std::int64_t>(i), c.shape);
      std::int64_t from = 0, to = 0;
      for (std::size_t d = 0; d < at.size(); ++d) from += at[d] * c.from[d], to += at[d] * c.to[d];
      expected[static_cast<std::size_t>(to)] = values[static_cast<std::size_t>(from)];
    }
    const Held<float> source(values), target(Floats(2 * count, -1));
    const Described to(c.shape, c.to, c.type), from(c.shape, c.from, c.type);
    ASSERT_EQ(aclnnInplaceCopyGetWorkspaceSize(to.get(), from.get(), &size, &executor), 0) << aclGetRecentErrMsg();
    done();
    EXPECT_EQ(AclSetTensorAddr(nullptr, 0, to.get(), target.at()), kInnerNullptr);
    EXPECT_EQ(AclSetTensorAddr(nullptr, 1, from.get(), source.at()), kInnerNullptr);
    plan([&](auto* n, auto** e) { return aclnnInplaceCopyGetWorkspaceSize(to.get(), from.get(), n, e); });
    launch(aclnnInplaceCopy);
    done();
    EXPECT_EQ(target.values(), expected);
  }
}

// ---- which operand moves ----

TEST_F(Addresses, OfACopyCountTheTargetFirst) {
  const Held<float> source(counted(8)), target(Floats(8)), other(Floats(8)), other_target(Floats(8));
  const Described to({4}, ACL_FLOAT, other_target.at()), from({4}, {2}, ACL_FLOAT, other.at());
  const Described a({4}), b({4}, Shape{2});  // of no plan: the index says what they stand for
  for (const bool of_plan : {true, false}) {
    ASSERT_EQ(aclrtMemset(target.at(), 32, 0, 32), 0);
    plan([&](auto* n, auto** e) { return aclnnInplaceCopyGetWorkspaceSize(to.get(), from.get(), n, e); });
    for (std::size_t k = 0; k < 2; ++k) {
      set(0, of_plan ? to : a, target.at(4 * k));
      set(1, of_plan ? from : b, source.at(k));
      launch(aclnnInplaceCopy);
    }
    done();
    EXPECT_EQ(target.values(), (Floats{1, 3, 5, 7, 2, 4, 6, 8}));
    EXPECT_EQ(source.values(), counted(8));
  }
}

TEST_F(Addresses, GoByTheTensorWhateverTheIndex) {
  const Held<float> x({1, 2}), y({10, 20}), out(Floats(2)), old(Floats(6));
  const Described tx({2}, ACL_FLOAT, old.at()), ty({2}, ACL_FLOAT, old.at(2)), to({2}, ACL_FLOAT, old.at(4));
  const OpScalar one(ACL_FLOAT, 1);
  plan([&](auto* n, auto** e) { return aclnnAddGetWorkspaceSize(tx.get(), ty.get(), one.get(), to.get(), n, e); });
  set(2, tx, x.at());
  set(0, ty, y.at());
  set(1, to, out.at());
  launch(aclnnAdd);
  EXPECT_EQ(out.values(), (Floats{11, 22}));
  EXPECT_EQ(old.values(), Floats(6));
  EXPECT_EQ(tx.address(), x.at());
  EXPECT_EQ(aclSetTensorAddr(executor, 3, tx.get(), x.at()), kInvalid);
  EXPECT_EQ(aclSetInputTensorAddr(executor, 2, tx.get(), x.at()), kInvalid);
  EXPECT_EQ(aclSetOutputTensorAddr(executor, 1, to.get(), x.at()), kInvalid);
}

TEST_F(Addresses, OfWhatIsUpdatedInPlaceCountInTheOrderOfTheSignature) {
  const Floats rows = counted(8);
  const Held<float> x1(rows), x2(Floats(8, 1)), gamma(Floats(4, 1)), statistic(Floats(2)), old(Floats(64));
  const Described t1({2, 4}, ACL_FLOAT, old.at()), t2({2, 4}, ACL_FLOAT, old.at(8)), tg({4}, ACL_FLOAT, old.at(16)),
      ts({2, 1}, ACL_FLOAT, old.at(24));
  const Described a({2, 4}), b({2, 4}), c({4}), d({2, 1});
  plan([&](auto* n, auto** e) {
    return aclnnInplaceAddRmsNormGetWorkspaceSize(t1.get(), t2.get(), tg.get(), 1e-6, ts.get(), n, e);
  });
  set(0, a, x1.at());
  set(1, b, x2.at());
  set(2, c, gamma.at());
  set(3, d, statistic.at());
  launch(aclnnInplaceAddRmsNorm);
  EXPECT_EQ(old.values(), Floats(64));
  Floats sums = rows;
  for (float& sum : sums) sum += 1;
  EXPECT_EQ(x2.values(), sums);
  const Floats normed = x1.values();
  for (std::size_t i = 0; i < 8; ++i) {
    double squares = 4e-6;
    for (std::size_t j = 0; j < 4; ++j) squares += double(sums[i / 4 * 4 + j]) * sums[i / 4 * 4 + j];
    EXPECT_NEAR(normed[i], sums[i] / std::sqrt(squares / 4), 1e-4) << i;
    EXPECT_NEAR(statistic.values()[i / 4], 1 / std::sqrt(squares / 4), 1e-4);
  }
}

TEST_F(Addresses, OfRandomNumbersCountTheirTensorFirst) {
  const Held<float> numbers(Floats(64)), again(Floats(64));
  const Held<std::int64_t> seed({7}), offset({4}), zero({0});
  const Described self({64}), ts({1}, ACL_INT64), to({1}, ACL_INT64);
  const Described a({64}), b({1}, ACL_INT64), c({1}, ACL_INT64);
  plan([&](auto* n, auto** e) {
    return aclnnInplaceUniformTensorGetWorkspaceSize(self.get(), 0, 1, ts.get(), to.get(), 0, n, e);
  });
  set(0, self, numbers.at());
  set(1, ts, seed.at());
  set(2, to, offset.at());
  launch(aclnnInplaceUniformTensor);
  set(0, a, again.at());
  set(1, b, seed.at());
  set(2, c, offset.at());
  launch(aclnnInplaceUniformTensor);
  EXPECT_EQ(numbers.values(), again.values());
  EXPECT_NE(numbers.values(), Floats(64));
  set(2, c, zero.at());
  launch(aclnnInplaceUniformTensor);
  EXPECT_NE(numbers.values(), again.values());
  EXPECT_EQ(seed.values(), (std::vector<std::int64_t>{7}));
}

TEST_F(Addresses, OfMembersGoByTheMember) {
  const OpTensor x(ACL_FLOAT, {4}), y(ACL_FLOAT, {4}), out(ACL_FLOAT, {4});
  const Held<float> first({1, 2, 3, 4}), second({2, 2, 3, 3}), result(Floats(4));
  const OpList xs({&x}), ys({&y}), outs({&out});
  plan([&](auto* n, auto** e) { return aclnnForeachMulListGetWorkspaceSize(xs.get(), ys.get(), outs.get(), n, e); });
  EXPECT_EQ(aclSetDynamicTensorAddr(executor, 2, 0, xs.get(), first.at()), 0) << aclGetRecentErrMsg();
  EXPECT_EQ(aclSetDynamicTensorAddr(executor, 0, 0, ys.get(), second.at()), 0);
  EXPECT_EQ(aclSetDynamicOutputTensorAddr(executor, 0, 0, outs.get(), result.at()), 0);
  launch(aclnnForeachMulList);
  EXPECT_EQ(result.values(), (Floats{2, 4, 9, 12}));
}

// ---- checks of a plan that runs again ----

TEST_F(Addresses, OfARepeatedPlanAreWhatItsTensorsHold) {
  const Held<float> x({-1, 2}), y({-3, -4}), out(Floats(2)), fixed(Floats(2));
  const Described from({2}, ACL_FLOAT, x.at()), to({2}, ACL_FLOAT, out.at()), scratch({2});
  plan([&](auto* n, auto** e) { return aclnnAbsGetWorkspaceSize(from.get(), to.get(), n, e); });
  launch(aclnnAbs);
  EXPECT_EQ(out.values(), (Floats{1, 2}));
  EXPECT_EQ(aclSetRawTensorAddr(from.get(), y.at()), 0);
  launch(aclnnAbs);
  EXPECT_EQ(out.values(), (Floats{3, 4}));
  // A tensor of no plan does not move those of the plan, and may stand for several.
  set(0, scratch, x.at());
  set(1, scratch, fixed.at());
  launch(aclnnAbs);
  EXPECT_EQ(fixed.values(), (Floats{1, 2}));
  EXPECT_EQ(out.values(), (Floats{3, 4}));
  EXPECT_EQ(from.address(), y.at());
  EXPECT_EQ(scratch.address(), fixed.at());
}

TEST_F(Addresses, OfATensorThatIsDescribedAnewAreOfNoPlan) {
  const Held<float> x({-1, 2}), y({-3, -4}), out(Floats(2));
  const Described from({2}, ACL_FLOAT, x.at()), to({2}, ACL_FLOAT, out.at());
  plan([&](auto* n, auto** e) { return aclnnAbsGetWorkspaceSize(from.get(), to.get(), n, e); });
  const std::int64_t dim = 2;
  ASSERT_EQ(aclInitTensor(from.get(), &dim, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, &dim, 1, y.at()), 0);
  EXPECT_EQ(aclSetRawTensorAddr(from.get(), y.at()), 0);
  launch(aclnnAbs);
  EXPECT_EQ(out.values(), (Floats{1, 2}));
}

// ---- groups of tasks ----

TEST_F(Addresses, OfTaskGroupsAndTheirUpdatesComeLater) {
  const Held<float> x({-1, 2}), y({-3, -4}), out(Floats(2));
  const Described from({2}), to({2});
  plan([&](auto* n, auto** e) { return aclnnAbsGetWorkspaceSize(from.get(), to.get(), n, e); });
  set(0, from, x.at());
  set(1, to, out.at());
  aclmdlRI model = nullptr;
  aclrtTaskGrp group = nullptr;
  ASSERT_EQ(aclmdlRICaptureBegin(stream(), ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL), 0);
  ASSERT_EQ(aclmdlRICaptureTaskGrpBegin(stream()), 0);
  ASSERT_EQ(aclnnAbs(nullptr, size, executor, stream()), 0) << aclGetRecentErrMsg();
  ASSERT_EQ(aclmdlRICaptureTaskGrpEnd(stream(), &group), 0);
  ASSERT_EQ(aclmdlRICaptureEnd(stream(), &model), 0);
  const auto result = [&] {
    EXPECT_EQ(aclmdlRIExecuteAsync(model, stream()), 0);
    EXPECT_EQ(aclrtSynchronizeStream(stream()), 0);
    return out.values();
  };
  EXPECT_EQ(result(), (Floats{1, 2}));
  set(0, from, y.at());
  EXPECT_EQ(result(), (Floats{1, 2})) << "what was captured has its addresses";
  ASSERT_EQ(aclmdlRICaptureTaskUpdateBegin(stream(), group), 0);
  ASSERT_EQ(aclnnAbs(nullptr, size, executor, stream()), 0) << aclGetRecentErrMsg();
  ASSERT_EQ(aclmdlRICaptureTaskUpdateEnd(stream()), 0) << aclGetRecentErrMsg();
  EXPECT_EQ(result(), (Floats{3, 4}));
  EXPECT_EQ(aclmdlRIDestroy(model), 0);
}

}  // namespace
}  // namespace aclvk::test
