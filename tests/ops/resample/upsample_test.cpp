#include "aclnnop/aclnn_upsample_bicubic2d_aa.h"
#include "aclnnop/aclnn_upsample_bicubic2d_aa_grad.h"
#include "aclnnop/aclnn_upsample_bicubic_2d.h"
#include "aclnnop/aclnn_upsample_bicubic_2d_backward.h"
#include "aclnnop/aclnn_upsample_bilinear2d_aa.h"
#include "aclnnop/aclnn_upsample_bilinear2d_aa_backward.h"
#include "aclnnop/aclnn_upsample_bilinear_2d.h"
#include "aclnnop/aclnn_upsample_bilinear_2d_backward.h"
#include "aclnnop/aclnn_upsample_bilinear_2d_backward_v2.h"
#include "aclnnop/aclnn_upsample_linear_1d.h"
#include "aclnnop/aclnn_upsample_linear_1d_backward.h"
#include "aclnnop/aclnn_upsample_nearest_1d_backward.h"
#include "aclnnop/aclnn_upsample_nearest_2d_backward.h"
#include "aclnnop/aclnn_upsample_nearest_3d_backward.h"
#include "aclnnop/aclnn_upsample_nearest_exact1d_backward.h"
#include "aclnnop/aclnn_upsample_nearest_exact2d_backward.h"
#include "aclnnop/aclnn_upsample_nearest_exact3d_backward.h"
#include "aclnnop/aclnn_upsample_trilinear_3d.h"
#include "aclnnop/aclnn_upsample_trilinear_3d_backward.h"
#include "ops/resample/line_reference.hpp"

namespace aclvk::test {
namespace {

enum class Kind { kNearest, kNearestExact, kLinear, kCubic, kLinearAntialiased, kCubicAntialiased };

/// torch's formulas for one dim, written apart from shaders/resample.
class Interpolation {
 public:
  Interpolation(Kind kind, std::int64_t elements, std::int64_t places, bool corners, double scale)
      : kind_(kind), corners_(corners), step_(step_of(elements, places, scale)), matrix_(places, elements) {
    const bool keeps_scale = kind != Kind::kNearest || (places != elements && places != 2 * elements);
    if (!keeps_scale) step_ = static_cast<double>(elements) / static_cast<double>(places);
    for (std::int64_t place = 0; place < places; ++place) fill(place);
  }
  const LineMatrix& matrix() const { return matrix_; }

 private:
  double step_of(std::int64_t elements, std::int64_t places, double scale) const {
    if (corners_) return places > 1 ? static_cast<double>(elements - 1) / static_cast<double>(places - 1) : 0;
    return scale > 0 ? 1 / scale : static_cast<double>(elements) / static_cast<double>(places);
  }

  std::int64_t clamped(std::int64_t element) const {
    return std::min(std::max<std::int64_t>(element, 0), matrix_.elements - 1);
  }

  static double keys(double x, double a) {
    const double d = std::fabs(x);
    if (d < 1) return (a + 2) * d * d * d - (a + 3) * d * d + 1;
    return d < 2 ? a * d * d * d - 5 * a * d * d + 8 * a * d - 4 * a : 0;
  }

  void fill(std::int64_t place) {
    const auto at = static_cast<double>(place);
    const double centre = corners_ ? at * step_ : (at + 0.5) * step_ - 0.5;
    switch (kind_) {
      case Kind::kNearest:  // in float, as torch finds it
      case Kind::kNearestExact: {
        const float from = static_cast<float>(at) + (kind_ == Kind::kNearest ? 0.0F : 0.5F);
        matrix_.at(place, clamped(static_cast<std::int64_t>(std::floor(from * static_cast<float>(step_))))) = 1;
        return;
      }
      case Kind::kLinear: {
        const double position = std::max(centre, 0.0);
        const std::int64_t first = clamped(static_cast<std::int64_t>(position));
        const double fraction = std::min(position - static_cast<double>(first), 1.0);
        matrix_.at(place, first) += 1 - fraction;
        matrix_.at(place, clamped(first + 1)) += fraction;
        return;
      }
      case Kind::kCubic: {
        const double first = std::floor(centre);
        for (int k = -1; k <= 2; ++k) {
          matrix_.at(place, clamped(static_cast<std::int64_t>(first) + k)) += keys(centre - first - k, -0.75);
        }
        return;
      }
      default: filter(place, (at + 0.5) * step_);
    }
  }

