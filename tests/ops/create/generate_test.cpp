#include "aclnnop/aclnn_arange.h"
#include "aclnnop/aclnn_linspace.h"
#include "aclnnop/aclnn_logspace.h"
#include "aclnnop/aclnn_range.h"
#include "support/op_arguments.hpp"

namespace aclvk::test {
namespace {

class Generated : public OpTest {
 protected:
  static void check_line(const Plan& plan, Launch launch, const OpTensor& out,
                         const std::function<Number(std::int64_t)>& expected, bool exact = false) {
    SCOPED_TRACE("dtype " + std::to_string(out.type()) + ", " + std::to_string(out.count()) + " elements");
    expect_elements(out, run(plan, launch, {}, out), expected, exact);
  }
};

struct Range {
  aclDataType scalar;
  aclDataType out;
  double start, end, step;
};

TEST_F(Generated, NumbersWithoutTheEnd) {
  for (const Range& c : {Range{ACL_INT64, ACL_INT64, 3, 40, 5}, Range{ACL_INT64, ACL_INT32, 10, -7, -3},
                         Range{ACL_FLOAT, ACL_FLOAT, 0.5, 9.75, 0.25}, Range{ACL_DOUBLE, ACL_DOUBLE, -1, 1, 0.125},
                         Range{ACL_FLOAT, ACL_FLOAT16, 0, 13, 1}, Range{ACL_FLOAT, ACL_BF16, -4, 4, 0.5},
                         Range{ACL_INT64, ACL_FLOAT, 0, 1031, 1}, Range{ACL_INT64, ACL_INT64, 5, 5, 1},
                         Range{ACL_INT64, ACL_INT64, (1LL << 40), (1LL << 40) + 7, 2}}) {
    const OpScalar start(c.scalar, c.start);
    const OpScalar end(c.scalar, c.end);
    const OpScalar step(c.scalar, c.step);
    const auto length = static_cast<std::int64_t>(std::ceil((c.end - c.start) / c.step));
    const OpTensor out(c.out, {length}, {{2}, 1});
    check_line(
        [&](auto* n, auto** e) {
          return aclnnArangeGetWorkspaceSize(start.get(), end.get(), step.get(), out.get(), n, e);
        },
        aclnnArange, out, [&](std::int64_t i) { return rounded(Real(c.start) + Real(i) * Real(c.step), c.out); }, true);
  }
}

TEST_F(Generated, NumbersInSeveralDims) {
  const OpScalar start(ACL_INT64, 3);
  const OpScalar end(ACL_INT64, 3 + 2 * 5 * 7);
  const OpScalar step(ACL_INT64, 2);
  for (const bool gaps : {false, true}) {
    const OpTensor out(ACL_FLOAT, gaps ? Shape{1, 7, 1, 5} : Shape{5, 7}, gaps ? View{{99, 11, 3, 2}, 1} : View{});
    check_line(
        [&](auto* n, auto** e) {
          return aclnnArangeGetWorkspaceSize(start.get(), end.get(), step.get(), out.get(), n, e);
        },
        aclnnArange, out, [](std::int64_t i) { return Number(static_cast<Real>(3 + 2 * i)); }, true);
  }
}

TEST_F(Generated, NumbersWithTheEnd) {
  for (const Range& c : {Range{ACL_INT64, ACL_INT64, 3, 43, 5}, Range{ACL_FLOAT, ACL_FLOAT, 0.5, 9.75, 0.25},
                         Range{ACL_FLOAT, ACL_FLOAT16, 4, -4, -0.5}, Range{ACL_INT64, ACL_INT32, 1, 1, 1}}) {
    const OpScalar start(c.scalar, c.start);
    const OpScalar end(c.scalar, c.end);
    const OpScalar step(c.scalar, c.step);
    const OpTensor out(c.out, {static_cast<std::int64_t>(std::floor((c.end - c.start) / c.step)) + 1});
    check_line(
        [&](auto* n, auto** e) {
          return aclnnRangeGetWorkspaceSize(start.get(), end.get(), step.get(), out.get(), n, e);
        },
        aclnnRange, out, [&](std::int64_t i) { return rounded(Real(c.start) + Real(i) * Real(c.step), c.out); }, true);
  }
}

TEST_F(Generated, EqualDistances) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE}) {
    for (const std::int64_t steps : {0, 1, 2, 7, 1031}) {
      const OpScalar start(ACL_FLOAT, -3);
      const OpScalar end(ACL_FLOAT, 11.5L);
      const OpTensor out(type, {steps});
      const Real step = steps > 1 ? 14.5L / Real(steps - 1) : 0;
      check_line(
          [&](auto* n, auto** e) {
            return aclnnLinspaceGetWorkspaceSize(start.get(), end.get(), steps, out.get(), n, e);
          },
          aclnnLinspace, out, [&](std::int64_t i) { return rounded(-3 + Real(i) * step, type); });
    }
  }
  for (const aclDataType type : {ACL_INT8, ACL_INT16, ACL_INT32, ACL_INT64, ACL_UINT8}) {
    const OpScalar start(ACL_INT64, 1);
    const OpScalar end(ACL_INT64, 100);
    const OpTensor out(type, {10});
    check_line(
        [&](auto* n, auto** e) { return aclnnLinspaceGetWorkspaceSize(start.get(), end.get(), 10, out.get(), n, e); },
        aclnnLinspace, out, [&](std::int64_t i) { return Real(1 + 11 * i); }, true);
  }
}

