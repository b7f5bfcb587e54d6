#include <array>
#include <cmath>
#include <optional>

#include "aclnnop/aclnn_convert_weight_to_int4_pack.h"
#include "aclnnop/aclnn_weight_quant_batch_matmul_nz.h"
#include "aclnnop/aclnn_weight_quant_batch_matmul_v2.h"
#include "ops/matmul/formats/blocks.hpp"

namespace aclvk::test {
namespace {

/// The integers of four bits, with some that need more.
Number integer_at(std::int64_t i) { return Real(i * 11 % 37 - 18); }
Real low_bits(std::int64_t i) {
  const auto value = static_cast<std::int64_t>(integer_at(i).real()) & 15;
  return Real(value < 8 ? value : value - 16);
}

Number word_of(const std::function<std::int64_t(std::int64_t)>& nibble) {
  std::uint32_t bits = 0;
  for (std::int64_t i = 0; i < 8; ++i) bits |= (static_cast<std::uint32_t>(nibble(i)) & 15U) << (4 * i);
  return Real(static_cast<std::int32_t>(bits));
}

class PackedWeight : public OpTest {
 protected:
  static constexpr std::int64_t kK = 40, kN = 72;

  static aclnnStatus plan(const OpTensor& weight, const aclTensor* to, uint64_t* n, aclOpExecutor** e) {
    return aclnnConvertWeightToINT4PackGetWorkspaceSize(weight.get(), const_cast<aclTensor*>(to), n, e);
  }
};

TEST_F(PackedWeight, HasEightInAWord) {
  OpTensor weight(ACL_INT32, {kK, kN});
  weight.fill(integer_at);
  const OpTensor out(ACL_INT32, {kK, kN / 8});
  const auto bytes = run([&](auto* n, auto** e) { return plan(weight, out.get(), n, e); }, aclnnConvertWeightToINT4Pack,
                         {&weight}, out);
  expect_elements(
      out, bytes, [](std::int64_t word) { return word_of([&](std::int64_t i) { return low_bits(8 * word + i); }); },
      true);
}

TEST_F(PackedWeight, MayBeATensorOfFourBits) {
  OpTensor weight(ACL_INT32, {kK, kN}, {{1, kK + 3}});  // of which columns are contiguous
  weight.fill(integer_at);
  const OpTensor words(ACL_INT32, {kK, kN / 8});
  const Shape shape{kK, kN};
  aclTensor* out = aclCreateTensor(shape.data(), 2, ACL_INT4, OpTensor::row_major(shape).data(), 0, ACL_FORMAT_ND,
                                   shape.data(), 2, words.memory());
  words.also(out);
  const auto bytes =
      run([&](auto* n, auto** e) { return plan(weight, out, n, e); }, aclnnConvertWeightToINT4Pack, {&weight}, words);
  expect_elements(
      words, bytes, [](std::int64_t word) { return word_of([&](std::int64_t i) { return low_bits(8 * word + i); }); },
      true);
  EXPECT_EQ(aclDestroyTensor(out), 0);
}

TEST_F(PackedWeight, MayBeTransposed) {
  OpTensor weight(ACL_INT32, {kK, kN});
  weight.fill(integer_at);
  const OpTensor out(ACL_INT32, {kK / 8, kN}, {{1, kK / 8}});  // the words are along K
  const auto bytes = run([&](auto* n, auto** e) { return plan(weight, out.get(), n, e); }, aclnnConvertWeightToINT4Pack,
                         {&weight}, out);
  expect_elements(
      out, bytes,
      [](std::int64_t i) { return word_of([&](std::int64_t j) { return low_bits((i / kN * 8 + j) * kN + i % kN); }); },
      true);
}

/// A K of eight is one row of words, both of whose strides are 1 where they are along K.
TEST_F(PackedWeight, MayHaveAKOfEight) {
  constexpr std::int64_t kM = 5;
  OpTensor weight(ACL_INT32, {8, kN});
  weight.fill([](std::int64_t i) -> Number { return Real(i * 11 % 15 - 7); });
  OpTensor x(ACL_FLOAT16, {kM, 8});
  OpTensor scale(ACL_FLOAT16, {kN});
  fill_eighths(x, 1);
  scale.fill([](std::int64_t i) -> Number { return std::ldexp(Real(1), static_cast<int>(i % 3) - 4); });
  const OpTensor packed(ACL_INT32, {1, kN}, {{1, 1}});
  const auto words = run([&](auto* n, auto** e) { return plan(weight, packed.get(), n, e); },
                         aclnnConvertWeightToINT4Pack, {&weight}, packed);
  const auto nibble = [&](std::int64_t row, std::int64_t column) {
    return static_cast<std::int64_t>(weight.before(row * kN + column).real());
  };
  expect_elements(
      packed, words, [&](std::int64_t i) { return word_of([&](std::int64_t j) { return nibble(j, i); }); }, true);
  const OpTensor y(ACL_FLOAT16, {kM, kN});
  const auto bytes = run(
      [&](auto* n, auto** e) {
        return aclnnWeightQuantBatchMatmulV2GetWorkspaceSize(x.get(), packed.get(), scale.get(), nullptr, nullptr,
                                                             nullptr, nullptr, 0, y.get(), n, e);
      },
      aclnnWeightQuantBatchMatmulV2, {&x, &scale}, y);
  expect_elements(
      y, bytes,
      [&](std::int64_t i) {
        return held(exact_product({x}, {weight}, {i / kN, i % kN}) * scale.before(i % kN), ACL_FLOAT16);
      },
      false);
}

/// Packed into blocks, it is the weight of a product.
TEST_F(PackedWeight, IsAFactorInBlocksToo) {
  constexpr std::int64_t kM = 5;
  OpTensor weight(ACL_INT32, {kK, kN});
  weight.fill([](std::int64_t i) -> Number { return Real(i * 11 % 15 - 7); });
  OpTensor x(ACL_FLOAT16, {kM, kK});
  OpTensor scale(ACL_FLOAT16, {kN});
  fill_eighths(x, 1);
  scale.fill([](std::int64_t i) -> Number { return std::ldexp(Real(1), static_cast<int>(i % 3) - 4); });
  const OpTensor y(ACL_FLOAT16, {kM, kN});
  // Columns are filled up to blocks of 64 elements, which are 8 words.
  const OpTensor storage(ACL_INT32, storage_shape(ACL_INT32, {kK, kN / 8}, 8));
  const Blocks words(storage, {kK, kN / 8});
  const Shape shape{kK, kN};
  const Shape blocks = storage_shape(ACL_INT4, shape, 64);
  aclTensor* nibbles = aclCreateTensor(shape.data(), 2, ACL_INT4, OpTensor::row_major(shape).data(), 0,
                                       ACL_FORMAT_FRACTAL_NZ, blocks.data(), blocks.size(), storage.memory());
  storage.also(nibbles);
  for (const aclTensor* packed : {static_cast<const aclTensor*>(words.get()), static_cast<const aclTensor*>(nibbles)}) {
    run([&](auto* n, auto** e) { return plan(weight, packed, n, e); }, aclnnConvertWeightToINT4Pack, {&weight},
        storage);
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnWeightQuantBatchMatmulNzGetWorkspaceSize(x.get(), packed, scale.get(), nullptr, nullptr, nullptr,
                                                               nullptr, 0, y.get(), n, e);
        },
        aclnnWeightQuantBatchMatmulNz, {&x, &scale}, y);
    expect_elements(
        y, bytes,
        [&](std::int64_t i) {
          return held(exact_product({x}, {weight}, {i / kN, i % kN}) * scale.before(i % kN), ACL_FLOAT16);
        },
        false);
  }
  EXPECT_EQ(aclDestroyTensor(nibbles), 0);
}

