#include "aclnnop/aclnn_grid_sampler2d.h"
#include "aclnnop/aclnn_grid_sampler2d_backward.h"
#include "aclnnop/aclnn_grid_sampler3d.h"
#include "aclnnop/aclnn_grid_sampler3d_backward.h"
#include "support/op_arguments.hpp"

namespace aclvk::test {
namespace {

struct Mode {
  std::int64_t interpolation = 0;
  std::int64_t padding = 0;
  bool corners = false;
};

/// What a point reads along one dim: elements, their weights, and the slopes of the weights by the coordinate.
struct Reads {
  std::vector<std::int64_t> elements;
  std::vector<double> weights;
  std::vector<double> slopes;
};

/// torch.grid_sample for one dim, in double and written apart from shaders/resample.
class Sampler {
 public:
  Sampler(const Mode& mode, std::int64_t size) : mode_(mode), size_(size) {}

  Reads at(double coordinate) const {
    const auto size = static_cast<double>(size_);
    const double place = mode_.corners ? (coordinate + 1) / 2 * (size - 1) : ((coordinate + 1) * size - 1) / 2;
    const double unit = mode_.corners ? (size - 1) / 2 : size / 2;
    Reads reads;
    if (mode_.interpolation == 2) {
      const double base = std::floor(place);
      for (int k = -1; k <= 2; ++k) {
        add(reads, padded(base + k).first, cubic(place - base - k), cubic_slope(place - base - k) * unit);
      }
      return reads;
    }
    const auto [position, slope] = padded(place);
    if (mode_.interpolation == 1) {
      add(reads, std::nearbyint(position), 1, 0);
      return reads;
    }
    const double base = std::floor(position);
    add(reads, base, 1 - (position - base), -slope * unit);
    add(reads, base + 1, position - base, slope * unit);
    return reads;
  }

 private:
  void add(Reads& reads, double element, double weight, double slope) const {
    if (!(element >= 0 && element < static_cast<double>(size_))) return;
    reads.elements.push_back(static_cast<std::int64_t>(element));
    reads.weights.push_back(weight);
    reads.slopes.push_back(slope);
  }

  /// A place brought back into the line, and the slope of that.
  std::pair<double, double> padded(double place) const {
    if (mode_.padding == 0) return {place, 1};
    double slope = 1;
    if (mode_.padding == 2) {
      const double low = mode_.corners ? 0 : -0.5;
      const double high = mode_.corners ? static_cast<double>(size_ - 1) : static_cast<double>(size_) - 0.5;
      if (low == high) return {0, 0};
      while (place < low || place > high) {
        place = place < low ? 2 * low - place : 2 * high - place;
        slope = -slope;
      }
    }
    const auto most = static_cast<double>(size_ - 1);
    if (place <= 0) return {0, 0};
    if (place >= most) return {most, 0};
    return {place, slope};
  }

  static double cubic(double x) {
    const double d = std::fabs(x);
    if (d <= 1) return 1.25 * d * d * d - 2.25 * d * d + 1;
    return d < 2 ? -0.75 * (d * d * d - 5 * d * d + 8 * d - 4) : 0;
  }
  static double cubic_slope(double x) {
    const double d = std::fabs(x);
    const double slope = d <= 1 ? 3.75 * d * d - 4.5 * d : d < 2 ? -0.75 * (3 * d * d - 10 * d + 8) : 0;
    return x < 0 ? -slope : slope;
  }

