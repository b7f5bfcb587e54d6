#include <algorithm>
#include <array>

#include "aclnnop/aclnn_chamfer_distance_backward.h"
#include "aclnnop/aclnn_multilabel_margin_loss.h"
#include "support/op_arguments.hpp"

// Losses whose elements look at others of their sample: margins of labels, distances of nearest points.

namespace aclvk::test {
namespace {

constexpr aclDataType kFloats[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};
constexpr std::int64_t kNone = 0;
constexpr std::int64_t kMean = 1;
constexpr std::int64_t kSum = 2;

class MultilabelMargin : public OpTest {
 protected:
  static std::vector<std::int64_t> labels_of(const OpTensor& target, std::int64_t sample) {
    std::vector<std::int64_t> labels;
    const std::int64_t classes = target.shape().back();
    for (std::int64_t k = 0; k < classes; ++k) {
      const auto label = static_cast<std::int64_t>(target.before(sample * classes + k).real());
      if (label < 0) break;
      if (label < classes) labels.push_back(label);
    }
    return labels;
  }

  static bool is_target(const OpTensor& target, std::int64_t i) {
    const std::int64_t classes = target.shape().back();
    const auto labels = labels_of(target, i / classes);
    return std::find(labels.begin(), labels.end(), i % classes) != labels.end();
  }

  static Real loss(const OpTensor& self, const OpTensor& target, std::int64_t sample) {
    const std::int64_t classes = self.shape().back();
    Real sum = 0;
    for (std::int64_t c = 0; c < classes; ++c) {
      if (is_target(target, sample * classes + c)) continue;
      for (const std::int64_t label : labels_of(target, sample)) {
        sum += std::max(Real{0},
                        1 - self.before(sample * classes + label).real() + self.before(sample * classes + c).real());
      }
    }
    return sum / static_cast<Real>(classes);
  }

  static void check(aclDataType type, aclDataType targets, const Shape& shape, const View& view = {}) {
    SCOPED_TRACE("dtypes " + std::to_string(type) + " and " + std::to_string(targets));
    OpTensor self(type, shape, view);
    OpTensor target(targets, shape);
    self.fill_random(1);
    const std::int64_t classes = shape.back();
    target.fill([&](std::int64_t i) -> Number {
      const std::int64_t sample = i / classes;
      const std::int64_t place = i % classes;
      return place >= (sample * 3 + 1) % (classes + 1) ? -1 : (place * 5 + sample) % classes;
    });
    const std::int64_t samples = count_of(shape) / classes;
    Real sum = 0;
    for (std::int64_t i = 0; i < samples; ++i) sum += loss(self, target, i);
    for (const std::int64_t reduction : {kNone, kMean, kSum}) {
      const bool each = reduction == kNone && shape.size() == 2;
      const OpTensor out(type, each ? Shape{samples} : Shape{});
      const OpTensor marks(type, shape);
      const auto bytes = run(
          [&](auto* n, auto** e) {
            return aclnnMultilabelMarginLossGetWorkspaceSize(self.get(), target.get(), reduction, out.get(),
                                                             marks.get(), n, e);
          },
          aclnnMultilabelMarginLoss, {&self, &target, &marks}, out);
      expect_elements(
          out, bytes,
          [&](std::int64_t i) {
            const Real all = reduction == kMean ? sum / static_cast<Real>(samples) : sum;
            return rounded(each ? loss(self, target, i) : all, type);
          },
          false);
      expect_elements(
          marks, marks.download(), [&](std::int64_t i) -> Number { return is_target(target, i) ? 1 : 0; }, true);
    }
  }
};

TEST_F(MultilabelMargin, OfSamples) {
  for (const aclDataType type : kFloats) {
    check(type, ACL_INT64, {17, 11});
    check(type, ACL_INT32, {3, 101});
    check(type, ACL_INT64, {13});
    check(type, ACL_INT64, {7, 5}, {{1, 9}, 2});
  }
}

TEST_F(MultilabelMargin, OfAScalarIsOfOneClass) {
  OpTensor self(ACL_FLOAT, {});
  OpTensor target(ACL_INT64, {});
  self.fill([](std::int64_t) { return Number(3); });
  for (const int label : {0, -1}) {
    target.fill([&](std::int64_t) { return Number(label); });
    const OpTensor out(ACL_FLOAT, {});
    const OpTensor marks(ACL_FLOAT, {});
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnMultilabelMarginLossGetWorkspaceSize(self.get(), target.get(), kMean, out.get(), marks.get(), n,
                                                           e);
        },
        aclnnMultilabelMarginLoss, {&self, &target, &marks}, out);
    expect_elements(
        out, bytes, [](std::int64_t) { return Number(0); }, true);
    expect_elements(
        marks, marks.download(), [&](std::int64_t) { return Number(label == 0 ? 1 : 0); }, true);
  }
}