  void filter(std::int64_t place, double centre) {
    const double width = std::max(step_, 1.0);
    const bool is_linear = kind_ == Kind::kLinearAntialiased;
    double sum = 0;
    for (std::int64_t element = 0; element < matrix_.elements; ++element) {
      const double x = (static_cast<double>(element) - centre + 0.5) / width;
      const double weight = is_linear ? std::max(1 - std::fabs(x), 0.0) : keys(x, -0.5);
      matrix_.at(place, element) = weight;
      sum += weight;
    }
    for (std::int64_t element = 0; element < matrix_.elements; ++element) matrix_.at(place, element) /= sum;
  }

  Kind kind_;
  bool corners_;
  double step_;
  LineMatrix matrix_;
};

/// From which sizes to which.
struct Sizes {
  Shape from;
  Shape to;
  std::vector<double> scales{0, 0, 0};
  bool corners = false;
};

using Phase = std::function<aclnnStatus(const OpTensor&, const Sizes&, const OpTensor&, uint64_t*, aclOpExecutor**)>;

class Upsample : public OpTest {
 protected:
  static Shape image(const Shape& spatial) {
    Shape shape{2, 3};
    shape.insert(shape.end(), spatial.begin(), spatial.end());
    return shape;
  }

  static Values resampled(Kind kind, const Sizes& sizes, Values values, bool back) {
    for (std::size_t i = 0; i < sizes.from.size(); ++i) {
      const Interpolation line(kind, sizes.from[i], sizes.to[i], sizes.corners, sizes.scales[i]);
      values = multiplied(values, back ? line.matrix().transposed() : line.matrix(), 2 + i);
    }
    return values;
  }

  static void check(Kind kind, aclDataType type, const Sizes& sizes, bool back, const Phase& phase, Launch launch,
                    const View& view = {}, const View& out_view = {}) {
    SCOPED_TRACE(testing::Message() << "kind " << static_cast<int>(kind) << ", dtype " << type << ", from "
                                    << testing::PrintToString(sizes.from) << " to " << testing::PrintToString(sizes.to)
                                    << (back ? ", back" : ""));
    OpTensor x(type, image(back ? sizes.to : sizes.from), view);
    const OpTensor out(type, image(back ? sizes.from : sizes.to), out_view);
    x.fill_random(3);
    const auto bytes = run([&](auto* n, auto** e) { return phase(x, sizes, out, n, e); }, launch, {&x}, out);
    const Values expected = resampled(kind, sizes, values_of(x), back);
    expect_elements(
        out, bytes, [&](std::int64_t i) { return rounded(expected.values[static_cast<std::size_t>(i)], type); }, false);
  }

  /// A pair of operators on one, two or three dims.
  template <typename Forward, typename Backward>
  static void check_pair(Kind kind, aclDataType type, const Sizes& sizes, Forward forward, Launch launch,
                         Backward backward, Launch launch_back) {
    check(
        kind, type, sizes, false,
        [&](const OpTensor& x, const Sizes& to, const OpTensor& out, auto* n, auto** e) {
          const OpInts output(to.to);
          return forward(x, output.get(), to, out, n, e);
        },
        launch);
    check_back(kind, type, sizes, backward, launch_back);
  }

