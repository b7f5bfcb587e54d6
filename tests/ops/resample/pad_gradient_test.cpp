#include "aclnnop/aclnn_circular_pad2d_backward.h"
#include "aclnnop/aclnn_circular_pad3d_backward.h"
#include "aclnnop/aclnn_pad2d_backward.h"
#include "aclnnop/aclnn_reflection_pad1d_backward.h"
#include "aclnnop/aclnn_reflection_pad3d_backward.h"
#include "aclnnop/aclnn_replication_pad1d_backward.h"
#include "aclnnop/aclnn_replication_pad3d_backward.h"
#include "support/op_arguments.hpp"

namespace aclvk::test {
namespace {

enum class Kind { kReflection, kReplication, kCircle };

using Phase = decltype(&aclnnReflectionPad1dBackwardGetWorkspaceSize);
struct PadOperator {
  Phase phase;
  Launch launch;
};

PadOperator operator_of(Kind kind, std::size_t dims) {
#define OPERATOR(name) \
  PadOperator { name##GetWorkspaceSize, name }
  if (kind == Kind::kCircle)
    return dims == 2 ? OPERATOR(aclnnCircularPad2dBackward) : OPERATOR(aclnnCircularPad3dBackward);
  if (kind == Kind::kReflection) {
    return dims == 1   ? OPERATOR(aclnnReflectionPad1dBackward)
           : dims == 2 ? OPERATOR(aclnnReflectionPad2dBackward)
                       : OPERATOR(aclnnReflectionPad3dBackward);
  }
  return dims == 1   ? OPERATOR(aclnnReplicationPad1dBackward)
         : dims == 2 ? OPERATOR(aclnnReplicationPad2dBackward)
                     : OPERATOR(aclnnReplicationPad3dBackward);
#undef OPERATOR
}

class PadGradient : public OpTest {
 protected:
  static std::int64_t source_of(Kind kind, std::int64_t place, std::int64_t size) {
    if (kind == Kind::kReplication) return std::min(std::max<std::int64_t>(place, 0), size - 1);
    if (kind == Kind::kCircle) return (place % size + size) % size;
    return place < 0 ? -place : place >= size ? 2 * (size - 1) - place : place;
  }

  static Shape padded(Shape shape, const Shape& padding) {
    for (std::size_t i = 0; 2 * i < padding.size(); ++i) {
      shape[shape.size() - 1 - i] += padding[2 * i] + padding[2 * i + 1];
    }
    return shape;
  }

  static void check(Kind kind, aclDataType type, const Shape& shape, const Shape& padding, const View& view = {},
                    const View& out_view = {}) {
    SCOPED_TRACE(testing::Message() << "kind " << static_cast<int>(kind) << ", dtype " << type << ", shape "
                                    << testing::PrintToString(shape) << ", padding "
                                    << testing::PrintToString(padding));
    OpTensor gradient(type, padded(shape, padding), view);
    const OpTensor self(type, shape);
    const OpTensor out(type, shape, out_view);
    gradient.fill_random(3);
    std::vector<Number> sums(static_cast<std::size_t>(self.count()), Number(0));
    for (std::int64_t i = 0; i < gradient.count(); ++i) {
      Shape at = coordinates_of(i, gradient.shape());
      for (std::size_t k = 0; 2 * k < padding.size(); ++k) {
        const std::size_t dim = shape.size() - 1 - k;
        at[dim] = source_of(kind, at[dim] - padding[2 * k], shape[dim]);
      }
      sums[static_cast<std::size_t>(element_at(at, shape))] += gradient.before(i);
    }
    const OpInts values(padding);
    const PadOperator pad = operator_of(kind, padding.size() / 2);
    const auto bytes =
        run([&](auto* n, auto** e) { return pad.phase(gradient.get(), self.get(), values.get(), out.get(), n, e); },
            pad.launch, {&gradient, &self}, out);
    expect_elements(
        out, bytes, [&](std::int64_t i) { return rounded(sums[static_cast<std::size_t>(i)], type); }, false);
  }
};

TEST_F(PadGradient, SumsWhatWasMirrored) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE, ACL_COMPLEX64, ACL_COMPLEX128}) {
    for (const Kind kind : {Kind::kReflection, Kind::kReplication}) {
      check(kind, type, {3, 7}, {2, 5});
      check(kind, type, {2, 3, 5, 7}, {3, 6, 4, 0});
      check(kind, type, {2, 3, 4, 5, 7}, {1, 2, 0, 3, 3, 1});
    }
  }
}

