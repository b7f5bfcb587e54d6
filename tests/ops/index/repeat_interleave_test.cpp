#include "aclnnop/aclnn_repeat_interleave.h"
#include "aclnnop/aclnn_repeat_interleave_grad.h"
#include "support/op_arguments.hpp"

namespace aclvk::test {
namespace {

constexpr aclDataType kTypes[] = {ACL_UINT8, ACL_INT8,    ACL_INT16, ACL_INT32, ACL_INT64,
                                  ACL_BOOL,  ACL_FLOAT16, ACL_BF16,  ACL_FLOAT};

class Repeats : public OpTest {
 protected:
  /// 0, 3, 1, 2, 0, 3, ...
  static std::int64_t times(std::int64_t i) { return i * 3 % 4; }
  static std::vector<std::int64_t> indices(std::int64_t count) {
    std::vector<std::int64_t> all;
    for (std::int64_t i = 0; i < count; ++i) all.insert(all.end(), static_cast<std::size_t>(times(i)), i);
    return all;
  }
  static void check(const Plan& plan, Launch launch, const std::vector<const OpTensor*>& inputs, const OpTensor& out,
                    const std::function<Number(Shape)>& expected) {
    SCOPED_TRACE("dtype " + std::to_string(inputs[0]->type()));
    const auto bytes = run(plan, launch, inputs, out);
    expect_elements(
        out, bytes, [&](std::int64_t i) { return expected(coordinates_of(i, out.shape())); }, true);
  }
};

class RepeatTypes : public Repeats, public testing::WithParamInterface<aclDataType> {};

TEST_P(RepeatTypes, AllTheSameNumberOfTimes) {
  for (const View& view : {View{}, View{{1, 6}, 2}}) {
    OpTensor self(GetParam(), {5, 7}, view);
    self.fill_random(1);
    const OpTensor flat(GetParam(), {105});
    check([&](auto* n,
              auto** e) { return aclnnRepeatInterleaveIntGetWorkspaceSize(self.get(), 3, 105, flat.get(), n, e); },
          aclnnRepeatInterleaveInt, {&self}, flat, [&](Shape at) { return self.before(at[0] / 3); });
    const OpTensor out(GetParam(), {10, 7});
    check(
        [&](auto* n, auto** e) {
          return aclnnRepeatInterleaveIntWithDimGetWorkspaceSize(self.get(), 2, -2, 10, out.get(), n, e);
        },
        aclnnRepeatInterleaveIntWithDim, {&self}, out, [&](Shape at) { return self.before(at[0] / 2 * 7 + at[1]); });
  }
}

TEST_P(RepeatTypes, EachAsOftenAsATensorSays) {
  for (const aclDataType type : {ACL_INT32, ACL_INT64}) {
    OpTensor self(GetParam(), {5, 7}, {{1, 6}, 2});
    self.fill_random(2);
    OpTensor each(type, {35});
    OpTensor columns(type, {7}, {{2}, 1});
    each.fill([](std::int64_t i) { return Real(times(i)); });
    columns.fill([](std::int64_t i) { return Real(times(i)); });
    const auto all = indices(35);
    const auto some = indices(7);
    const OpTensor flat(GetParam(), {static_cast<std::int64_t>(all.size())});
    check(
        [&](auto* n, auto** e) {
          return aclnnRepeatInterleaveGetWorkspaceSize(self.get(), each.get(), flat.count(), flat.get(), n, e);
        },
        aclnnRepeatInterleave, {&self, &each}, flat,
        [&](Shape at) { return self.before(all[static_cast<std::size_t>(at[0])]); });
    const OpTensor out(GetParam(), {5, static_cast<std::int64_t>(some.size())});
    check(
        [&](auto* n, auto** e) {
          return aclnnRepeatInterleaveWithDimGetWorkspaceSize(self.get(), columns.get(), 1, out.shape()[1], out.get(),
                                                              n, e);
        },
        aclnnRepeatInterleaveWithDim, {&self, &columns}, out,
        [&](Shape at) { return self.before(at[0] * 7 + some[static_cast<std::size_t>(at[1])]); });
  }
}

INSTANTIATE_TEST_SUITE_P(Types, RepeatTypes, testing::ValuesIn(kTypes), name_of_dtype);

TEST_F(Repeats, OneNumberForAll) {
  OpTensor self(ACL_FLOAT, {5, 3});
  OpTensor repeats(ACL_INT64, {1});
  self.fill_random(3);
  repeats.fill([](auto) { return Number(4); });
  const OpTensor out(ACL_FLOAT, {20, 3});
  check(
      [&](auto* n, auto** e) {
        return aclnnRepeatInterleaveWithDimGetWorkspaceSize(self.get(), repeats.get(), 0, 20, out.get(), n, e);
      },
      aclnnRepeatInterleaveWithDim, {&self, &repeats}, out,
      [&](Shape at) { return self.before(at[0] / 4 * 3 + at[1]); });
}

TEST_F(Repeats, ReturnTheIndices) {
  for (const aclDataType type : {ACL_INT32, ACL_INT64}) {
    OpTensor repeats(type, {1031});
    repeats.fill([](std::int64_t i) { return Real(times(i)); });
    const auto all = indices(1031);
    const OpTensor out(type, {static_cast<std::int64_t>(all.size())});
    check(
        [&](auto* n, auto** e) {
          return aclnnRepeatInterleaveTensorGetWorkspaceSize(repeats.get(), out.count(), out.get(), n, e);
        },
        aclnnRepeatInterleaveTensor, {&repeats}, out,
        [&](Shape at) { return Real(all[static_cast<std::size_t>(at[0])]); });
  }
}

TEST_F(Repeats, SumUpGradients) {
  for (const aclDataType type : {ACL_FLOAT16, ACL_BF16, ACL_FLOAT, ACL_INT32, ACL_INT64}) {
    const auto some = indices(6);
    const auto size = static_cast<std::int64_t>(some.size());
    OpTensor grad(type, {3, size, 2});
    OpTensor repeats(ACL_INT64, {6});
    grad.fill([](std::int64_t i) { return Real(i % 5 + 1); });
    repeats.fill([](std::int64_t i) { return Real(times(i)); });
    const OpTensor out(type, {3, 6, 2});
    check(
        [&](auto* n, auto** e) {
          return aclnnRepeatInterleaveGradGetWorkspaceSize(grad.get(), repeats.get(), 1, out.get(), n, e);
        },
        aclnnRepeatInterleaveGrad, {&grad, &repeats}, out,
        [&](Shape at) {
          Number sum = 0;
          for (std::int64_t i = 0; i < size; ++i) {
            if (some[static_cast<std::size_t>(i)] == at[1])
              sum += grad.before(element_at({at[0], i, at[2]}, grad.shape()));
          }
          return sum;
        });
  }
}

TEST_F(Repeats, RefuseWhatDoesNotFit) {
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const OpTensor self(ACL_FLOAT, {5});
  const OpTensor out(ACL_FLOAT, {10});
  const OpTensor repeats(ACL_INT64, {4});
  const OpTensor real(ACL_FLOAT, {5});
  const OpTensor wide(ACL_DOUBLE, {5});
  EXPECT_EQ(aclnnRepeatInterleaveIntGetWorkspaceSize(nullptr, 2, 10, out.get(), &size, &executor), 161001);
  EXPECT_EQ(aclnnRepeatInterleaveIntGetWorkspaceSize(self.get(), 2, 9, out.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnRepeatInterleaveIntGetWorkspaceSize(self.get(), -2, -10, out.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnRepeatInterleaveIntGetWorkspaceSize(wide.get(), 2, 10, wide.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnRepeatInterleaveGetWorkspaceSize(self.get(), nullptr, 10, out.get(), &size, &executor), 161001);
  EXPECT_EQ(aclnnRepeatInterleaveGetWorkspaceSize(self.get(), repeats.get(), 10, out.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnRepeatInterleaveGetWorkspaceSize(self.get(), real.get(), 10, out.get(), &size, &executor), 161002);
  EXPECT_EQ(executor, nullptr);
}

}  // namespace
}  // namespace aclvk::test
