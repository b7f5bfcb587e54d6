#include "aclnnop/aclnn_upsample_nearest_1d.h"
#include "aclnnop/aclnn_upsample_nearest_1d_v2.h"
#include "aclnnop/aclnn_upsample_nearest_2d.h"
#include "aclnnop/aclnn_upsample_nearest_2d_v2.h"
#include "aclnnop/aclnn_upsample_nearest_3d.h"
#include "aclnnop/aclnn_upsample_nearest_exact1d.h"
#include "aclnnop/aclnn_upsample_nearest_exact2d.h"
#include "aclnnop/aclnn_upsample_nearest_exact3d.h"
#include "support/op_arguments.hpp"

namespace aclvk::test {
namespace {

/// The pixel that torch takes, in float as there.
std::int64_t nearest(std::int64_t at, std::int64_t from, std::int64_t to, double scale, bool exact) {
  const float factor = scale > 0 ? static_cast<float>(1.0 / scale) : static_cast<float>(from) / static_cast<float>(to);
  if (!exact && from == to) return at;
  if (!exact && 2 * from == to) return at / 2;
  const float place = std::floor((static_cast<float>(at) + (exact ? 0.5F : 0.0F)) * factor);
  return std::min(static_cast<std::int64_t>(place), from - 1);
}

/// An upsampling of the last dims; scales are those of the sizes when they are 0.
struct Upsample {
  const char* name;
  std::size_t dims;
  bool exact;
  std::function<aclnnStatus(const aclTensor*, const aclIntArray*, const double*, aclTensor*, uint64_t*,
                            aclOpExecutor**)>
      plan;
  Launch launch;
  bool has_scales = true;
};

std::vector<Upsample> upsamples() {
  using T = const aclTensor*;
  using I = const aclIntArray*;
  using S = const double*;
  using E = aclOpExecutor**;
  return {{"1d", 1, false,
           [](T x, I o, S, aclTensor* y, uint64_t* n, E e) {
             return aclnnUpsampleNearest1dGetWorkspaceSize(x, o, y, n, e);
           },
           aclnnUpsampleNearest1d, false},
          {"1dV2", 1, false,
           [](T x, I o, S s, aclTensor* y, uint64_t* n, E e) {
             return aclnnUpsampleNearest1dV2GetWorkspaceSize(x, o, static_cast<float>(s[0]), y, n, e);
           },
           aclnnUpsampleNearest1dV2},
          {"2d", 2, false,
           [](T x, I o, S, aclTensor* y, uint64_t* n, E e) {
             return aclnnUpsampleNearest2dGetWorkspaceSize(x, o, y, n, e);
           },
           aclnnUpsampleNearest2d, false},
          {"2dV2", 2, false,
           [](T x, I o, S s, aclTensor* y, uint64_t* n, E e) {
             return aclnnUpsampleNearest2dV2GetWorkspaceSize(x, o, static_cast<float>(s[0]), static_cast<float>(s[1]),
                                                             y, n, e);
           },
           aclnnUpsampleNearest2dV2},
          {"3d", 3, false,
           [](T x, I o, S s, aclTensor* y, uint64_t* n, E e) {
             return aclnnUpsampleNearest3dGetWorkspaceSize(x, o, s[0], s[1], s[2], y, n, e);
           },
           aclnnUpsampleNearest3d},
          {"Exact1d", 1, true,
           [](T x, I o, S s, aclTensor* y, uint64_t* n, E e) {
             return aclnnUpsampleNearestExact1dGetWorkspaceSize(x, o, s[0], y, n, e);
           },
           aclnnUpsampleNearestExact1d},
          {"Exact2d", 2, true,
           [](T x, I o, S s, aclTensor* y, uint64_t* n, E e) {
             return aclnnUpsampleNearestExact2dGetWorkspaceSize(x, o, s[0], s[1], y, n, e);
           },
           aclnnUpsampleNearestExact2d},
          {"Exact3d", 3, true,
           [](T x, I o, S s, aclTensor* y, uint64_t* n, E e) {
             return aclnnUpsampleNearestExact3dGetWorkspaceSize(x, o, s[0], s[1], s[2], y, n, e);
           },
           aclnnUpsampleNearestExact3d}};
}

class Nearest : public MoveTest {
 protected:
  static void check(const Upsample& op, aclDataType type, const Shape& from, const Shape& to, double scale) {
    SCOPED_TRACE(std::string(op.name) + " scale " + std::to_string(scale));
    Shape shape = {2, 3};
    Shape result = {2, 3};
    shape.insert(shape.end(), from.begin(), from.begin() + static_cast<std::ptrdiff_t>(op.dims));
    result.insert(result.end(), to.begin(), to.begin() + static_cast<std::ptrdiff_t>(op.dims));
    OpTensor self(type, shape);
    self.fill_random(1);
    const OpTensor out(type, result);
    const OpInts size(Shape(result.begin() + 2, result.end()));
    const double scales[] = {scale, scale, scale};
    const double used = op.has_scales ? scale : 0;
    check_moved([&](auto* n, auto** e) { return op.plan(self.get(), size.get(), scales, out.get(), n, e); }, op.launch,
                self, out,
                [&](Shape at) {
                  for (std::size_t i = 2; i < at.size(); ++i) {
                    at[i] = nearest(at[i], shape[i], result[i], used, op.exact);
                  }
                  return at;
                });
  }
};

TEST_F(Nearest, TakesThePixelThatTorchTakes) {
  for (const Upsample& op : upsamples()) {
    std::vector<aclDataType> types = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};
    if (op.dims < 3 || !op.exact) types.push_back(ACL_UINT8);
    if (!op.exact) types.push_back(ACL_DOUBLE);
    for (const aclDataType type : types) {
      check(op, type, {5, 4, 3}, {13, 8, 3}, 0);
      check(op, type, {7, 7, 7}, {3, 2, 5}, 0);
      check(op, type, {5, 4, 3}, {12, 10, 7}, 2.5);
    }
  }
}

TEST_F(Nearest, RefusesWhatDoesNotFit) {
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const OpTensor self(ACL_FLOAT, {1, 2, 5});
  const OpTensor out(ACL_FLOAT, {1, 2, 9});
  const OpTensor whole(ACL_INT32, {1, 2, 5});
  const OpInts nine({9});
  const OpInts ten({10});
  const OpInts two({9, 9});
  EXPECT_EQ(aclnnUpsampleNearest1dGetWorkspaceSize(nullptr, nine.get(), out.get(), &size, &executor), 161001);
  EXPECT_EQ(aclnnUpsampleNearest1dGetWorkspaceSize(self.get(), nullptr, out.get(), &size, &executor), 161001);
  EXPECT_EQ(aclnnUpsampleNearest1dGetWorkspaceSize(self.get(), ten.get(), out.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnUpsampleNearest1dGetWorkspaceSize(self.get(), two.get(), out.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnUpsampleNearest1dGetWorkspaceSize(whole.get(), nine.get(), whole.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnUpsampleNearest2dGetWorkspaceSize(self.get(), two.get(), out.get(), &size, &executor), 161002);
  EXPECT_EQ(executor, nullptr);
}

}  // namespace
}  // namespace aclvk::test