  template <typename Backward>
  static void check_back(Kind kind, aclDataType type, const Sizes& sizes, Backward backward, Launch launch,
                         const View& view = {}, const View& out_view = {}) {
    check(
        kind, type, sizes, true,
        [&](const OpTensor& x, const Sizes& to, const OpTensor& out, auto* n, auto** e) {
          const OpInts output(to.to);
          const OpInts input(out.shape());
          return backward(x, output.get(), input.get(), to, out, n, e);
        },
        launch, view, out_view);
  }
};

/// The first phases of a pair on two dims.
#define PLANES(name, back)                                                                                             \
  [](const OpTensor& x, aclIntArray* output, const Sizes& s, const OpTensor& out, uint64_t* n, aclOpExecutor** e) {    \
    return name##GetWorkspaceSize(x.get(), output, s.corners, s.scales[0], s.scales[1], out.get(), n, e);              \
  },                                                                                                                   \
      name,                                                                                                            \
      [](const OpTensor& x, aclIntArray* output, aclIntArray* input, const Sizes& s, const OpTensor& out, uint64_t* n, \
         aclOpExecutor** e) {                                                                                          \
        return back##GetWorkspaceSize(x.get(), output, input, s.corners, s.scales[0], s.scales[1], out.get(), n, e);   \
      },                                                                                                               \
      back

const std::vector<Sizes> kPlanes = {
    {{5, 7}, {11, 13}},
    {{11, 13}, {5, 7}},
    {{5, 7}, {11, 13}, {0, 0, 0}, true},
    {{11, 13}, {5, 1}, {0, 0, 0}, true},
    {{5, 7}, {10, 14}, {2, 2}},
    {{6, 7}, {15, 3}, {2.5, 0.43}},
    {{4, 5}, {4, 5}},
    {{1, 3}, {6, 1}},
    {{37, 2}, {3, 29}},
};

TEST_F(Upsample, IsBilinear) {
  for (const Sizes& sizes : kPlanes) {
    for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
      check_pair(Kind::kLinear, type, sizes, PLANES(aclnnUpsampleBilinear2d, aclnnUpsampleBilinear2dBackward));
    }
    check_pair(Kind::kLinear, ACL_FLOAT, sizes, PLANES(aclnnUpsampleBilinear2d, aclnnUpsampleBilinear2dBackwardV2));
  }
}

TEST_F(Upsample, IsBicubic) {
  for (const Sizes& sizes : kPlanes) {
    for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
      check_pair(Kind::kCubic, type, sizes, PLANES(aclnnUpsampleBicubic2d, aclnnUpsampleBicubic2dBackward));
    }
  }
}

TEST_F(Upsample, IsAntialiased) {
  for (const Sizes& sizes : kPlanes) {
    for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
      check_pair(Kind::kLinearAntialiased, type, sizes,
                 PLANES(aclnnUpsampleBilinear2dAA, aclnnUpsampleBilinear2dAABackward));
      check_pair(Kind::kCubicAntialiased, type, sizes, PLANES(aclnnUpsampleBicubic2dAA, aclnnUpsampleBicubic2dAAGrad));
    }
  }
}

TEST_F(Upsample, IsBilinearInDouble) {
  check(
      Kind::kLinear, ACL_DOUBLE, kPlanes[0], false,
      [](const OpTensor& x, const Sizes& s, const OpTensor& out, auto* n, auto** e) {
        const OpInts output(s.to);
        return aclnnUpsampleBilinear2dGetWorkspaceSize(x.get(), output.get(), false, 0, 0, out.get(), n, e);
      },
      aclnnUpsampleBilinear2d);
}

TEST_F(Upsample, IsLinearInOneDim) {
  const std::vector<Sizes> lines = {{{7}, {19}}, {{19}, {7}}, {{7}, {19}, {0, 0, 0}, true}, {{7}, {16}, {2.3}}};
  for (const Sizes& sizes : lines) {
    for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
      check_pair(
          Kind::kLinear, type, sizes,
          [](const OpTensor& x, aclIntArray* output, const Sizes& s, const OpTensor& out, auto* n, auto** e) {
            return aclnnUpsampleLinear1dGetWorkspaceSize(x.get(), output, s.corners, s.scales[0], out.get(), n, e);
          },
          aclnnUpsampleLinear1d,
          [](const OpTensor& x, aclIntArray* output, aclIntArray* input, const Sizes& s, const OpTensor& out, auto* n,
             auto** e) {
            return aclnnUpsampleLinear1dBackwardGetWorkspaceSize(x.get(), output, input, s.corners, s.scales[0],
                                                                 out.get(), n, e);
          },
          aclnnUpsampleLinear1dBackward);
    }
  }
}

