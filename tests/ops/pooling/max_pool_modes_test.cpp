#include "aclnnop/aclnn_max_pool3_d.h"
#include "aclnnop/aclnn_max_pool_v3.h"
#include "ops/pooling/window_reference.hpp"

namespace aclvk::test {
namespace {

/// The arguments of aclnnMaxPool3D; arrays without values are NULL.
struct Attributes {
  const char* padding = "VALID";
  Shape pads{};
  std::int64_t ceil_mode = 0;
  const char* layout = "NCDHW";
  bool whole_arrays = false;  ///< arrays have values for the batch and the channels, too
};

class MaxPoolModes : public OpTest {
 protected:
  static void fill_steps(OpTensor& tensor) {
    std::mt19937 random(3);
    tensor.fill([&](std::int64_t) { return Real(static_cast<int>(random() % 9)); });
  }

  /// (N, C, D, H, W) to the order of a layout, and back.
  static Shape laid_out(const Shape& shape, bool channels_last) {
    return channels_last ? Shape{shape[0], shape[2], shape[3], shape[4], shape[1]} : shape;
  }
  static Shape channels_first(const Shape& shape, bool channels_last) {
    return channels_last ? Shape{shape[0], shape[4], shape[1], shape[2], shape[3]} : shape;
  }

  /// `window.padding` is the padding before the dims, `positions` the spatial shape of the result.
  static void check_volume(aclDataType type, const Shape& shape, const MovingWindow& window, const Shape& positions,
                           const Attributes& attributes, const View& view = {}) {
    SCOPED_TRACE(testing::Message() << "dtype " << type << ", " << attributes.padding);
    const bool channels_last = !attributes.layout || attributes.layout[1] == 'D';
    OpTensor x(type, laid_out(shape, channels_last), view);
    fill_steps(x);
    Shape result{shape[0], shape[1], positions[0], positions[1], positions[2]};
    const OpTensor out(type, laid_out(result, channels_last));
    const auto whole = [&](const Shape& values) {
      return attributes.whole_arrays ? laid_out({1, 1, values[0], values[1], values[2]}, channels_last) : values;
    };
    const OpInts kernel(whole(window.kernel));
    const OpInts stride(whole(window.stride));
    const OpInts dilation(whole(window.dilation));
    const OpInts pads(attributes.pads);
    const bool is_dilated = window.dilation != Shape{1, 1, 1};
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnMaxPool3DGetWorkspaceSize(
              x.get(), kernel.get(), stride.get(), attributes.padding, attributes.pads.empty() ? nullptr : pads.get(),
              is_dilated ? dilation.get() : nullptr, attributes.ceil_mode, attributes.layout, out.get(), n, e);
        },
        aclnnMaxPool3D, {&x}, out);
    const auto expected = [&](std::int64_t i) -> Number {
      const Shape at = channels_first(coordinates_of(i, out.shape()), channels_last);
      Real largest = -INFINITY;
      visit_box(at, ranges_at(window, at, shape), 0, [&](const Shape& place) {
        largest = std::max(largest, x.before(element_at(laid_out(place, channels_last), x.shape())).real());
      });
      return largest;
    };
    expect_elements(out, bytes, expected, true);
  }

  static void check_plane(OpTensor& x, const MovingWindow& window, const Shape& pads, const Shape& positions,
                          bool whole_arrays = false) {
    SCOPED_TRACE(testing::Message() << "dtype " << x.type());
    Shape result = x.shape();
    std::copy(positions.begin(), positions.end(), result.end() - 2);
    const OpTensor out(x.type(), result);
    const auto whole = [&](const Shape& values) { return whole_arrays ? Shape{1, 1, values[0], values[1]} : values; };
    const OpInts kernel(whole(window.kernel));
    const OpInts stride(whole(window.stride));
    const OpInts padding(pads);
    const OpScalar ceil_mode(ACL_BOOL, window.ceil_mode ? 1 : 0);
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnMaxPoolV3GetWorkspaceSize(x.get(), kernel.get(), stride.get(), padding.get(), ceil_mode.get(),
                                                out.get(), n, e);
        },
        aclnnMaxPoolV3, {&x}, out);
    const auto expected = [&](std::int64_t i) -> Number {
      const Shape at = coordinates_of(i, result);
      const WindowElements elements(x, at, ranges_at(window, at, x.shape()));
      return elements.values[elements.largest()];
    };
    expect_elements(out, bytes, expected, true);
  }
};