  Mode mode_;
  std::int64_t size_;
};

/// Everything that a point reads: numbers within the image, weights, and slopes by each coordinate.
struct PointReads {
  std::vector<std::int64_t> elements;
  std::vector<double> weights;
  std::vector<std::vector<double>> slopes;
};

PointReads reads_of(const Mode& mode, const Shape& image, const std::vector<double>& point) {
  PointReads all{{0}, {1}, {std::vector<double>(point.size(), 1)}};
  for (std::size_t dim = 0; dim < image.size(); ++dim) {
    const Reads reads = Sampler(mode, image[dim]).at(point[dim]);
    PointReads next;
    for (std::size_t i = 0; i < all.elements.size(); ++i) {
      for (std::size_t k = 0; k < reads.elements.size(); ++k) {
        next.elements.push_back(all.elements[i] * image[dim] + reads.elements[k]);
        next.weights.push_back(all.weights[i] * reads.weights[k]);
        std::vector<double> slopes = all.slopes[i];
        for (std::size_t d = 0; d < slopes.size(); ++d) slopes[d] *= d == dim ? reads.slopes[k] : reads.weights[k];
        next.slopes.push_back(slopes);
      }
    }
    all = next;
  }
  return all;
}

struct Views {
  View input;
  View grid;
  View out;
};

class GridSample : public OpTest {
 protected:
  static constexpr std::int64_t kBatch = 2;

  /// The results of a sampler: what it gives forwards, and the gradients of both operands.
  struct Expected {
    std::vector<Real> out, image, points;
  };

  static Expected expected_of(const Mode& mode, const OpTensor& input, const OpTensor& grid, const OpTensor& gradient) {
    const std::size_t dims = input.shape().size() - 2;
    const Shape image(input.shape().begin() + 2, input.shape().end());
    const std::int64_t channels = input.shape()[1];
    const std::int64_t elements = count_of(image);
    const std::int64_t count = grid.count() / static_cast<std::int64_t>(dims) / input.shape()[0];
    Expected expected{std::vector<Real>(static_cast<std::size_t>(gradient.count()), 0),
                      std::vector<Real>(static_cast<std::size_t>(input.count()), 0),
                      std::vector<Real>(static_cast<std::size_t>(grid.count()), 0)};
    for (std::int64_t p = 0; p < input.shape()[0] * count; ++p) {
      std::vector<double> point(dims);
      for (std::size_t d = 0; d < dims; ++d) {
        point[dims - 1 - d] =
            static_cast<double>(grid.before(p * static_cast<std::int64_t>(dims) + static_cast<std::int64_t>(d)).real());
      }
      const PointReads reads = reads_of(mode, image, point);
      for (std::int64_t c = 0; c < channels; ++c) {
        const std::int64_t plane = p / count * channels + c;
        const std::int64_t at = plane * count + p % count;
        for (std::size_t k = 0; k < reads.elements.size(); ++k) {
          const std::int64_t from = plane * elements + reads.elements[k];
          expected.out[static_cast<std::size_t>(at)] += reads.weights[k] * input.before(from).real();
          expected.image[static_cast<std::size_t>(from)] += reads.weights[k] * gradient.before(at).real();
          for (std::size_t d = 0; d < dims; ++d) {
            const auto own = static_cast<std::size_t>(p) * dims + dims - 1 - d;
            expected.points[own] += reads.slopes[k][d] * input.before(from).real() * gradient.before(at).real();
          }
        }
      }
    }
    return expected;
  }

  static void expect(const OpTensor& out, const std::vector<std::byte>& bytes, const std::vector<Real>& values) {
    expect_elements(
        out, bytes, [&](std::int64_t i) { return rounded(values[static_cast<std::size_t>(i)], out.type()); }, false);
  }

  static void check(aclDataType type, const Mode& mode, const Shape& image, const Shape& points, std::int64_t channels,
                    const Views& views = {}) {
    SCOPED_TRACE(testing::Message() << "dtype " << type << ", " << image.size() << " dims, interpolation "
                                    << mode.interpolation << ", padding " << mode.padding << ", corners "
                                    << mode.corners);
    const auto shape = [](Shape front, const Shape& spatial) {
      front.insert(front.end(), spatial.begin(), spatial.end());
      return front;
    };
    OpTensor input(type, shape({kBatch, channels}, image), views.input);
    OpTensor grid(type, shape(shape({kBatch}, points), {static_cast<std::int64_t>(image.size())}), views.grid);
    const OpTensor out(type, shape({kBatch, channels}, points), views.out);
    OpTensor gradient(type, out.shape());
    input.fill_random(3);
    gradient.fill_random(5);
    // Points around the image, some far outside, on places that 16-bit floats hold and that are on no edge of a weight.
    grid.fill([](std::int64_t i) { return Real((i * 37 + 11) % 61 - 30) / 16 + Real(1) / 64; });
    const Expected expected = expected_of(mode, input, grid, gradient);
    const bool flat = image.size() == 2;
    const auto bytes = run(
        [&](auto* n, auto** e) {
          const auto phase = flat ? aclnnGridSampler2DGetWorkspaceSize : aclnnGridSampler3DGetWorkspaceSize;
          return phase(input.get(), grid.get(), mode.interpolation, mode.padding, mode.corners, out.get(), n, e);
        },
        flat ? aclnnGridSampler2D : aclnnGridSampler3D, {&input, &grid}, out);
    expect(out, bytes, expected.out);
    check_gradients(mode, input, grid, gradient, expected, views);
  }

