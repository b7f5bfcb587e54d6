#include <array>

#include "aclnnop/aclnn_quant_matmul_v5.h"
#include "aclnnop/aclnn_quant_matmul_weight_nz.h"
#include "aclnnop/aclnn_weight_quant_batch_matmul_nz.h"
#include "aclnnop/aclnn_weight_quant_batch_matmul_v2.h"
#include "ops/matmul/formats/blocks.hpp"

namespace aclvk::test {
namespace {

Real nibble_at(std::int64_t i) { return Real(i * 11 % 15 - 7); }
Number small(std::int64_t i) { return Real(i * 7 % 15 - 7); }
Number power(std::int64_t i) { return std::ldexp(Real(1), static_cast<int>(i * 5 % 7) - 3); }

/// The integers of nibble_at(), eight in a word.
void fill_nibbles(OpTensor& words, const std::function<std::int64_t(std::int64_t)>& element) {
  words.fill([&](std::int64_t word) -> Number {
    std::uint32_t bits = 0;
    for (std::int64_t i = 0; i < 8; ++i) {
      const std::int64_t at = element(8 * word + i);
      bits |= (static_cast<std::uint32_t>(at < 0 ? 0 : static_cast<std::int64_t>(nibble_at(at))) & 15U) << (4 * i);
    }
    return Real(static_cast<std::int32_t>(bits));
  });
}

/// Another handle, of INT4, for the memory of words.
class Nibbles {
 public:
  Nibbles(const OpTensor& words, const Shape& shape, aclFormat format = ACL_FORMAT_ND, const Shape& storage = {})
      : handle_(aclCreateTensor(shape.data(), shape.size(), ACL_INT4, OpTensor::row_major(shape).data(), 0, format,
                                (storage.empty() ? shape : storage).data(), (storage.empty() ? shape : storage).size(),
                                words.memory())) {
    words.also(handle_);
  }
  ~Nibbles() { aclDestroyTensor(handle_); }
  Nibbles(const Nibbles&) = delete;
  Nibbles& operator=(const Nibbles&) = delete;
  aclTensor* get() const { return handle_; }

 private:
  aclTensor* handle_;
};

class QuantGroups : public OpTest {
 protected:
  static constexpr std::int64_t kM = 7, kK = 72, kN = 40;

  struct Case {
    aclDataType x2 = ACL_INT8;  ///< INT32 stands for eight of four bits
    aclDataType scale = ACL_FLOAT;
    std::int64_t group = 32;
    std::int64_t group_size = 32;
    bool has_rows = true;
    aclDataType bias = ACL_UINT1;  ///< none
    aclDataType out = ACL_FLOAT;
    bool transposes = false;
  };

  static void check_product(const Case& c) {
    SCOPED_TRACE(testing::Message() << "x2 " << c.x2 << ", scale " << c.scale << ", group " << c.group << ", out "
                                    << c.out << (c.transposes ? ", transposed" : ""));
    const std::int64_t groups = (kK + c.group - 1) / c.group;
    const auto transposed_if = [&](std::int64_t rows, std::int64_t columns) {
      return c.transposes ? Shape{columns, rows} : Shape{rows, columns};
    };
    OpTensor x1(ACL_INT8, {kM, kK});
    x1.fill(small);
    const bool packed = c.x2 == ACL_INT32;
    Shape shape = transposed_if(kK, kN);
    if (packed) shape[1] /= 8;
    OpTensor x2(c.x2, shape);
    if (packed) fill_nibbles(x2, [](std::int64_t i) { return i; });
    if (!packed) x2.fill([](std::int64_t i) -> Number { return nibble_at(i); });
    OpTensor row_scale(ACL_FLOAT, {kM});
    row_scale.fill(power);
    OpTensor scale(c.scale, transposed_if(groups, kN));
    scale.fill(power);
    const bool has_bias = c.bias != ACL_UINT1;
    OpTensor bias(has_bias ? c.bias : ACL_FLOAT, {kN});
    fill_eighths(bias, 3);
    const OpTensor out(c.out, {kM, kN});
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnQuantMatmulV5GetWorkspaceSize(
              x1.get(), x2.get(), c.has_rows ? row_scale.get() : nullptr, scale.get(), nullptr, nullptr, nullptr,
              nullptr, has_bias ? bias.get() : nullptr, false, c.transposes, c.group_size, out.get(), n, e);
        },
        aclnnQuantMatmulV5, {&x1, &x2, &row_scale, &scale, &bias}, out);
    expect_elements(
        out, bytes,
        [&](std::int64_t i) {
          const std::int64_t n = i % kN;
          Real sum = has_bias ? bias.before(n).real() : 0;
          for (std::int64_t k = 0; k < kK; ++k) {
            const std::int64_t at = c.transposes ? n * kK + k : k * kN + n;
            const std::int64_t of_group = c.transposes ? n * groups + k / c.group : k / c.group * kN + n;
            const Real rows = c.has_rows ? row_scale.before(i / kN).real() : 1;
            sum += x1.before(i / kN * kK + k).real() * rows * nibble_at(at) * scale.before(of_group).real();
          }
          return held(sum, c.out);
        },
        true);
  }
};