/// Blocks are written at once, from a weight of any strides: no workspace is asked for.
TEST_F(PackedWeight, BlocksNeedNoWorkspace) {
  constexpr std::int64_t kRows = 19, kColumns = 72;
  for (const Shape& batch : {Shape{}, Shape{3}, Shape{2, 3}}) {
    for (const bool transposed : {false, true}) {
      const bool has_gaps = transposed && batch.size() == 2;  // so that no single stride leads through the batch
      Shape shape = batch;
      shape.insert(shape.end(), {kRows, kColumns});
      Shape strides = OpTensor::row_major(shape);
      if (transposed) {
        strides[batch.size()] = 1;
        strides[batch.size() + 1] = kRows;
      }
      if (has_gaps) strides[0] += 5;
      OpTensor weight(ACL_INT32, shape, {strides, 3});
      weight.fill(integer_at);
      Shape words = shape;
      words.back() /= 8;
      const OpTensor storage(ACL_INT32, storage_shape(ACL_INT32, words, 8));
      const Blocks packed(storage, words);
      uint64_t size = 1;
      aclOpExecutor* executor = nullptr;
      ASSERT_EQ(plan(weight, packed.get(), &size, &executor), 0);
      EXPECT_EQ(size != 0, has_gaps);
      EXPECT_EQ(aclDestroyAclOpExecutor(executor), 0);
      const auto bytes = run([&](auto* n, auto** e) { return plan(weight, packed.get(), n, e); },
                             aclnnConvertWeightToINT4Pack, {&weight}, storage);
      expect_elements(
          storage, bytes,
          [&](std::int64_t place) {
            const auto word = element_of(storage.shape(), words, place);
            if (!word) return Number(Real(0));
            return word_of([&](std::int64_t i) { return low_bits(8 * element_at(*word, words) + i); });
          },
          true);
    }
  }
}

