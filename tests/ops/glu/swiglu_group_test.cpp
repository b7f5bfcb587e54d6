#include "aclnnop/aclnn_swiglu_group.h"
#include "aclnnop/aclnn_swiglu_group_grad.h"
#include "aclnnop/aclnn_swiglu_group_quant_grad.h"
#include "ops/glu/glu_reference.hpp"

namespace aclvk::test {
namespace {

constexpr aclDataType kFloats[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};

/// Rows with weights, of which the first few count.
struct GroupCase {
  bool weighted;
  std::int64_t rows;  ///< that count; -1 without groups
  double limit;
};
const std::vector<GroupCase> kCases = {{false, -1, 0}, {false, -1, 2}, {true, -1, 0}, {false, 3, 2}, {true, 4, 2}};

class SwigluGroup : public OpTest {
 protected:
  SwigluGroup() {
    groups_.fill([this](std::int64_t i) -> Number { return Real(i == 1 ? rows_ : 0); });
  }

  void use(const GroupCase& one, aclDataType type) {
    rows_ = std::max<std::int64_t>(one.rows, 0);
    groups_.fill([this](std::int64_t i) -> Number { return Real(i == 1 ? rows_ : 0); });
    weights_.fill_random(5);
    x_ = std::make_unique<OpTensor>(type, parts_.shape);
    x_->fill_random(81);
    meaning_ = clipped_meaning(1, one.limit > 0 ? one.limit : Real{1e9L}, 0);
  }
  Real weight(const GroupCase& one, std::int64_t row) const { return one.weighted ? weights_.before(row).real() : 1; }
  static bool counts(const GroupCase& one, std::int64_t row) { return one.rows < 0 || row < one.rows; }
  std::pair<Real, Real> operands(std::int64_t element) const {
    return {x_->before(parts_.place(element, false)).real(), x_->before(parts_.place(element, true)).real()};
  }

  const Halves parts_{{7, 24}, 1};
  std::int64_t rows_ = 0;
  OpTensor groups_{ACL_INT64, {2}};
  OpTensor weights_{ACL_FLOAT, {7, 1}};
  std::unique_ptr<OpTensor> x_;
  UnitMeaning meaning_;
};

TEST_F(SwigluGroup, WeighsRowsThatCount) {
  for (const GroupCase& one : kCases) {
    for (const aclDataType type : kFloats) {
      use(one, type);
      const OpTensor out(type, parts_.part());
      const auto expected = [&](std::int64_t i) -> Number {
        const std::int64_t row = parts_.row(i);
        const auto [a, b] = operands(i);
        return counts(one, row) ? rounded(weight(one, row) * meaning_(a, b), type) : out.before(i);
      };
      const auto bytes = run(
          [&](auto* n, auto** e) {
            return aclnnSwigluGroupGetWorkspaceSize(x_->get(), one.weighted ? weights_.get() : nullptr,
                                                    one.rows < 0 ? nullptr : groups_.get(), one.limit, out.get(), n, e);
          },
          aclnnSwigluGroup, {x_.get(), &weights_, &groups_}, out);
      expect_elements(out, bytes, expected, false);
    }
  }
}

TEST_F(SwigluGroup, GradientsOfOperandAndWeights) {
  for (const GroupCase& one : kCases) {
    for (const aclDataType type : kFloats) {
      for (const bool known : {false, true}) {
        use(one, type);
        OpTensor gradient(type, parts_.part());
        gradient.fill_random(3);
        OpTensor origin(type, parts_.part());
        origin.fill_random(6);  // not the result, to tell it apart
        const OpTensor out(type, parts_.shape);
        const OpTensor weight_out(ACL_FLOAT, {7});
        const auto plan = [&](auto* n, auto** e) {
          return aclnnSwigluGroupQuantGradGetWorkspaceSize(
              gradient.get(), x_->get(), one.weighted ? weights_.get() : nullptr, known ? origin.get() : nullptr,
              one.rows < 0 ? nullptr : groups_.get(), one.limit, out.get(), weight_out.get(), n, e);
        };
        const std::vector<const OpTensor*> inputs = {x_.get(), &weights_, &groups_,   &gradient,
                                                     &origin,  &out,      &weight_out};
        const auto slope = [&](std::int64_t i) -> Number {
          const auto [element, second] = parts_.part_of(i);
          const std::int64_t row = parts_.row(element);
          if (!counts(one, row)) return out.before(i);
          const auto [a, b] = operands(element);
          const Real along = second ? second_slope(meaning_, a, b) : first_slope(meaning_, a, b);
          return rounded(gradient.before(element).real() * weight(one, row) * along, type);
        };
        expect_elements(out, run(plan, aclnnSwigluGroupQuantGrad, inputs, out), slope, false);
        const auto of_weight = [&](std::int64_t row) -> Number {
          if (!counts(one, row)) return weight_out.before(row);
          Real sum = 0;
          for (std::int64_t i = row * 12; i < row * 12 + 12; ++i) {
            const auto [a, b] = operands(i);
            sum += gradient.before(i).real() * (known ? origin.before(i).real() : meaning_(a, b));
          }
          return sum;
        };
        expect_elements(weight_out, run(plan, aclnnSwigluGroupQuantGrad, inputs, weight_out), of_weight, false);
        const auto without_weight = run(
            [&](auto* n, auto** e) {
              return aclnnSwigluGroupGradGetWorkspaceSize(
                  gradient.get(), x_->get(), one.weighted ? weights_.get() : nullptr, nullptr,
                  one.rows < 0 ? nullptr : groups_.get(), static_cast<float>(one.limit), out.get(), nullptr, n, e);
            },
            aclnnSwigluGroupGrad, inputs, out);
        expect_elements(out, without_weight, slope, false);
      }
    }
  }
}

TEST_F(SwigluGroup, RefusesWeightsThatAreNotOneARow) {
  use(kCases[0], ACL_FLOAT);
  const OpTensor out(ACL_FLOAT, parts_.part());
  const OpTensor columns(ACL_FLOAT, {12});
  const OpTensor halves(ACL_FLOAT16, {7});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const aclTensor* x, const aclTensor* weight, const aclTensor* groups, const aclTensor* to) {
    return aclnnSwigluGroupGetWorkspaceSize(x, weight, groups, 0, to, &size, &executor);
  };
  EXPECT_EQ(plan(nullptr, nullptr, nullptr, out.get()), 161001);
  EXPECT_EQ(plan(x_->get(), nullptr, nullptr, nullptr), 161001);
  EXPECT_EQ(plan(x_->get(), columns.get(), nullptr, out.get()), 161002);
  EXPECT_EQ(plan(x_->get(), halves.get(), nullptr, out.get()), 161002);
  EXPECT_EQ(plan(x_->get(), weights_.get(), weights_.get(), out.get()), 161002);
  EXPECT_EQ(plan(x_->get(), nullptr, nullptr, x_->get()), 161002);
  const auto gradient = [&](const aclTensor* grad, const aclTensor* origin, const aclTensor* weight_out) {
    return aclnnSwigluGroupQuantGradGetWorkspaceSize(grad, x_->get(), nullptr, origin, nullptr, 0, x_->get(),
                                                     weight_out, &size, &executor);
  };
  EXPECT_EQ(gradient(nullptr, nullptr, nullptr), 161001);
  EXPECT_EQ(gradient(out.get(), x_->get(), nullptr), 161002);
  EXPECT_EQ(gradient(out.get(), nullptr, columns.get()), 161002);
  EXPECT_EQ(executor, nullptr);
}

}  // namespace
}  // namespace aclvk::test
