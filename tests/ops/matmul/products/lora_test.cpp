#include "aclnnop/aclnn_add_lora.h"
#include "aclnnop/aclnn_matmul_emu_split_weight.h"
#include "ops/matmul/products/product_reference.hpp"

namespace aclvk::test {
namespace {

class AddLora : public OpTest {
 protected:
  static constexpr std::int64_t kRows = 7, kAdapters = 3, kLayers = 2;

  struct Case {
    std::int64_t depth = 40;
    std::int64_t rank = 8;
    std::int64_t columns = 24;
    std::int64_t offset = 0;
    std::int64_t slice = 24;
    bool has_a = true;
    bool in_place = false;
  };

  static void check_sum(const Case& c) {
    SCOPED_TRACE(testing::Message() << "depth " << c.depth << ", rank " << c.rank << ", slice " << c.slice);
    constexpr std::int64_t kLayer = 1;
    OpTensor y(ACL_FLOAT16, {kRows, c.columns});
    OpTensor x(ACL_FLOAT16, {kRows, c.has_a ? c.depth : c.rank});
    OpTensor a(ACL_FLOAT16, {kAdapters, kLayers, c.rank, c.depth});
    OpTensor b(ACL_FLOAT16, {kAdapters, kLayers, c.slice, c.rank});
    OpTensor indices(ACL_INT32, {kRows});
    const OpTensor out(ACL_FLOAT16, {kRows, c.columns});
    fill_eighths(y, 1);
    fill_eighths(x, 2);
    fill_eighths(a, 3);
    fill_eighths(b, 4);
    indices.fill([](std::int64_t row) -> Number {
      return Real(row % 5 == 3 ? -1 : row % 5 == 4 ? kAdapters : row % 3);
    });
    const OpTensor& to = c.in_place ? y : out;
    const std::vector<const OpTensor*> read = {&y, &x, &a, &b, &indices};
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnAddLoraGetWorkspaceSize(y.get(), x.get(), b.get(), indices.get(), c.has_a ? a.get() : nullptr,
                                              kLayer, 0.5, c.offset, c.slice == c.columns ? -1 : c.slice, to.get(), n,
                                              e);
        },
        aclnnAddLora, read, to);
    const auto added = [&](std::int64_t row, std::int64_t column) {
      const auto adapter = static_cast<std::int64_t>(indices.before(row).real());
      if (adapter < 0 || adapter >= kAdapters) return Real(0);
      const std::int64_t matrix = adapter * kLayers + kLayer;
      Real sum = 0;
      for (std::int64_t r = 0; r < c.rank; ++r) {
        Real low = c.has_a ? 0 : x.before(row * c.rank + r).real();
        for (std::int64_t k = 0; c.has_a && k < c.depth; ++k) {
          low += x.before(row * c.depth + k).real() * a.before((matrix * c.rank + r) * c.depth + k).real();
        }
        sum += low * b.before((matrix * c.slice + column) * c.rank + r).real();
      }
      return sum;
    };
    expect_elements(
        to, bytes,
        [&](std::int64_t i) {
          const std::int64_t column = i % c.columns - c.offset;
          const bool inside = column >= 0 && column < c.slice;
          return held(y.before(i) + (inside ? added(i / c.columns, column) / 2 : 0), ACL_FLOAT16);
        },
        true);
  }
};

TEST_F(AddLora, AddsWhatTheNamedAdapterMakes) {
  check_sum({});
  check_sum({40, 8, 31, 5, 24});
  check_sum({37, 5, 24, 0, 24});   // no vec8s
  check_sum({66003, 2, 3, 0, 3});  // more than the iterations of a loop
  check_sum({40, 8, 24, 0, 24, false});
  check_sum({40, 8, 31, 7, 24, true, true});
}

TEST_F(AddLora, RefusesOthers) {
  const OpTensor y(ACL_FLOAT16, {4, 16});
  const OpTensor x(ACL_FLOAT16, {4, 24});
  const OpTensor a(ACL_FLOAT16, {2, 3, 8, 24});
  const OpTensor b(ACL_FLOAT16, {2, 3, 16, 8});
  const OpTensor more(ACL_FLOAT16, {5, 3, 16, 8});
  const OpTensor indices(ACL_INT32, {4});
  const OpTensor floats(ACL_FLOAT, {4, 16});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const OpTensor& to, const aclTensor* weight, const OpTensor& index, int64_t layer,
                        int64_t offset, int64_t slice) {
    return aclnnAddLoraGetWorkspaceSize(to.get(), x.get(), weight, index.get(), a.get(), layer, 1, offset, slice,
                                        to.get(), &size, &executor);
  };
  EXPECT_EQ(plan(y, nullptr, indices, 0, 0, 16), 161001);
  EXPECT_EQ(plan(floats, b.get(), indices, 0, 0, 16), 161002);
  EXPECT_EQ(plan(y, b.get(), x, 0, 0, 16), 161002);
  EXPECT_EQ(plan(y, more.get(), indices, 0, 0, 16), 161002);
  EXPECT_EQ(plan(y, a.get(), indices, 0, 0, 16), 161002);
  EXPECT_EQ(plan(y, b.get(), indices, 3, 0, 16), 161002);
  EXPECT_EQ(plan(y, b.get(), indices, -1, 0, 16), 161002);
  EXPECT_EQ(plan(y, b.get(), indices, 0, 1, 16), 161002);
  EXPECT_EQ(plan(y, b.get(), indices, 0, INT64_MAX - 7, 16), 161002);
  EXPECT_EQ(plan(y, b.get(), indices, 0, 0, 8), 161002);
  EXPECT_EQ(executor, nullptr);
}

