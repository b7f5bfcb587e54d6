#include <cmath>

#include "aclnnop/aclnn_fused_matmul.h"
#include "ops/matmul/products/product_reference.hpp"

namespace aclvk::test {
namespace {

class FusedMatmul : public OpTest {
 protected:
  static Real meaning(const std::string& kind, Real x, Real other) {
    if (kind == "add") return x + other;
    if (kind == "mul") return x * other;
    if (kind == "relu") return std::max(x, Real(0));
    if (kind == "gelu_erf") return x / 2 * (1 + std::erf(x / std::sqrt(Real(2))));
    if (kind == "gelu_tanh") return x / 2 * (1 + std::tanh(0.797884560802865L * (x + 0.044715L * x * x * x)));
    return x;
  }

  static void check_fused(aclDataType type, const std::string& kind, const Shape& first, const Shape& second,
                          bool has_bias) {
    SCOPED_TRACE(testing::Message() << "dtype " << type << ", \"" << kind << '"');
    OpTensor x1(type, first);
    OpTensor x2(type, second);
    OpTensor bias(type, {second.back()});
    Shape shape = first;
    shape.back() = second.back();
    OpTensor x3(type, shape);
    fill_eighths(x1, 1);
    fill_eighths(x2, 2);
    fill_eighths(bias, 3);
    fill_eighths(x3, 4);
    const OpTensor y(type, shape);
    const bool has_operand = kind == "add" || kind == "mul";
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnFusedMatmulGetWorkspaceSize(x1.get(), x2.get(), has_bias ? bias.get() : nullptr,
                                                  has_operand ? x3.get() : nullptr, kind.c_str(), 0, y.get(), n, e);
        },
        aclnnFusedMatmul, {&x1, &x2, &bias, &x3}, y);
    const auto expected = [&](std::int64_t i) -> Number {
      const Shape at = coordinates_of(i, shape);
      const Real product = exact_product({x1}, {x2}, at).real() + (has_bias ? bias.before(at.back()).real() : 0);
      return meaning(kind, product, x3.before(i).real());
    };
    expect_elements(y, bytes, expected, false);
  }
};

TEST_F(FusedMatmul, DoesSomethingWithTheProduct) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (const char* kind : {"", "add", "mul", "relu", "gelu_erf", "gelu_tanh"}) {
      check_fused(type, kind, {7, 16}, {16, 24}, type != ACL_FLOAT);
    }
  }
  check_fused(ACL_FLOAT, "add", {2, 5, 7}, {2, 7, 3}, true);
  check_fused(ACL_FLOAT, "16cast32", {5, 0}, {0, 3}, true);
}

TEST_F(FusedMatmul, RefusesOthers) {
  const OpTensor x1(ACL_FLOAT, {4, 5});
  const OpTensor x2(ACL_FLOAT, {5, 3});
  const OpTensor halves(ACL_FLOAT16, {5, 3});
  const OpTensor y(ACL_FLOAT, {4, 3});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const aclTensor* second, const char* kind, const OpTensor& to) {
    return aclnnFusedMatmulGetWorkspaceSize(x1.get(), second, nullptr, nullptr, kind, 0, to.get(), &size, &executor);
  };
  EXPECT_EQ(plan(nullptr, "", y), 161001);
  EXPECT_EQ(plan(x2.get(), nullptr, y), 161001);
  EXPECT_EQ(plan(x2.get(), "add", y), 161001);
  EXPECT_EQ(plan(x2.get(), "tanh", y), 161002);
  EXPECT_EQ(plan(halves.get(), "", y), 161002);
  EXPECT_EQ(plan(x1.get(), "", y), 161002);
  EXPECT_EQ(plan(x2.get(), "", x1), 161002);
  EXPECT_EQ(executor, nullptr);
}

}  // namespace
}  // namespace aclvk::test