TEST_F(QuantGroups, HaveScalesOfTheirOwn) {
  check_product({});
  check_product({ACL_INT8, ACL_FLOAT, 8, 8, false});
  check_product({ACL_INT8, ACL_FLOAT, 24, 0});  // as the shape says
  check_product({ACL_INT8, ACL_BF16, 32, 32, true, ACL_FLOAT, ACL_BF16});
  check_product({ACL_INT32, ACL_FLOAT, 32, 32, true, ACL_FLOAT16, ACL_FLOAT16});
  check_product({ACL_INT32, ACL_FLOAT, 32, 32, true, ACL_BF16, ACL_FLOAT, true});
}

TEST_F(QuantGroups, BlocksOfFourBitsAreRead) {
  const Shape shape{kK, kN};
  const Shape storage = storage_shape(ACL_INT4, shape, 64);
  OpTensor words(ACL_INT32, {count_of(storage) / 8});
  fill_nibbles(words, [&](std::int64_t place) {
    const auto element = element_of(storage, shape, place);
    return element ? element_at(*element, shape) : -1;
  });
  const Nibbles x2(words, shape, ACL_FORMAT_FRACTAL_NZ, storage);
  OpTensor x1(ACL_INT8, {kM, kK});
  OpTensor row_scale(ACL_FLOAT, {kM});
  x1.fill(small);
  row_scale.fill(power);
  for (const std::int64_t group : {0, 32}) {
    OpTensor scale(ACL_FLOAT, group == 0 ? Shape{kN} : Shape{3, kN});
    scale.fill(power);
    const OpTensor out(ACL_FLOAT16, {kM, kN});
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnQuantMatmulWeightNzGetWorkspaceSize(x1.get(), x2.get(), row_scale.get(), scale.get(), nullptr,
                                                          nullptr, nullptr, nullptr, nullptr, false, false, group,
                                                          out.get(), n, e);
        },
        aclnnQuantMatmulWeightNz, {&x1, &words, &row_scale, &scale}, out);
    expect_elements(
        out, bytes,
        [&](std::int64_t i) {
          Real sum = 0;
          for (std::int64_t k = 0; k < kK; ++k) {
            const Real of_column = scale.before(group == 0 ? i % kN : k / group * kN + i % kN).real();
            sum += x1.before(i / kN * kK + k).real() * nibble_at(k * kN + i % kN) * of_column;
          }
          return held(sum * row_scale.before(i / kN).real(), ACL_FLOAT16);
        },
        true);
  }
}

TEST_F(QuantGroups, RefuseOthers) {
  const OpTensor x1(ACL_INT8, {kM, kK});
  const OpTensor x2(ACL_INT8, {kK, kN});
  const OpTensor scale(ACL_FLOAT, {3, kN});
  const OpTensor whole(ACL_FLOAT, {kN});
  const OpTensor words(ACL_UINT64, {3, kN});
  const OpTensor integers(ACL_INT32, {kN});
  const OpTensor out(ACL_FLOAT16, {kM, kN});
  const OpTensor bytes(ACL_INT8, {kM, kN});
  const OpTensor floats8(ACL_FLOAT8_E4M3FN, {kK, kN});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const OpTensor& second, const OpTensor& by, std::int64_t group, const OpTensor& to,
                        const OpTensor* bias = nullptr, const OpTensor* y_offset = nullptr,
                        const OpTensor* y_scale = nullptr, const OpTensor* x2_offset = nullptr) {
    const auto given = [](const OpTensor* tensor) { return tensor ? tensor->get() : nullptr; };
    return aclnnQuantMatmulV5GetWorkspaceSize(x1.get(), second.get(), nullptr, by.get(), given(y_scale), nullptr,
                                              given(x2_offset), given(y_offset), given(bias), false, false, group,
                                              to.get(), &size, &executor);
  };
  EXPECT_EQ(plan(x2, scale, 16, out), 161002);  // that would be five groups
  EXPECT_EQ(plan(x2, words, 32, out), 161002);
  EXPECT_EQ(plan(x2, scale, 32, bytes), 161002);
  EXPECT_EQ(plan(x2, scale, 32, out, &integers), 161002);
  EXPECT_EQ(plan(floats8, scale, 32, out), 161002);
  EXPECT_EQ(plan(x2, whole, 32, out), 207000);
  EXPECT_EQ(plan(x2, scale, 32, out, nullptr, &whole), 207000);
  EXPECT_EQ(plan(x2, scale, 32, out, nullptr, nullptr, &whole), 207000);
  EXPECT_EQ(plan(x2, scale, 32, out, nullptr, nullptr, nullptr, &scale), 207000);
  EXPECT_EQ(executor, nullptr);
}