/// Offsets have 32 bits. Only planned: nothing is read or written.
TEST_F(AddLora, RefusesProductsThatAreTooLarge) {
  const auto status = [](std::int64_t rows, std::int64_t columns, std::int64_t depth) {
    std::uintptr_t address = std::uintptr_t{1} << 46;
    const auto tensor = [&](aclDataType type, const Shape& shape) {
      const Shape strides = OpTensor::row_major(shape);
      const std::int64_t count = count_of(shape);
      void* memory = reinterpret_cast<void*>(address);
      address += std::uintptr_t{1} << 40;
      return aclCreateTensor(shape.data(), shape.size(), type, strides.data(), 0, ACL_FORMAT_ND, &count, 1, memory);
    };
    aclTensor* y = tensor(ACL_FLOAT16, {rows, columns});
    aclTensor* x = tensor(ACL_FLOAT16, {rows, depth});
    aclTensor* b = tensor(ACL_FLOAT16, {1, 1, columns, depth});
    aclTensor* indices = tensor(ACL_INT32, {rows});
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    const aclnnStatus planned =
        aclnnAddLoraGetWorkspaceSize(y, x, b, indices, nullptr, 0, 1, 0, -1, y, &size, &executor);
    if (planned == 0) aclDestroyAclOpExecutor(executor);
    for (const aclTensor* created : {y, x, b, indices}) EXPECT_EQ(aclDestroyTensor(created), 0);
    return planned;
  };
  constexpr std::int64_t kMany = std::int64_t{1} << 15;
  EXPECT_EQ(status(kMany, kMany / 2, 1), 0);
  EXPECT_EQ(status(kMany, kMany, 1), 161002) << "results";
  EXPECT_EQ(status(kMany, 1, 2 * kMany), 161002) << "x";
  EXPECT_EQ(status(kMany * kMany, 1, 1), 161002) << "indices";
}

class SplitWeight : public OpTest {};

TEST_F(SplitWeight, IsASum) {
  constexpr std::int64_t kM = 9, kK = 37, kN = 24;
  for (const bool transposed : {false, true}) {
    const View view = transposed ? View{{1, kK}} : View{};
    OpTensor x(ACL_BF16, {kM, kK});
    OpTensor high(ACL_BF16, {kK, kN}, view);
    OpTensor low(ACL_BF16, {kK, kN}, view);
    fill_eighths(x, 1);
    fill_eighths(high, 2);
    fill_eighths(low, 3);
    const OpTensor y(ACL_FLOAT, {kM, kN});
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnMatmulEmuSplitWeightGetWorkspaceSize(x.get(), high.get(), low.get(), y.get(), 0x1p-8F, ACL_FLOAT,
                                                           n, e);
        },
        aclnnMatmulEmuSplitWeight, {&x, &high, &low}, y);
    expect_elements(
        y, bytes,
        [&](std::int64_t i) {
          const Shape at{i / kN, i % kN};
          return exact_product({x}, {high}, at) + exact_product({x}, {low}, at) * std::ldexp(Real(1), -8);
        },
        true);
  }
}

TEST_F(SplitWeight, RefusesOthers) {
  const OpTensor x(ACL_BF16, {4, 16});
  const OpTensor weight(ACL_BF16, {16, 8});
  const OpTensor other(ACL_BF16, {8, 16});
  const OpTensor halves(ACL_FLOAT16, {16, 8});
  const OpTensor y(ACL_FLOAT, {4, 8});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const aclTensor* high, const OpTensor& low, int8_t dtype) {
    return aclnnMatmulEmuSplitWeightGetWorkspaceSize(x.get(), high, low.get(), y.get(), 1, dtype, &size, &executor);
  };
  EXPECT_EQ(plan(nullptr, weight, ACL_FLOAT), 161001);
  EXPECT_EQ(plan(halves.get(), weight, ACL_FLOAT), 161002);
  EXPECT_EQ(plan(other.get(), other, ACL_FLOAT), 161002);
  EXPECT_EQ(plan(weight.get(), other, ACL_FLOAT), 161002);
  EXPECT_EQ(plan(weight.get(), weight, ACL_BF16), 161002);
  EXPECT_EQ(executor, nullptr);
}

}  // namespace
}  // namespace aclvk::test
