#include "aclnnop/aclnn_amp_update_scale.h"
#include "support/op_arguments.hpp"

namespace aclvk::test {
namespace {

const Real kInf = std::numeric_limits<Real>::infinity();
const Real kNan = std::numeric_limits<Real>::quiet_NaN();

struct Step {
  Real scale = 1024;
  Real steps = 0;
  Real found = 0;
  double growth = 2;
  double backoff = 0.5;
  std::int64_t interval = 4;
};

/// The scale and the number of steps that follow.
struct Next {
  Number scale;
  Number steps;
};

class LossScale : public OpTest {
 protected:
  static Next after(const Step& step, aclDataType type) {
    const Real scale = rounded(step.scale, type).real();
    if (step.found != 0) return {rounded(scale * Real(step.backoff), type), 0};
    if (step.steps + 1 != Real(step.interval)) return {scale, step.steps + 1};
    const Number larger = rounded(scale * Real(step.growth), type);
    return {std::isfinite(larger.real()) ? larger : Number(scale), 0};
  }

  static Plan plan_of(const Step& step, const OpTensor& scale, const OpTensor& steps, const OpTensor& found,
                      const OpTensor& scale_out, const OpTensor& steps_out) {
    return [&, step](auto* n, auto** e) {
      return aclnnAmpUpdateScaleGetWorkspaceSize(scale.get(), steps.get(), found.get(), step.growth, step.backoff,
                                                 step.interval, scale_out.get(), steps_out.get(), n, e);
    };
  }

  static void check(const Step& step, aclDataType type, aclDataType found_type, const Shape& shape = {1}) {
    SCOPED_TRACE("scale " + std::to_string(step.scale) + ", steps " + std::to_string(step.steps) + ", found " +
                 std::to_string(step.found) + ", dtype " + std::to_string(type));
    OpTensor scale(type, shape, {{}, 1, 2});
    OpTensor steps(ACL_INT32, shape, {{}, 3});
    OpTensor found(found_type, shape);
    scale.fill([&](std::int64_t) { return step.scale; });
    steps.fill([&](std::int64_t) { return step.steps; });
    found.fill([&](std::int64_t) { return step.found; });
    const OpTensor scale_out(type, shape, {{}, 2});
    const OpTensor steps_out(ACL_INT32, {});
    const Next next = after(step, type);
    const Plan plan = plan_of(step, scale, steps, found, scale_out, steps_out);
    const auto scale_bytes = run(plan, aclnnAmpUpdateScale, {&scale, &steps, &found, &steps_out}, scale_out);
    expect_elements(
        scale_out, scale_bytes, [&](std::int64_t) { return next.scale; }, true);
    const auto steps_bytes = run(plan, aclnnAmpUpdateScale, {&scale, &steps, &found, &scale_out}, steps_out);
    expect_elements(
        steps_out, steps_bytes, [&](std::int64_t) { return next.steps; }, true);
    // In place, where torch has them.
    const Plan in_place = plan_of(step, scale, steps, found, scale, steps);
    const auto same_scale = run(in_place, aclnnAmpUpdateScale, {&steps, &found}, scale);
    expect_elements(
        scale, same_scale, [&](std::int64_t) { return next.scale; }, true);
    const auto same_steps = run(in_place, aclnnAmpUpdateScale, {&scale, &found}, steps);
    expect_elements(
        steps, same_steps, [&](std::int64_t) { return next.steps; }, true);
  }
};

TEST_F(LossScale, GrowsAfterAnInterval) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (const Real steps : {0, 2, 3, 4}) check({1024, steps}, type, ACL_FLOAT);
  }
  check({65536, 1999, 0, 1.5, 0.5, 2000}, ACL_FLOAT, ACL_FLOAT, {});
  check({64, 0, 0, 2, 0.5, 1}, ACL_FLOAT, ACL_FLOAT, {1, 1});
}

TEST_F(LossScale, BacksOffWhereAGradientWasNotFinite) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (const Real found : {Real(1), Real(-0.5), kInf, kNan}) check({1024, 3, found, 2, 0.25}, type, type);
  }
  check({1024, 2, 1}, ACL_FLOAT, ACL_FLOAT16);
  check({1024, 2, 0}, ACL_FLOAT, ACL_BF16);
}

TEST_F(LossScale, StaysFinite) {
  check({0x1p127L, 3}, ACL_FLOAT, ACL_FLOAT);
  check({0x1p126L, 3}, ACL_FLOAT, ACL_FLOAT);
  check({32768, 3}, ACL_FLOAT16, ACL_FLOAT);
  check({16384, 3}, ACL_FLOAT16, ACL_FLOAT);
  check({0x1p127L, 3}, ACL_BF16, ACL_FLOAT);
}

TEST_F(LossScale, NeverGrowsWithAnIntervalThatNoStepReaches) {
  check({1024, 3, 0, 2, 0.5, 0}, ACL_FLOAT, ACL_FLOAT);
  check({1024, 3, 0, 2, 0.5, 4 + (std::int64_t{1} << 32)}, ACL_FLOAT, ACL_FLOAT);
}

TEST_F(LossScale, RefusesOthers) {
  const OpTensor scale(ACL_FLOAT, {1});
  const OpTensor steps(ACL_INT32, {1});
  const OpTensor found(ACL_FLOAT, {1});
  const OpTensor half(ACL_FLOAT16, {1});
  const OpTensor wide(ACL_INT64, {1});
  const OpTensor two(ACL_FLOAT, {2});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const OpTensor* a, const OpTensor* b, const OpTensor* c, const OpTensor* d, const OpTensor* e) {
    const auto of = [](const OpTensor* tensor) { return tensor ? tensor->get() : nullptr; };
    return aclnnAmpUpdateScaleGetWorkspaceSize(of(a), of(b), of(c), 2, 0.5, 3, of(d), of(e), &size, &executor);
  };
  EXPECT_EQ(plan(nullptr, &steps, &found, &scale, &steps), 161001);
  EXPECT_EQ(plan(&scale, nullptr, &found, &scale, &steps), 161001);
  EXPECT_EQ(plan(&scale, &steps, nullptr, &scale, &steps), 161001);
  EXPECT_EQ(plan(&scale, &steps, &found, nullptr, &steps), 161001);
  EXPECT_EQ(plan(&scale, &steps, &found, &scale, nullptr), 161001);
  EXPECT_EQ(plan(&scale, &steps, &found, &half, &steps), 161002);
  EXPECT_EQ(plan(&scale, &wide, &found, &scale, &steps), 161002);
  EXPECT_EQ(plan(&scale, &steps, &steps, &scale, &steps), 161002);
  EXPECT_EQ(plan(&scale, &steps, &found, &scale, &wide), 161002);
  EXPECT_EQ(plan(&two, &steps, &found, &two, &steps), 161002);
  EXPECT_EQ(plan(&scale, &steps, &found, &found, &steps), 161002) << "foundInf is read when the scale is written";
}

}  // namespace
}  // namespace aclvk::test