TEST_F(MultilabelMargin, RefusesWhatDoesNotFit) {
  const OpTensor x(ACL_FLOAT, {3, 5});
  const OpTensor t(ACL_INT64, {3, 5});
  const OpTensor one(ACL_FLOAT, {});
  const OpTensor wrong(ACL_INT64, {3, 4});
  const OpTensor cube(ACL_FLOAT, {3, 5, 2});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const OpTensor* self, const OpTensor* target, std::int64_t reduction, const OpTensor* out,
                        const OpTensor* marks) {
    const auto handle = [](const OpTensor* tensor) { return tensor ? tensor->get() : nullptr; };
    return aclnnMultilabelMarginLossGetWorkspaceSize(handle(self), handle(target), reduction, handle(out),
                                                     handle(marks), &size, &executor);
  };
  EXPECT_EQ(plan(nullptr, &t, kMean, &one, &x), 161001);
  EXPECT_EQ(plan(&x, nullptr, kMean, &one, &x), 161001);
  EXPECT_EQ(plan(&x, &t, kMean, nullptr, &x), 161001);
  EXPECT_EQ(plan(&x, &t, kMean, &one, nullptr), 161001);
  EXPECT_EQ(plan(&t, &t, kMean, &one, &x), 161002);
  EXPECT_EQ(plan(&x, &x, kMean, &one, &x), 161002);
  EXPECT_EQ(plan(&x, &t, kMean, &one, &t), 161002);
  EXPECT_EQ(plan(&x, &wrong, kMean, &one, &x), 161002);
  EXPECT_EQ(plan(&cube, &t, kMean, &one, &x), 161002);
  EXPECT_EQ(plan(&x, &t, kNone, &one, &x), 161002);
  EXPECT_EQ(plan(&x, &t, kMean, &x, &x), 161002);
  EXPECT_EQ(plan(&x, &t, 3, &one, &x), 161002);
}

class ChamferDistance : public OpTest {
 protected:
  struct Cloud {
    Cloud(aclDataType type, std::int64_t batch, std::int64_t count, std::int64_t others, unsigned seed)
        : points(type, {batch, count, 2}), nearest(ACL_INT32, {batch, count}), gradient(type, {batch, count}) {
      points.fill_random(seed);
      nearest.fill([=](std::int64_t i) { return i * 7 % others; });
      gradient.fill([=](std::int64_t i) { return Real((i * 5 + seed) % 9 - 4) / 8; });
    }
    OpTensor points;
    OpTensor nearest;
    OpTensor gradient;
  };

  static Real difference(const Cloud& cloud, const Cloud& other, std::int64_t batch, std::int64_t point,
                         std::int64_t coordinate) {
    const std::int64_t count = cloud.points.shape()[1];
    const std::int64_t i = batch * count + point;
    const auto near = static_cast<std::int64_t>(cloud.nearest.before(i).real());
    const std::int64_t far = (batch * other.points.shape()[1] + near) * 2 + coordinate;
    return 2 * cloud.gradient.before(i).real() *
           (cloud.points.before(i * 2 + coordinate).real() - other.points.before(far).real());
  }

  static Real expected(const Cloud& cloud, const Cloud& other, std::int64_t element) {
    const Shape at = coordinates_of(element, cloud.points.shape());
    Real sum = difference(cloud, other, at[0], at[1], at[2]);
    const std::int64_t others = other.points.shape()[1];
    for (std::int64_t k = 0; k < others; ++k) {
      const auto near = static_cast<std::int64_t>(other.nearest.before(at[0] * others + k).real());
      if (near == at[1]) sum -= difference(other, cloud, at[0], k, at[2]);
    }
    return sum;
  }
};

TEST_F(ChamferDistance, HasGradients) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16}) {
    for (const auto& [batch, first, second] : {std::array<std::int64_t, 3>{2, 11, 11}, {3, 7, 101}}) {
      const Cloud a(type, batch, first, second, 1);
      const Cloud b(type, batch, second, first, 2);
      const OpTensor out_a(type, a.points.shape());
      const OpTensor out_b(type, b.points.shape());
      const auto bytes = run(
          [&](auto* n, auto** e) {
            return aclnnChamferDistanceBackwardGetWorkspaceSize(a.points.get(), b.points.get(), a.nearest.get(),
                                                                b.nearest.get(), a.gradient.get(), b.gradient.get(),
                                                                out_a.get(), out_b.get(), n, e);
          },
          aclnnChamferDistanceBackward,
          {&a.points, &b.points, &a.nearest, &b.nearest, &a.gradient, &b.gradient, &out_b}, out_a);
      expect_elements(
          out_a, bytes, [&](std::int64_t i) { return rounded(expected(a, b, i), type); }, false);
      expect_elements(
          out_b, out_b.download(), [&](std::int64_t i) { return rounded(expected(b, a, i), type); }, false);
    }
  }
}

TEST_F(ChamferDistance, RefusesWhatDoesNotFit) {
  const OpTensor points(ACL_FLOAT, {2, 5, 2});
  const OpTensor nearest(ACL_INT32, {2, 5});
  const OpTensor gradient(ACL_FLOAT, {2, 5});
  const OpTensor wrong(ACL_FLOAT, {2, 5, 3});
  const OpTensor wide(ACL_INT64, {2, 5});
  using Arguments = std::array<const OpTensor*, 8>;
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const Arguments& t) {
    const auto handle = [](const OpTensor* tensor) { return tensor ? tensor->get() : nullptr; };
    return aclnnChamferDistanceBackwardGetWorkspaceSize(handle(t[0]), handle(t[1]), handle(t[2]), handle(t[3]),
                                                        handle(t[4]), handle(t[5]), handle(t[6]), handle(t[7]), &size,
                                                        &executor);
  };
  const Arguments fine = {&points, &points, &nearest, &nearest, &gradient, &gradient, &points, &points};
  for (std::size_t i = 0; i < fine.size(); ++i) {
    Arguments given = fine;
    given[i] = nullptr;
    EXPECT_EQ(plan(given), 161001) << i;
    given[i] = &wide;
    EXPECT_EQ(plan(given), 161002) << i;
    given[i] = &wrong;
    EXPECT_EQ(plan(given), 161002) << i;
  }
}

}  // namespace
}  // namespace aclvk::test