class Float8Weight : public OpTest {};

/// Weights of 8-bit floats have scales and offsets as integers do.
TEST_F(Float8Weight, IsMadeReal) {
  constexpr std::int64_t kM = 5, kK = 64, kN = 24;
  for (const aclDataType type : {ACL_FLOAT8_E4M3FN, ACL_FLOAT8_E5M2, ACL_HIFLOAT8}) {
    for (const aclDataType real : {ACL_FLOAT16, ACL_BF16}) {
      for (const bool transposed : {false, true}) {
        for (const std::int64_t group : {0, 32}) {
          SCOPED_TRACE(testing::Message() << "dtypes " << real << " and " << type << ", group " << group
                                          << (transposed ? ", transposed" : ""));
          OpTensor x(real, {kM, kK});
          OpTensor weight(type, {kK, kN}, transposed ? View{{1, kK}} : View{});
          const Shape per_group = group == 0 ? Shape{kN} : Shape{2, kN};
          OpTensor scale(real, per_group);
          OpTensor offset(real, per_group);
          fill_eighths(x, 1);
          weight.fill([](std::int64_t i) -> Number { return nibble_at(i) / 4; });
          scale.fill(power);
          offset.fill([](std::int64_t i) -> Number { return Real(i % 5 - 2); });
          const OpTensor y(real, {kM, kN});
          const auto bytes = run(
              [&](auto* n, auto** e) {
                return aclnnWeightQuantBatchMatmulV2GetWorkspaceSize(x.get(), weight.get(), scale.get(), offset.get(),
                                                                     nullptr, nullptr, nullptr, static_cast<int>(group),
                                                                     y.get(), n, e);
              },
              aclnnWeightQuantBatchMatmulV2, {&x, &weight, &scale, &offset}, y);
          expect_elements(
              y, bytes,
              [&](std::int64_t i) {
                Number sum = 0;
                for (std::int64_t k = 0; k < kK; ++k) {
                  const std::int64_t at = group == 0 ? i % kN : k / group * kN + i % kN;
                  sum += x.before(i / kN * kK + k) * (weight.before(k * kN + i % kN) + offset.before(at)) *
                         scale.before(at);
                }
                return sum;
              },
              false);
        }
      }
    }
  }
}

/// The codes of FLOAT4_E2M1, by the place of an element.
int code_at(std::int64_t i) { return static_cast<int>(i * 11 % 16); }
Real float4_at(std::int64_t i) {
  constexpr std::array<Real, 8> kValues = {0, 0.5L, 1, 1.5L, 2, 3, 4, 6};
  const Real magnitude = kValues[static_cast<std::size_t>(code_at(i) & 7)];
  return (code_at(i) & 8) != 0 ? -magnitude : magnitude;
}

