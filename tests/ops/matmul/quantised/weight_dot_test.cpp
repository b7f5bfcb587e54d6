// Few rows times weights of integers that are contiguous along K, which one kernel makes. quant_blocks_test.cpp has
// those that are in blocks the other way round.
#include <cmath>
#include <limits>
#include <memory>

#include "aclnnop/aclnn_weight_quant_batch_matmul_v2.h"
#include "ops/matmul/formats/blocks.hpp"

namespace aclvk::test {
namespace {

enum class Weight { kBytes, kWords, kNibbles };  // INT8, INT32 of eight, INT4

struct Case {
  std::int64_t m = 1, k = 64, n = 29;
  std::int64_t group = 32;
  Weight weight = Weight::kBytes;
  bool has_offset = false;
  bool has_bias = false;
  bool scale_transposed = false;
  std::int64_t gap = 0;     ///< between columns of the weight, and rows of x
  std::int64_t before = 0;  ///< elements in front of weight and x
  aclDataType type = ACL_FLOAT16;
  std::int64_t block = 0;  ///< columns of the blocks in which the columns of the weight are rows
};

std::int64_t integer_at(std::int64_t k, std::int64_t n) { return (n * 37 + k) * 11 % 15 - 7; }

class WeightDots : public OpTest {
 protected:
  /// What the blocks are filled up with is in no result.
  static std::unique_ptr<OpTensor> make_blocks(const Case& c, const Shape& storage) {
    const auto at = [=](std::int64_t place) {
      const auto element = element_of(storage, {c.n, c.k}, place);
      return element ? integer_at((*element)[1], (*element)[0]) : 5;
    };
    if (c.weight == Weight::kBytes) {
      auto bytes = std::make_unique<OpTensor>(ACL_INT8, storage);
      bytes->fill([&](std::int64_t i) -> Number { return Real(at(i)); });
      return bytes;
    }
    auto words = std::make_unique<OpTensor>(ACL_INT32, Shape{count_of(storage) / 8});
    words->fill([&](std::int64_t i) -> Number {
      std::uint32_t bits = 0;
      for (std::int64_t j = 0; j < 8; ++j) bits |= (static_cast<std::uint32_t>(at(i * 8 + j)) & 15U) << (4 * j);
      return Real(static_cast<std::int32_t>(bits));
    });
    return words;
  }
  /// A handle that says so.
  static aclTensor* blocks_handle(const Case& c, Shape storage, const OpTensor& memory) {
    const std::int64_t unit = c.weight == Weight::kWords ? 8 : 1;
    const Shape shape{c.k / unit, c.n};
    const Shape strides{1, c.k / unit};
    storage.back() /= unit;
    const aclDataType type = c.weight == Weight::kNibbles ? ACL_INT4 : memory.type();
    aclTensor* handle = aclCreateTensor(shape.data(), 2, type, strides.data(), 0, ACL_FORMAT_FRACTAL_NZ, storage.data(),
                                        storage.size(), memory.memory());
    memory.also(handle);
    return handle;
  }

  static std::unique_ptr<OpTensor> make_weight(const Case& c) {
    if (c.block != 0) return make_blocks(c, storage_shape(ACL_INT8, {c.n, c.k}, c.block));
    if (c.weight == Weight::kBytes) {
      auto bytes = std::make_unique<OpTensor>(ACL_INT8, Shape{c.k, c.n}, View{{1, c.k + c.gap}, c.before});
      bytes->fill([&](std::int64_t i) -> Number { return Real(integer_at(i / c.n, i % c.n)); });
      return bytes;
    }
    auto words = std::make_unique<OpTensor>(ACL_INT32, Shape{c.k / 8, c.n}, View{{1, c.k / 8}, c.before});
    words->fill([&](std::int64_t i) -> Number {
      std::uint32_t bits = 0;
      for (std::int64_t j = 0; j < 8; ++j) {
        bits |= (static_cast<std::uint32_t>(integer_at(i / c.n * 8 + j, i % c.n)) & 15U) << (4 * j);
      }
      return Real(static_cast<std::int32_t>(bits));
    });
    return words;
  }