TEST_F(Upsample, IsTrilinear) {
  const std::vector<Sizes> volumes = {
      {{3, 5, 4}, {7, 6, 11}}, {{7, 6, 11}, {3, 5, 4}, {0, 0, 0}, true}, {{3, 5, 4}, {5, 11, 2}, {1.7, 2.3, 0.6}}};
  for (const Sizes& sizes : volumes) {
    for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE}) {
      check_pair(
          Kind::kLinear, type, sizes,
          [](const OpTensor& x, aclIntArray* output, const Sizes& s, const OpTensor& out, auto* n, auto** e) {
            return aclnnUpsampleTrilinear3dGetWorkspaceSize(x.get(), output, s.corners, s.scales[0], s.scales[1],
                                                            s.scales[2], out.get(), n, e);
          },
          aclnnUpsampleTrilinear3d,
          [](const OpTensor& x, aclIntArray* output, aclIntArray* input, const Sizes& s, const OpTensor& out, auto* n,
             auto** e) {
            return aclnnUpsampleTrilinear3dBackwardGetWorkspaceSize(x.get(), output, input, s.corners, s.scales[0],
                                                                    s.scales[1], s.scales[2], out.get(), n, e);
          },
          aclnnUpsampleTrilinear3dBackward);
    }
  }
}

#define NEAREST(name, ...)                                                                                         \
  [](const OpTensor& x, aclIntArray* output, aclIntArray* input, const Sizes& s, const OpTensor& out, uint64_t* n, \
     aclOpExecutor** e) { return name##GetWorkspaceSize(x.get(), output, input, __VA_ARGS__, out.get(), n, e); },  \
      name

TEST_F(Upsample, GivesNearestElementsTheirGradients) {
  const std::vector<Sizes> volumes = {{{3, 5, 4}, {7, 5, 8}},  // one dim keeps its size, one doubles it
                                      {{7, 6, 11}, {3, 5, 4}},
                                      {{3, 5, 4}, {5, 11, 8}, {1.7, 2.3, 1.9}},
                                      {{4, 5, 3}, {9, 2, 7}, {9, 0.1, 0}}};  // scales that do not fit the sizes
  for (const Sizes& sizes : volumes) {
    const Sizes plane{{sizes.from[0], sizes.from[1]}, {sizes.to[0], sizes.to[1]}, sizes.scales};
    const Sizes line{{sizes.from[0]}, {sizes.to[0]}, sizes.scales};
    for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
      check_back(Kind::kNearest, type, line, NEAREST(aclnnUpsampleNearest1dBackward, s.scales[0]));
      check_back(Kind::kNearest, type, plane, NEAREST(aclnnUpsampleNearest2dBackward, s.scales[0], s.scales[1]));
      check_back(Kind::kNearest, type, sizes,
                 NEAREST(aclnnUpsampleNearest3dBackward, s.scales[0], s.scales[1], s.scales[2]));
      check_back(Kind::kNearestExact, type, line, NEAREST(aclnnUpsampleNearestExact1dBackward, s.scales[0]));
      check_back(Kind::kNearestExact, type, plane,
                 NEAREST(aclnnUpsampleNearestExact2dBackward, s.scales[0], s.scales[1]));
      check_back(Kind::kNearestExact, type, sizes,
                 NEAREST(aclnnUpsampleNearestExact3dBackward, s.scales[0], s.scales[1], s.scales[2]));
    }
  }
  check_back(Kind::kNearest, ACL_DOUBLE, {{7}, {13}}, NEAREST(aclnnUpsampleNearest1dBackward, s.scales[0]));
}

TEST_F(Upsample, TensorsMayBeAnyView) {
  const Sizes sizes{{5, 4}, {9, 7}};
  const auto planned = [](const OpTensor& x, const Sizes& s, const OpTensor& out, auto* n, auto** e) {
    const OpInts output(s.to);
    return aclnnUpsampleBilinear2dGetWorkspaceSize(x.get(), output.get(), false, 0, 0, out.get(), n, e);
  };
  check(Kind::kLinear, ACL_FLOAT, sizes, false, planned, aclnnUpsampleBilinear2d, {{1, 2, 24, 6}, 3},
        {{300, 90, 9, 1}, 5});
  check(Kind::kLinear, ACL_FLOAT16, sizes, false, planned, aclnnUpsampleBilinear2d, {{0, 20, 4, 0}, 1},
        {{189, 1, 21, 3}, 0});
  check_back(Kind::kNearest, ACL_FLOAT, sizes, NEAREST(aclnnUpsampleNearest2dBackward, s.scales[0], s.scales[1]),
             {{0, 63, 7, 1}, 2}, {{60, 1, 12, 3}, 1});
}