  static void check_gradients(const Mode& mode, const OpTensor& input, const OpTensor& grid, const OpTensor& gradient,
                              const Expected& expected, const Views& views) {
    const bool flat = input.shape().size() == 4;
    const OpTensor image(input.type(), input.shape(), views.input);
    const OpTensor points(input.type(), grid.shape(), views.grid);
    const auto plan = [&](bool first, bool second) {
      return [&, first, second](auto* n, auto** e) {
        const bool values[] = {first, second};
        aclBoolArray* mask = aclCreateBoolArray(values, 2);
        const auto phase =
            flat ? aclnnGridSampler2DBackwardGetWorkspaceSize : aclnnGridSampler3DBackwardGetWorkspaceSize;
        const auto code = phase(gradient.get(), input.get(), grid.get(), mode.interpolation, mode.padding, mode.corners,
                                mask, first ? image.get() : nullptr, second ? points.get() : nullptr, n, e);
        aclDestroyBoolArray(mask);
        return code;
      };
    };
    const Launch launch = flat ? aclnnGridSampler2DBackward : aclnnGridSampler3DBackward;
    expect(image, run(plan(true, false), launch, {&input, &grid, &gradient}, image), expected.image);
    expect(points, run(plan(false, true), launch, {&input, &grid, &gradient}, points), expected.points);
    const auto both = run(plan(true, true), launch, {&input, &grid, &gradient, &points}, image);
    expect(image, both, expected.image);
    expect(points, points.download(), expected.points);
  }
};

TEST_F(GridSample, SamplesImages) {
  for (const std::int64_t interpolation : {0, 1, 2}) {
    for (const std::int64_t padding : {0, 1, 2}) {
      for (const bool corners : {false, true}) {
        check(ACL_FLOAT, {interpolation, padding, corners}, {5, 7}, {3, 11}, 3);
      }
    }
  }
}

TEST_F(GridSample, SamplesVolumes) {
  for (const std::int64_t interpolation : {0, 1}) {
    for (const std::int64_t padding : {0, 1, 2}) {
      for (const bool corners : {false, true}) {
        check(ACL_FLOAT, {interpolation, padding, corners}, {3, 5, 4}, {2, 3, 5}, 2);
      }
    }
  }
}

TEST_F(GridSample, TakesOtherDtypes) {
  for (const aclDataType type : {ACL_DOUBLE, ACL_FLOAT16, ACL_BF16}) {
    check(type, {0, 0, false}, {5, 7}, {3, 4}, 2);
    check(type, {0, 2, true}, {3, 5, 4}, {2, 3, 5}, 2);
  }
}

TEST_F(GridSample, TensorsMayBeAnyView) {
  check(ACL_FLOAT, {0, 1, false}, {5, 4}, {3, 5}, 2, {{{100, 1, 11, 2}, 3}, {{80, 1, 5, 30}, 2}, {{40, 1, 10, 2}, 1}});
}

TEST_F(GridSample, AnElementMayBeReadByManyPoints) { check(ACL_FLOAT, {0, 1, false}, {1, 2}, {251, 260}, 1); }

TEST_F(GridSample, ChannelsMayBeMoreThanALoopHasIterations) { check(ACL_FLOAT, {0, 0, false}, {2, 2}, {1, 1}, 20011); }

TEST_F(GridSample, APlaceThatIsNoNumberIsOutside) {
  OpTensor input(ACL_FLOAT, {1, 1, 3, 3});
  OpTensor grid(ACL_FLOAT, {1, 1, 4, 2});
  input.fill([](std::int64_t i) { return Real(i + 1); });
  const std::vector<Real> places = {NAN, 0, INFINITY, 0, 0, -INFINITY, 0, 0};
  grid.fill([&](std::int64_t i) { return places[static_cast<std::size_t>(i)]; });
  const OpTensor out(ACL_FLOAT, {1, 1, 1, 4});
  const auto bytes = run(
      [&](auto* n, auto** e) {
        return aclnnGridSampler2DGetWorkspaceSize(input.get(), grid.get(), 0, 0, true, out.get(), n, e);
      },
      aclnnGridSampler2D, {&input, &grid}, out);
  expect(out, bytes, {0, 0, 0, 5});
}

TEST_F(GridSample, RefusesOthers) {
  const OpTensor input(ACL_FLOAT, {2, 3, 4, 5});
  const OpTensor grid(ACL_FLOAT, {2, 6, 7, 2});
  const OpTensor three(ACL_FLOAT, {2, 6, 7, 3});
  const OpTensor half(ACL_FLOAT16, {2, 6, 7, 2});
  const OpTensor out(ACL_FLOAT, {2, 3, 6, 7});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const aclTensor* x, const aclTensor* g, std::int64_t interpolation, std::int64_t padding,
                        aclTensor* y) {
    return aclnnGridSampler2DGetWorkspaceSize(x, g, interpolation, padding, false, y, &size, &executor);
  };
  EXPECT_EQ(plan(nullptr, grid.get(), 0, 0, out.get()), 161001);
  EXPECT_EQ(plan(input.get(), nullptr, 0, 0, out.get()), 161001);
  EXPECT_EQ(plan(input.get(), grid.get(), 0, 0, nullptr), 161001);
  EXPECT_EQ(plan(input.get(), half.get(), 0, 0, out.get()), 161002);
  EXPECT_EQ(plan(input.get(), three.get(), 0, 0, out.get()), 161002);
  EXPECT_EQ(plan(input.get(), grid.get(), 3, 0, out.get()), 161002);
  EXPECT_EQ(plan(input.get(), grid.get(), 0, -1, out.get()), 161002);
  EXPECT_EQ(plan(input.get(), grid.get(), 0, 0, input.get()), 161002);
  const bool both[] = {true, true};
  aclBoolArray* mask = aclCreateBoolArray(both, 2);
  aclBoolArray* single = aclCreateBoolArray(both, 1);
  const auto back = [&](const aclTensor* g, const aclBoolArray* wanted, aclTensor* image, aclTensor* points) {
    return aclnnGridSampler2DBackwardGetWorkspaceSize(g, input.get(), grid.get(), 0, 0, false, wanted, image, points,
                                                      &size, &executor);
  };
  const OpTensor image(ACL_FLOAT, {2, 3, 4, 5});
  const OpTensor points(ACL_FLOAT, {2, 6, 7, 2});
  EXPECT_EQ(back(nullptr, mask, image.get(), points.get()), 161001);
  EXPECT_EQ(back(out.get(), nullptr, image.get(), points.get()), 161001);
  EXPECT_EQ(back(out.get(), mask, nullptr, points.get()), 161001);
  EXPECT_EQ(back(out.get(), mask, image.get(), nullptr), 161001);
  EXPECT_EQ(back(out.get(), single, image.get(), points.get()), 161002);
  EXPECT_EQ(back(image.get(), mask, image.get(), points.get()), 161002);
  EXPECT_EQ(back(out.get(), mask, points.get(), points.get()), 161002);
  aclDestroyBoolArray(mask);
  aclDestroyBoolArray(single);
}

}  // namespace
}  // namespace aclvk::test
