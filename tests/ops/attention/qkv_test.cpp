#include "aclnnop/aclnn_transform_bias_rescale_qkv.h"
#include "support/op_arguments.hpp"

namespace aclvk::test {
namespace {

class SplitQkv : public OpTest {
 protected:
  static constexpr std::int64_t kB = 2, kT = 5, kHeads = 3, kD = 12, kColumns = kHeads * kD;
};

TEST_F(SplitQkv, MakesHeadsOfColumns) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    OpTensor qkv(type, {kB, kT, 3 * kColumns});
    OpTensor bias(type, {3 * kColumns});
    qkv.fill_random(1);
    bias.fill_random(2);
    const Shape shape{kB, kHeads, kT, kD};
    const OpTensor q(type, shape);
    const OpTensor k(type, shape);
    const OpTensor v(type, shape);
    const OpTensor* outs[] = {&q, &k, &v};
    for (std::int64_t part = 0; part < 3; ++part) {
      SCOPED_TRACE(testing::Message() << "dtype " << type << ", part " << part);
      const auto bytes = run(
          [&](auto* n, auto** e) {
            return aclnnTransformBiasRescaleQkvGetWorkspaceSize(qkv.get(), bias.get(), kHeads, q.get(), k.get(),
                                                                v.get(), n, e);
          },
          aclnnTransformBiasRescaleQkv, {&qkv, &bias}, *outs[part]);
      expect_elements(
          *outs[part], bytes,
          [&](std::int64_t i) -> Number {
            const Shape at = coordinates_of(i, shape);
            const std::int64_t column = part * kColumns + at[1] * kD + at[3];
            const Number sum = qkv.before((at[0] * kT + at[2]) * 3 * kColumns + column) + bias.before(column);
            return part == 0 ? sum / std::sqrt(Real(kD)) : sum;
          },
          false);
    }
  }
}

TEST_F(SplitQkv, RefusesOthers) {
  const OpTensor qkv(ACL_FLOAT, {kB, kT, 3 * kColumns});
  const OpTensor bias(ACL_FLOAT, {3 * kColumns});
  const OpTensor few(ACL_FLOAT, {kColumns});
  const OpTensor halves(ACL_FLOAT16, {3 * kColumns});
  const OpTensor integers(ACL_INT32, {kB, kT, 3 * kColumns});
  const OpTensor k(ACL_FLOAT, {kB, kHeads, kT, kD});
  const OpTensor v(ACL_FLOAT, {kB, kHeads, kT, kD});
  const OpTensor q(ACL_FLOAT, {kB, kHeads, kT, kD});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const OpTensor& all, const aclTensor* added, int64_t heads, const OpTensor& first) {
    return aclnnTransformBiasRescaleQkvGetWorkspaceSize(all.get(), added, heads, first.get(), k.get(), v.get(), &size,
                                                        &executor);
  };
  EXPECT_EQ(plan(qkv, nullptr, kHeads, q), 161001);
  EXPECT_EQ(plan(integers, bias.get(), kHeads, q), 161002);
  EXPECT_EQ(plan(qkv, halves.get(), kHeads, q), 161002);
  EXPECT_EQ(plan(qkv, few.get(), kHeads, q), 161002);
  EXPECT_EQ(plan(qkv, bias.get(), 0, q), 161002);
  EXPECT_EQ(plan(qkv, bias.get(), 5, q), 161002);
  EXPECT_EQ(plan(qkv, bias.get(), INT64_MAX, q), 161002);
  EXPECT_EQ(plan(qkv, bias.get(), kHeads, few), 161002);
  EXPECT_EQ(executor, nullptr);
}

}  // namespace
}  // namespace aclvk::test