TEST_F(MaxPoolModes, SamePaddingHasItsLargerHalfAtTheEnd) {
  const MovingWindow window{{2, 3, 3}, {2, 3, 2}, {0, 1, 0}, {1, 1, 1}};
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    check_volume(type, {2, 3, 5, 7, 8}, window, {3, 3, 4}, {"SAME"});
  }
  check_volume(ACL_FLOAT, {2, 3, 5, 7, 8}, window, {3, 3, 4}, {"SAME", {0, 0, 0, 0, 0, 0}, 1, "NDHWC", true});
}

TEST_F(MaxPoolModes, ValidHasWholeWindowsOnly) {
  const MovingWindow window{{2, 3, 3}, {2, 3, 2}, {0, 0, 0}, {1, 1, 1}};
  check_volume(ACL_FLOAT, {2, 3, 5, 7, 8}, window, {2, 2, 3}, {"VALID", {}, 0, nullptr});
  check_volume(ACL_FLOAT, {2, 3, 5, 7, 8}, window, {2, 2, 3}, {"VALID", {}, 0, "NCDHW", true},
               {{1800, 3, 302, 43, 5}, 2});
}

TEST_F(MaxPoolModes, CalculatedTakesThePaddingOfEachSide) {
  const MovingWindow window{{2, 3, 3}, {2, 3, 2}, {1, 0, 1}, {1, 1, 2}};
  check_volume(ACL_FLOAT, {2, 3, 5, 7, 8}, window, {3, 3, 4}, {"CALCULATED", {1, 0, 0, 1, 1, 1}, 1});
  check_volume(ACL_FLOAT16, {2, 3, 5, 7, 8}, window, {3, 2, 3}, {"CALCULATED", {1, 0, 0, 1, 1, 1}, 0, "NDHWC", true});
}

TEST_F(MaxPoolModes, OfAnEmptyBatchIsNothing) {
  const MovingWindow window{{2, 3, 3}, {2, 3, 2}, {0, 0, 0}, {1, 1, 1}};
  check_volume(ACL_FLOAT, {0, 3, 5, 7, 8}, window, {2, 2, 3}, {"VALID"});
}

TEST_F(MaxPoolModes, PoolsIntegersToo) {
  for (const aclDataType type :
       {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT8, ACL_UINT8, ACL_INT16, ACL_UINT16, ACL_INT32, ACL_INT64}) {
    OpTensor x(type, {2, 3, 9, 8});
    fill_steps(x);
    check_plane(x, {{3, 2}, {2, 2}, {1, 1}, {1, 1}}, {1, 0, 1, 1}, {4, 5});
  }
}

TEST_F(MaxPoolModes, PadsAreThoseOfTopBottomLeftAndRight) {
  OpTensor x(ACL_FLOAT, {3, 9, 8}, {{1, 37, 4}, 2});
  x.fill([](std::int64_t i) { return i % 29 == 3 ? Real(NAN) : Real(i * 7919 % 31); });
  check_plane(x, {{3, 2}, {2, 2}, {0, 1}, {1, 1}, true}, {0, 1, 1, 0}, {5, 5}, true);
  check_plane(x, {{3, 2}, {2, 3}, {0, 0}, {1, 1}}, {0}, {4, 3});
}

class MaxPoolModesRefuse : public MaxPoolModes {
 protected:
  static inline uint64_t size = 0;
  static inline aclOpExecutor* executor = nullptr;
};