/// Floats become FLOAT4_E2M1, two in a byte or eight in a FLOAT.
TEST_F(PackedWeight, MayBeFloatsOfFourBits) {
  constexpr std::int64_t kRows = 19, kColumns = 72;
  const auto value_at = [](std::int64_t i) { return Real(i * 11 % 61 - 30) / 4; };
  const auto code_at = [&](std::int64_t i) -> std::int64_t {
    constexpr std::array<Real, 8> kValues = {0, 0.5L, 1, 1.5L, 2, 3, 4, 6};
    const Real magnitude = std::min(std::fabs(value_at(i)), Real(6));
    std::size_t best = 0;
    for (std::size_t code = 1; code < 8; ++code) {
      const Real now = std::fabs(magnitude - kValues[best]);
      const Real other = std::fabs(magnitude - kValues[code]);
      if (other < now || (other == now && code % 2 == 0)) best = code;
    }
    return static_cast<std::int64_t>(best) + (value_at(i) < 0 && best != 0 ? 8 : 0);
  };
  const Shape shape{kRows, kColumns};
  OpTensor weight(ACL_FLOAT, shape, {{1, kRows + 2}});
  weight.fill([&](std::int64_t i) -> Number { return value_at(i); });
  for (const bool in_blocks : {false, true}) {
    for (const bool carried : {false, true}) {
      SCOPED_TRACE(testing::Message() << (in_blocks ? "in blocks" : "") << (carried ? ", carried" : ""));
      const Shape blocks = storage_shape(ACL_INT4, shape, 64);
      const OpTensor words(ACL_UINT32, {(in_blocks ? count_of(blocks) : kRows * kColumns) / 8});
      Shape view = shape;
      Shape stored = in_blocks ? blocks : shape;
      if (carried) view.back() /= 8, stored.back() /= 8;
      aclTensor* out = aclCreateTensor(
          view.data(), 2, carried ? ACL_FLOAT : ACL_FLOAT4_E2M1, OpTensor::row_major(view).data(), 0,
          in_blocks ? ACL_FORMAT_FRACTAL_NZ : ACL_FORMAT_ND, stored.data(), stored.size(), words.memory());
      words.also(out);
      const auto bytes = run([&](auto* n, auto** e) { return plan(weight, out, n, e); }, aclnnConvertWeightToINT4Pack,
                             {&weight}, words);
      expect_elements(
          words, bytes,
          [&](std::int64_t word) -> Number {
            std::uint32_t bits = 0;
            for (std::int64_t i = 0; i < 8; ++i) {
              const std::int64_t place = 8 * word + i;
              const std::optional<Shape> element =
                  in_blocks ? element_of(blocks, shape, place) : coordinates_of(place, shape);
              const std::int64_t code = element ? code_at(element_at(*element, shape)) : 0;
              bits |= static_cast<std::uint32_t>(code) << (4 * i);
            }
            return Real(bits);
          },
          true);
      EXPECT_EQ(aclDestroyTensor(out), 0);
    }
  }
}

TEST_F(PackedWeight, RefusesOthers) {
  const OpTensor weight(ACL_INT32, {16, 16});
  const OpTensor reals(ACL_FLOAT, {16, 16});
  const OpTensor ragged(ACL_INT32, {16, 12});
  const OpTensor out(ACL_INT32, {16, 2});
  const OpTensor gaps(ACL_INT32, {16, 2}, {{4, 1}});
  const OpTensor storage(ACL_INT32, {1, 1, 16, 8});
  const Blocks few(storage, {32, 2});
  const OpTensor narrow(ACL_INT8, {1, 1, 16, 4});  // blocks whose rows are half a word
  const Shape shape{16, 4}, blocks{1, 1, 16, 4};
  aclTensor* halves = aclCreateTensor(shape.data(), 2, ACL_INT4, OpTensor::row_major(shape).data(), 0,
                                      ACL_FORMAT_FRACTAL_NZ, blocks.data(), blocks.size(), narrow.memory());
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  EXPECT_EQ(plan(weight, nullptr, &size, &executor), 161001);
  EXPECT_EQ(plan(reals, out.get(), &size, &executor), 161002);
  EXPECT_EQ(plan(weight, reals.get(), &size, &executor), 161002);
  EXPECT_EQ(plan(ragged, out.get(), &size, &executor), 161002);
  EXPECT_EQ(plan(weight, gaps.get(), &size, &executor), 161002);
  EXPECT_EQ(plan(weight, few.get(), &size, &executor), 161002);
  EXPECT_EQ(plan(OpTensor(ACL_INT32, {16, 4}), halves, &size, &executor), 161002);
  EXPECT_EQ(aclDestroyTensor(halves), 0);
  const OpTensor x(ACL_FLOAT16, {4, 16});
  const OpTensor floats(ACL_FLOAT4_E1M2, {16, 16});
  const OpTensor scale(ACL_FLOAT16, {16});
  const OpTensor y(ACL_FLOAT16, {4, 16});
  EXPECT_EQ(aclnnWeightQuantBatchMatmulNzGetWorkspaceSize(x.get(), floats.get(), scale.get(), nullptr, nullptr, nullptr,
                                                          nullptr, 0, y.get(), &size, &executor),
            161002);
  EXPECT_EQ(executor, nullptr);
}

}  // namespace
}  // namespace aclvk::test
