#include "aclnnop/aclnn_segsum.h"
#include "support/op_arguments.hpp"

namespace aclvk::test {
namespace {

constexpr Real kInf = std::numeric_limits<Real>::infinity();
constexpr Real kNan = std::numeric_limits<Real>::quiet_NaN();

Shape squared(Shape shape) {
  shape.push_back(shape.back());
  return shape;
}

class SegmentSums : public OpTest {
 protected:
  /// Column by column: 0 above the diagonal, 1 on it, and below it e to the power of a sum that grows by an element a
  /// row.
  static std::vector<Real> reference(const OpTensor& self) {
    const std::int64_t n = self.shape().back();
    std::vector<Real> all(static_cast<std::size_t>(self.count() * n));
    for (std::int64_t first = 0; first < self.count(); first += n) {
      for (std::int64_t j = 0; j < n; ++j) {
        Real sum = 0;
        for (std::int64_t i = j; i < n; ++i) {
          if (i > j) sum += self.before(first + i).real();
          all[static_cast<std::size_t>((first + i) * n + j)] = std::exp(sum);
        }
      }
    }
    return all;
  }

  static void check(const OpTensor& self, View view = {}) {
    SCOPED_TRACE("dtype " + std::to_string(self.type()) + ", " + std::to_string(self.count()) + " elements");
    const OpTensor out(self.type(), squared(self.shape()), std::move(view));
    const auto bytes =
        run([&](auto* n, auto** e) { return aclnnExpSegsumGetWorkspaceSize(self.get(), out.get(), n, e); },
            aclnnExpSegsum, {&self}, out);
    const std::vector<Real> all = reference(self);
    expect_elements(
        out, bytes, [&](std::int64_t i) { return rounded(all[static_cast<std::size_t>(i)], self.type()); }, false);
  }

  /// Random numbers of at most 1/4, whose sums stay small.
  static OpTensor& filled(OpTensor& self, unsigned seed) {
    self.fill_random(seed);
    return self.fill([&](std::int64_t i) { return std::fmod(self.before(i).real(), Real{0.25L}); });
  }
};

class SegmentSumTypes : public SegmentSums, public testing::WithParamInterface<aclDataType> {};

TEST_P(SegmentSumTypes, AreExponentials) {
  for (const Shape& shape : {Shape{1}, Shape{13}, Shape{3, 37}, Shape{2, 3, 5, 7}, Shape{2, 1, 1, 1, 1, 3, 5}}) {
    OpTensor self(GetParam(), shape);
    check(filled(self, 61));
  }
}

TEST_P(SegmentSumTypes, TakeStridesAndOffsets) {
  OpTensor transposed(GetParam(), {5, 11}, {{1, 7}, 3});
  check(filled(transposed, 62), {{200, 17, 1}, 5});
  OpTensor expanded(GetParam(), {3, 11}, {{0, 1}, 2});
  check(filled(expanded, 63), {{1, 40, 3}, 1});
  OpTensor repeated(GetParam(), {3, 11}, {{1, 0}, 4});
  check(filled(repeated, 64));
}

INSTANTIATE_TEST_SUITE_P(Types, SegmentSumTypes, testing::Values(ACL_FLOAT, ACL_FLOAT16, ACL_BF16), name_of_dtype);

TEST_F(SegmentSums, KeepInfinitiesAndNanInTheirSegments) {
  const Real x[] = {0.5L, -kInf, 1, kNan, -1, kInf, 2};
  OpTensor self(ACL_FLOAT, {7});
  check(self.fill([&](std::int64_t i) { return x[i]; }));
}

TEST_F(SegmentSums, OfLongRowsAreSummedInChunks) {
  OpTensor self(ACL_FLOAT, {1201});
  check(filled(self, 65));
}

// Some drivers end a thread's loops after 65535 iterations (shaders/common/bounded_loop.glsl). A row of so many
// elements has too many segments for a test's memory.
TEST_F(SegmentSums, OfMoreRowsThanALoopHasIterations) {
  OpTensor self(ACL_FLOAT16, {66003, 3});
  check(self.fill([](std::int64_t i) { return Real(i % 7 + 1) / 8; }));
}

TEST_F(SegmentSums, OfNothing) {
  check(OpTensor(ACL_FLOAT, {0}));
  check(OpTensor(ACL_FLOAT, {0, 3}));
  check(OpTensor(ACL_FLOAT, {3, 0}));
}

TEST_F(SegmentSums, RefuseWhatDoesNotFit) {
  const OpTensor self(ACL_FLOAT, {2, 3});
  const OpTensor out(ACL_FLOAT, {2, 3, 3});
  const OpTensor half(ACL_FLOAT16, {2, 3, 3});
  const OpTensor wide(ACL_DOUBLE, {2, 3});
  const OpTensor scalar(ACL_FLOAT, {});
  const OpTensor shared(ACL_FLOAT, {2, 3, 3}, {{9, 0, 1}});
  const OpTensor deep(ACL_FLOAT, {1, 1, 1, 1, 1, 1, 1, 1});
  uint64_t n = 0;
  aclOpExecutor* e = nullptr;
  EXPECT_EQ(aclnnExpSegsumGetWorkspaceSize(nullptr, half.get(), &n, &e), 161001);
  EXPECT_EQ(aclnnExpSegsumGetWorkspaceSize(self.get(), nullptr, &n, &e), 161001);
  EXPECT_EQ(aclnnExpSegsumGetWorkspaceSize(wide.get(), out.get(), &n, &e), 161002);
  EXPECT_EQ(aclnnExpSegsumGetWorkspaceSize(self.get(), half.get(), &n, &e), 161002);
  EXPECT_EQ(aclnnExpSegsumGetWorkspaceSize(self.get(), self.get(), &n, &e), 161002);
  EXPECT_EQ(aclnnExpSegsumGetWorkspaceSize(scalar.get(), scalar.get(), &n, &e), 161002);
  EXPECT_EQ(aclnnExpSegsumGetWorkspaceSize(deep.get(), deep.get(), &n, &e), 161002);
  EXPECT_EQ(aclnnExpSegsumGetWorkspaceSize(self.get(), shared.get(), &n, &e), 161002);
  EXPECT_EQ(e, nullptr);
}

}  // namespace
}  // namespace aclvk::test