TEST_F(Generated, Powers) {
  struct Case {
    double start, end, base;
    std::int64_t steps;
  };
  for (const Case& c : {Case{0, 5, 10, 11}, Case{-30, 30, 2, 61}, Case{-2, 2, 0.5, 9}, Case{-3, 3, -2, 7},
                        Case{1, 3, 0, 3}, Case{0, 2, 0, 3}, Case{3, 3, 7, 1}, Case{-20, 20, 2.718281828459045, 83}}) {
    for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
      const OpScalar start(ACL_FLOAT, c.start);
      const OpScalar end(ACL_FLOAT, c.end);
      const OpTensor out(type, {c.steps});
      const Real step = c.steps > 1 ? (Real(c.end) - Real(c.start)) / Real(c.steps - 1) : 0;
      check_line(
          [&](auto* n, auto** e) {
            return aclnnLogSpaceGetWorkspaceSize(start.get(), end.get(), c.steps, c.base, out.get(), n, e);
          },
          aclnnLogSpace, out,
          [&](std::int64_t i) { return rounded(std::pow(Real(c.base), Real(c.start) + Real(i) * step), type); });
    }
  }
}

TEST_F(Generated, RefuseWhatLeadsNowhere) {
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const OpTensor out(ACL_FLOAT, {4});
  const OpTensor bytes(ACL_INT8, {4});
  const OpTensor six(ACL_FLOAT, {2, 3});
  const OpScalar zero(ACL_FLOAT, 0);
  const OpScalar one(ACL_FLOAT, 1);
  const OpScalar four(ACL_FLOAT, 4);
  EXPECT_EQ(aclnnArangeGetWorkspaceSize(nullptr, four.get(), one.get(), out.get(), &size, &executor), 161001);
  EXPECT_EQ(aclnnArangeGetWorkspaceSize(zero.get(), four.get(), one.get(), nullptr, &size, &executor), 161001);
  EXPECT_EQ(aclnnArangeGetWorkspaceSize(zero.get(), four.get(), one.get(), bytes.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnArangeGetWorkspaceSize(zero.get(), four.get(), zero.get(), out.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnArangeGetWorkspaceSize(four.get(), zero.get(), one.get(), out.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnArangeGetWorkspaceSize(one.get(), four.get(), one.get(), out.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnArangeGetWorkspaceSize(zero.get(), four.get(), one.get(), six.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnLinspaceGetWorkspaceSize(zero.get(), four.get(), -1, out.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnLinspaceGetWorkspaceSize(zero.get(), four.get(), 5, out.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnLogSpaceGetWorkspaceSize(zero.get(), nullptr, 4, 2, out.get(), &size, &executor), 161001);
  EXPECT_EQ(aclnnLogSpaceGetWorkspaceSize(zero.get(), four.get(), 4, 2, bytes.get(), &size, &executor), 161002);
  EXPECT_EQ(executor, nullptr);
}

}  // namespace
}  // namespace aclvk::test