TEST_F(Upsample, LinesMayBeLongerThanALoopHasIterations) {
  check_back(Kind::kNearest, ACL_FLOAT, {{1}, {70001}}, NEAREST(aclnnUpsampleNearest1dBackward, s.scales[0]));
  OpTensor x(ACL_FLOAT, {1, 1, 1, 70001});
  x.fill_random(3);
  const OpTensor out(ACL_FLOAT, {1, 1, 1, 2});
  const OpInts output({1, 2});
  const auto bytes = run(
      [&](auto* n, auto** e) {
        return aclnnUpsampleBilinear2dAAGetWorkspaceSize(x.get(), output.get(), false, 0, 0, out.get(), n, e);
      },
      aclnnUpsampleBilinear2dAA, {&x}, out);
  const Interpolation line(Kind::kLinearAntialiased, 70001, 2, false, 0);
  const Values expected = multiplied(values_of(x), line.matrix(), 3);
  expect_elements(
      out, bytes, [&](std::int64_t i) -> Number { return expected.values[static_cast<std::size_t>(i)]; }, false);
}

TEST_F(Upsample, OfAnEmptyBatchIsNothing) {
  const OpTensor x(ACL_FLOAT, {0, 3, 4, 5});
  const OpTensor out(ACL_FLOAT, {0, 3, 7, 9});
  const OpInts output({7, 9});
  run(
      [&](auto* n, auto** e) {
        return aclnnUpsampleBicubic2dGetWorkspaceSize(x.get(), output.get(), false, 0, 0, out.get(), n, e);
      },
      aclnnUpsampleBicubic2d, {&x}, out);
}

TEST_F(Upsample, RefusesOthers) {
  const OpTensor x(ACL_FLOAT, {2, 3, 4, 5});
  const OpTensor whole(ACL_INT32, {2, 3, 4, 5});
  const OpTensor flat(ACL_FLOAT, {3, 4, 5});
  const OpTensor out(ACL_FLOAT, {2, 3, 7, 9});
  const OpTensor half(ACL_FLOAT16, {2, 3, 7, 9});
  const OpInts output({7, 9});
  const OpInts none({0, 9});
  const OpInts input({2, 3, 4, 5});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const aclTensor* from, const OpInts* to, aclTensor* y) {
    return aclnnUpsampleBilinear2dGetWorkspaceSize(from, to ? to->get() : nullptr, false, 0, 0, y, &size, &executor);
  };
  EXPECT_EQ(plan(nullptr, &output, out.get()), 161001);
  EXPECT_EQ(plan(x.get(), nullptr, out.get()), 161001);
  EXPECT_EQ(plan(x.get(), &output, nullptr), 161001);
  EXPECT_EQ(plan(whole.get(), &output, out.get()), 161002);
  EXPECT_EQ(plan(x.get(), &output, half.get()), 161002);
  EXPECT_EQ(plan(flat.get(), &output, out.get()), 161002);
  EXPECT_EQ(plan(x.get(), &none, out.get()), 161002);
  EXPECT_EQ(plan(x.get(), &input, out.get()), 161002);
  EXPECT_EQ(plan(x.get(), &output, x.get()), 161002);
  const auto back = [&](const aclTensor* from, const OpInts* to, const OpInts* of, aclTensor* y) {
    return aclnnUpsampleBilinear2dBackwardGetWorkspaceSize(from, to ? to->get() : nullptr, of ? of->get() : nullptr,
                                                           false, 0, 0, y, &size, &executor);
  };
  EXPECT_EQ(back(nullptr, &output, &input, x.get()), 161001);
  EXPECT_EQ(back(out.get(), nullptr, &input, x.get()), 161001);
  EXPECT_EQ(back(out.get(), &output, nullptr, x.get()), 161001);
  EXPECT_EQ(back(half.get(), &output, &input, x.get()), 161002);
  EXPECT_EQ(back(out.get(), &output, &output, x.get()), 161002);
  EXPECT_EQ(back(out.get(), &none, &input, x.get()), 161002);
  EXPECT_EQ(back(x.get(), &output, &input, x.get()), 161002);
}

}  // namespace
}  // namespace aclvk::test