/// FLOAT4_E2M1 as it is, or eight in a FLOAT; row by row, column by column, or in blocks.
TEST_F(Float8Weight, MayHaveFourBits) {
  constexpr std::int64_t kM = 5, kK = 64, kN = 24;
  enum class Lies { kRows, kColumns, kBlocks };
  for (const Lies lies : {Lies::kRows, Lies::kColumns, Lies::kBlocks}) {
    for (const bool carried : {false, true}) {
      for (const aclDataType scale_type : {ACL_BF16, ACL_FLOAT8_E8M0}) {
        SCOPED_TRACE(testing::Message() << static_cast<int>(lies) << (carried ? ", carried" : "") << ", scale "
                                        << scale_type);
        const Shape shape{kK, kN};
        const std::int64_t columns_of_block = carried ? 64 : 32;
        const Shape storage = storage_shape(ACL_INT4, shape, columns_of_block);
        const std::int64_t count = lies == Lies::kBlocks ? count_of(storage) : kK * kN;
        OpTensor words(ACL_UINT32, {count / 8});
        words.fill([&](std::int64_t word) -> Number {
          std::uint32_t bits = 0;
          for (std::int64_t i = 0; i < 8; ++i) {
            std::int64_t at = 8 * word + i;
            if (lies == Lies::kColumns) at = at % kK * kN + at / kK;
            if (lies == Lies::kBlocks) {
              const auto element = element_of(storage, shape, at);
              at = element ? element_at(*element, shape) : 1;
            }
            bits |= static_cast<std::uint32_t>(code_at(at)) << (4 * i);
          }
          return Real(bits);
        });
        Shape view = shape;
        Shape blocks = storage;
        if (carried) view[lies == Lies::kColumns ? 0 : 1] /= 8, blocks.back() /= 8;
        const Shape strides = lies == Lies::kColumns ? Shape{1, view[0]} : OpTensor::row_major(view);
        const Shape& stored = lies == Lies::kBlocks ? blocks : view;
        aclTensor* weight = aclCreateTensor(view.data(), 2, carried ? ACL_FLOAT : ACL_FLOAT4_E2M1, strides.data(), 0,
                                            lies == Lies::kBlocks ? ACL_FORMAT_FRACTAL_NZ : ACL_FORMAT_ND,
                                            stored.data(), stored.size(), words.memory());
        words.also(weight);
        OpTensor x(ACL_BF16, {kM, kK});
        OpTensor scale(scale_type, {2, kN});
        fill_eighths(x, 1);
        scale.fill(power);
        const OpTensor y(ACL_BF16, {kM, kN});
        const auto bytes = run(
            [&](auto* n, auto** e) {
              return aclnnWeightQuantBatchMatmulNzGetWorkspaceSize(x.get(), weight, scale.get(), nullptr, nullptr,
                                                                   nullptr, nullptr, 32, y.get(), n, e);
            },
            aclnnWeightQuantBatchMatmulNz, {&x, &words, &scale}, y);
        expect_elements(
            y, bytes,
            [&](std::int64_t i) {
              Number sum = 0;
              for (std::int64_t k = 0; k < kK; ++k) {
                sum += x.before(i / kN * kK + k) * float4_at(k * kN + i % kN) * scale.before(k / 32 * kN + i % kN);
              }
              return sum;
            },
            false);
        EXPECT_EQ(aclDestroyTensor(weight), 0);
      }
    }
  }
}

TEST_F(Float8Weight, MayLieInBlocks) {
  constexpr std::int64_t kM = 5, kK = 40, kN = 24;
  OpTensor x(ACL_FLOAT16, {kM, kK});
  OpTensor weight(ACL_FLOAT8_E4M3FN, {kK, kN});
  OpTensor scale(ACL_FLOAT16, {kN});
  fill_eighths(x, 1);
  weight.fill([](std::int64_t i) -> Number { return nibble_at(i) / 4; });
  scale.fill(power);
  OpTensor storage(ACL_FLOAT8_E4M3FN, storage_shape(ACL_FLOAT8_E4M3FN, {kK, kN}));
  fill_blocks(storage, weight, 3);
  const Blocks blocks(storage, {kK, kN});
  const OpTensor y(ACL_FLOAT16, {kM, kN});
  const auto bytes = run(
      [&](auto* n, auto** e) {
        return aclnnWeightQuantBatchMatmulNzGetWorkspaceSize(x.get(), blocks.get(), scale.get(), nullptr, nullptr,
                                                             nullptr, nullptr, 0, y.get(), n, e);
      },
      aclnnWeightQuantBatchMatmulNz, {&x, &storage, &scale}, y);
  expect_elements(
      y, bytes,
      [&](std::int64_t i) {
        Number sum = 0;
        for (std::int64_t k = 0; k < kK; ++k) sum += x.before(i / kN * kK + k) * weight.before(k * kN + i % kN);
        return sum * scale.before(i % kN);
      },
      false);
}

}  // namespace
}  // namespace aclvk::test