TEST_F(PadGradient, SumsWhatWentAround) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    check(Kind::kCircle, type, {2, 3, 5, 7}, {7, 3, 0, 5});
    check(Kind::kCircle, type, {2, 3, 4, 5, 7}, {1, 2, 5, 3, 4, 4});
  }
}

TEST_F(PadGradient, PaddingMayCutOff) {
  for (const Kind kind : {Kind::kReflection, Kind::kReplication}) {
    check(kind, ACL_FLOAT, {3, 11}, {-2, 4});
    check(kind, ACL_FLOAT, {3, 11}, {3, -5});
    check(kind, ACL_FLOAT, {3, 5, 11}, {-2, -3, -1, 2});
    check(kind, ACL_FLOAT, {3, 4}, {-1, -3});  // nothing is left
  }
  check(Kind::kCircle, ACL_FLOAT, {2, 5, 7}, {-2, 3, 4, -3});
}

TEST_F(PadGradient, WithoutPaddingIsTheGradient) {
  check(Kind::kReflection, ACL_FLOAT, {3, 7}, {0, 0});
  check(Kind::kReplication, ACL_COMPLEX64, {2, 3, 7}, {0, 0, 0, 0});
}

TEST_F(PadGradient, OneElementIsEverythingThatWasReplicated) {
  check(Kind::kReplication, ACL_FLOAT, {2, 1, 1}, {3, 2, 0, 4});
  check(Kind::kReplication, ACL_FLOAT, {1, 2}, {70001, 65537});
}

TEST_F(PadGradient, TensorsMayBeAnyView) {
  check(Kind::kReflection, ACL_FLOAT, {2, 3, 5, 4}, {1, 2, 3, 0}, {{1, 2, 60, 7}, 3}, {{80, 1, 16, 3}, 5});
  check(Kind::kCircle, ACL_FLOAT16, {2, 3, 5, 4}, {1, 2, 3, 0}, {{0, 56, 7, 0}, 1}, {{90, 29, 5, 1}, 2});
  check(Kind::kReplication, ACL_COMPLEX64, {2, 3, 5, 4}, {1, 2, 3, 0}, {{1, 2, 60, 7}, 3}, {{80, 1, 16, 3}, 5});
}

TEST_F(PadGradient, OfAnEmptyBatchIsNothing) { check(Kind::kReflection, ACL_FLOAT, {0, 3, 5}, {1, 2, 2, 1}); }

TEST_F(PadGradient, RefusesOthers) {
  const OpTensor self(ACL_FLOAT, {3, 7});
  const OpTensor whole(ACL_INT32, {3, 10});
  const OpTensor gradient(ACL_FLOAT, {3, 10});
  const OpTensor half(ACL_FLOAT16, {3, 10});
  const OpTensor out(ACL_FLOAT, {3, 7});
  const OpInts padding({1, 2});
  const OpInts three({1, 2, 3});
  const OpInts wide({7, 2});
  const OpInts narrow({-9, 2});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const aclTensor* g, const aclTensor* x, const OpInts* values, aclTensor* y) {
    return aclnnReflectionPad1dBackwardGetWorkspaceSize(g, x, values ? values->get() : nullptr, y, &size, &executor);
  };
  EXPECT_EQ(plan(nullptr, self.get(), &padding, out.get()), 161001);
  EXPECT_EQ(plan(gradient.get(), nullptr, &padding, out.get()), 161001);
  EXPECT_EQ(plan(gradient.get(), self.get(), nullptr, out.get()), 161001);
  EXPECT_EQ(plan(gradient.get(), self.get(), &padding, nullptr), 161001);
  EXPECT_EQ(plan(whole.get(), self.get(), &padding, out.get()), 161002);
  EXPECT_EQ(plan(half.get(), self.get(), &padding, out.get()), 161002);
  for (const OpInts* values : {&three, &wide, &narrow}) {
    EXPECT_EQ(plan(gradient.get(), self.get(), values, out.get()), 161002);
  }
  EXPECT_EQ(plan(self.get(), self.get(), &padding, out.get()), 161002);
  EXPECT_EQ(plan(gradient.get(), self.get(), &padding, gradient.get()), 161002);
}

}  // namespace
}  // namespace aclvk::test