TEST_F(MaxPoolModesRefuse, OtherPlanes) {
  const OpTensor x(ACL_FLOAT, {3, 9, 8});
  const OpTensor half(ACL_FLOAT16, {3, 9, 8});
  const OpTensor out(ACL_FLOAT, {3, 4, 4});
  const OpInts two({2, 2});
  const OpInts three({2, 2, 2});
  const OpInts channels({1, 2, 2, 2});
  const OpInts zero({0, 0, 0, 0});
  const OpInts wide({0, 0, 2, 0});
  const OpScalar no(ACL_BOOL, 0);
  const OpScalar other(ACL_INT32, 2);
  const auto plan = [&](const aclTensor* from, const OpInts* kernel, const OpInts* pads, const OpScalar* ceil_mode,
                        aclTensor* to) {
    return aclnnMaxPoolV3GetWorkspaceSize(from, kernel ? kernel->get() : nullptr, two.get(),
                                          pads ? pads->get() : nullptr, ceil_mode ? ceil_mode->get() : nullptr, to,
                                          &size, &executor);
  };
  EXPECT_EQ(plan(x.get(), &two, &zero, &no, out.get()), 0);
  EXPECT_EQ(plan(nullptr, &two, &zero, &no, out.get()), 161001);
  EXPECT_EQ(plan(x.get(), nullptr, &zero, &no, out.get()), 161001);
  EXPECT_EQ(plan(x.get(), &two, nullptr, &no, out.get()), 161001);
  EXPECT_EQ(plan(x.get(), &two, &zero, nullptr, out.get()), 161001);
  EXPECT_EQ(plan(x.get(), &two, &zero, &no, nullptr), 161001);
  EXPECT_EQ(plan(half.get(), &two, &zero, &no, out.get()), 161002);
  EXPECT_EQ(plan(x.get(), &three, &zero, &no, out.get()), 161002);
  EXPECT_EQ(plan(x.get(), &channels, &zero, &no, out.get()), 161002);
  EXPECT_EQ(plan(x.get(), &two, &three, &no, out.get()), 161002);
  EXPECT_EQ(plan(x.get(), &two, &wide, &no, out.get()), 161002);
  EXPECT_EQ(plan(x.get(), &two, &zero, &other, out.get()), 161002);
  EXPECT_EQ(plan(x.get(), &two, &zero, &no, x.get()), 161002);
}

TEST_F(MaxPoolModesRefuse, OtherVolumes) {
  const OpTensor x(ACL_FLOAT, {2, 4, 4, 4, 3});
  const OpTensor flat(ACL_FLOAT, {4, 4, 4, 3});
  const OpTensor out(ACL_FLOAT, {2, 2, 2, 2, 3});
  const OpInts two({2});
  const OpInts first({1, 1, 2, 2, 2});
  const OpInts one({1, 1, 1, 1, 1, 1});
  const auto plan = [&](const aclTensor* from, const OpInts* kernel, const char* padding, const OpInts* pads,
                        std::int64_t ceil_mode, const char* layout, aclTensor* to) {
    return aclnnMaxPool3DGetWorkspaceSize(from, kernel ? kernel->get() : nullptr, two.get(), padding,
                                          pads ? pads->get() : nullptr, nullptr, ceil_mode, layout, to, &size,
                                          &executor);
  };
  EXPECT_EQ(plan(x.get(), &two, "VALID", nullptr, 0, nullptr, out.get()), 0);
  EXPECT_EQ(plan(nullptr, &two, "VALID", nullptr, 0, nullptr, out.get()), 161001);
  EXPECT_EQ(plan(x.get(), nullptr, "VALID", nullptr, 0, nullptr, out.get()), 161001);
  EXPECT_EQ(plan(x.get(), &two, nullptr, nullptr, 0, nullptr, out.get()), 161001);
  EXPECT_EQ(plan(x.get(), &two, "VALID", nullptr, 0, nullptr, nullptr), 161001);
  EXPECT_EQ(plan(x.get(), &two, "valid", nullptr, 0, nullptr, out.get()), 161002);
  EXPECT_EQ(plan(x.get(), &first, "VALID", nullptr, 0, nullptr, out.get()), 161002);
  EXPECT_EQ(plan(x.get(), &two, "SAME", &one, 0, nullptr, out.get()), 161002);
  EXPECT_EQ(plan(x.get(), &two, "VALID", nullptr, 1, nullptr, out.get()), 161002);
  EXPECT_EQ(plan(x.get(), &two, "SAME", nullptr, 2, nullptr, out.get()), 161002);
  EXPECT_EQ(plan(x.get(), &two, "VALID", nullptr, 0, "NHWC", out.get()), 161002);
  EXPECT_EQ(plan(x.get(), &two, "VALID", nullptr, 0, "NCDHW", out.get()), 161002);
  EXPECT_EQ(plan(flat.get(), &two, "VALID", nullptr, 0, nullptr, out.get()), 161002);
  EXPECT_EQ(plan(x.get(), &two, "VALID", nullptr, 0, nullptr, x.get()), 161002);
}

}  // namespace
}  // namespace aclvk::test