  static void check(const Case& c, Real special = 0) {
    SCOPED_TRACE(testing::Message() << c.m << " x " << c.k << " x " << c.n << ", group " << c.group << ", weight "
                                    << static_cast<int>(c.weight) << ", dtype " << c.type << ", blocks of " << c.block);
    OpTensor x(c.type, {c.m, c.k}, {{c.k + c.gap, 1}, c.before});
    fill_eighths(x, 1);
    if (special != 0) x.fill([&](std::int64_t i) -> Number { return i == 5 ? special : Real(1); });
    const auto weight = make_weight(c);
    aclTensor* other = nullptr;
    if (c.block != 0) {
      other = blocks_handle(c, storage_shape(ACL_INT8, {c.n, c.k}, c.block), *weight);
    } else if (c.weight == Weight::kNibbles) {
      const Shape shape{c.k, c.n};
      const Shape strides{1, c.k};
      const std::int64_t storage = c.k * c.n + 8 * c.before;
      other = aclCreateTensor(shape.data(), 2, ACL_INT4, strides.data(), 8 * c.before, ACL_FORMAT_ND, &storage, 1,
                              weight->memory());
      weight->also(other);
    }
    const std::int64_t group = c.group == 0 ? c.k : c.group;
    const std::int64_t groups = (c.k + group - 1) / group;
    const Shape per_group = c.group == 0 ? Shape{c.n} : Shape{groups, c.n};
    const View view = c.scale_transposed && c.group != 0 ? View{{1, groups + 1}, 3} : View{};
    OpTensor scale(c.type, per_group, view);
    OpTensor offset(c.type, per_group, view);
    OpTensor bias(c.type == ACL_BF16 ? ACL_FLOAT : c.type, {c.n});
    scale.fill([](std::int64_t i) -> Number { return std::ldexp(Real(1), static_cast<int>(i % 3) - 4); });
    offset.fill([](std::int64_t i) -> Number { return Real(i % 5 - 2); });
    fill_eighths(bias, 4);
    const OpTensor y(c.type, {c.m, c.n}, {{c.n + 3, 1}, 1});
    const auto bytes = run(
        [&](auto* size, auto** e) {
          return aclnnWeightQuantBatchMatmulV2GetWorkspaceSize(
              x.get(), other ? other : weight->get(), scale.get(), c.has_offset ? offset.get() : nullptr, nullptr,
              nullptr, c.has_bias ? bias.get() : nullptr, static_cast<int>(c.group), y.get(), size, e);
        },
        aclnnWeightQuantBatchMatmulV2, {&x, weight.get(), &scale, &offset, &bias}, y);
    const auto expected = [&](std::int64_t i) -> Number {
      const std::int64_t n = i % c.n;
      Real sum = c.has_bias ? bias.before(n).real() : 0;
      for (std::int64_t k = 0; k < c.k; ++k) {
        const std::int64_t at = k / group * c.n + n;
        const Real shift = c.has_offset ? offset.before(at).real() : 0;
        sum += x.before(i / c.n * c.k + k).real() * (Real(integer_at(k, n)) + shift) * scale.before(at).real();
      }
      return Number(sum);
    };
    expect_elements(y, bytes, expected, false);
    if (other) aclDestroyTensor(other);
  }
};

TEST_F(WeightDots, EachKindOfWeight) {
  for (const Weight weight : {Weight::kBytes, Weight::kWords, Weight::kNibbles}) {
    check({1, 64, 29, 32, weight});
    check({1, 1056, 37, 32, weight, true, true, true});
    check({2, 96, 29, 64, weight, true});  // the last group is shorter
    check({3, 160, 29, 0, weight, false, true});
    check({8, 288, 67, 96, weight, true, true, true});
  }
}

TEST_F(WeightDots, BrainFloatsToo) {
  Case c{2, 128, 24, 32, Weight::kBytes, true, true};
  c.type = ACL_BF16;
  check(c);
}

TEST_F(WeightDots, NeedNotBeAligned) {
  for (const std::int64_t gap : {0, 1, 8}) {
    for (const std::int64_t before : {0, 1, 3})
      check({2, 64, 29, 32, Weight::kBytes, false, false, false, gap, before});
  }
  for (const std::int64_t before : {1, 2}) check({2, 64, 29, 32, Weight::kWords, false, false, false, 3, before});
  check({2, 64, 29, 32, Weight::kNibbles, false, false, false, 3, 1});
}

TEST_F(WeightDots, AnyDepthAndManyColumns) {
  check({1, 70016, 3, 32});
  check({1, 32, 70001, 0});
}

TEST_F(WeightDots, OthersAreMadeOfReals) {
  check({1, 72, 29, 8});
  check({1, 64, 29, 16, Weight::kBytes, true});
  check({9, 64, 29, 32, Weight::kBytes, true, true});
  check({1, 64, 1, 32});
}

Case in_blocks(Case c, std::int64_t columns) {
  c.block = columns;
  return c;
}

TEST_F(WeightDots, MayLieInBlocks) {
  for (const std::int64_t columns : {32, 64}) {
    check(in_blocks({1, 64, 29, 32}, columns));
    check(in_blocks({2, 96, 53, 64, Weight::kBytes, true}, columns));  // the last group is shorter
    check(in_blocks({3, 160, 29, 0, Weight::kBytes, false, true}, columns));
    check(in_blocks({8, 1056, 37, 96, Weight::kBytes, true, true, true}, columns));
  }
  for (const Weight weight : {Weight::kWords, Weight::kNibbles}) {
    check(in_blocks({1, 64, 29, 32, weight}, 64));
    check(in_blocks({2, 96, 53, 64, weight, true}, 64));
    check(in_blocks({8, 1056, 37, 0, weight, true, true}, 128));
  }
  check(in_blocks({1, 70016, 3, 32}, 32));
  check(in_blocks({1, 32, 70001, 0}, 32));
}

TEST_F(WeightDots, OtherBlocksAreMadeOfReals) {
  check(in_blocks({1, 64, 29, 32}, 16));
  check(in_blocks({1, 67, 29, 0}, 32));
  check(in_blocks({9, 100, 53, 32, Weight::kBytes, true, true}, 32));
  check(in_blocks({9, 100, 53, 48, Weight::kBytes, true, true}, 32));
  check(in_blocks({9, 72, 53, 0, Weight::kNibbles, true, true}, 64));
}

TEST_F(WeightDots, InfinityReachesItsRow) {
  check({2, 64, 29, 0, Weight::kBytes}, std::numeric_limits<Real>::infinity());
  check({2, 64, 29, 32, Weight::kBytes, true}, std::numeric_limits<Real>::quiet_NaN());
}

TEST_F(WeightDots, TakeNoWorkspace) {
  const OpTensor x(ACL_FLOAT16, {1, 1, 64});
  const OpTensor weight(ACL_INT8, {64, 24}, {{1, 64}});
  const OpTensor scale(ACL_FLOAT16, {2, 24}, {{1, 2}});
  const OpTensor y(ACL_FLOAT16, {1, 1, 24});
  uint64_t size = 1;
  aclOpExecutor* executor = nullptr;
  ASSERT_EQ(aclnnWeightQuantBatchMatmulV2GetWorkspaceSize(x.get(), weight.get(), scale.get(), nullptr, nullptr, nullptr,
                                                          nullptr, 32, y.get(), &size, &executor),
            0);
  EXPECT_EQ(size, 0);
  EXPECT_EQ(aclDestroyAclOpExecutor(executor), 0);
}

}  // namespace
}  // namespace aclvk::test
