// Factors in FRACTAL_NZ, which products read as stored.
#include "ops/matmul/formats/blocks.hpp"

#include <limits>

#include "aclnnop/aclnn_addmm.h"
#include "aclnnop/aclnn_baddbmm.h"
#include "aclnnop/aclnn_batch_matmul.h"
#include "aclnnop/aclnn_matmul.h"
#include "aclnnop/aclnn_mm.h"
#include "aclnnop/aclnn_npu_format_cast.h"
#include "aclnnop/aclnn_trans_matmul_weight.h"

namespace aclvk::test {
namespace {

using Said = Blocks::Said;

struct Sizes {
  std::int64_t m, k, n;
};

class FactorInBlocks : public OpTest {
 protected:
  /// A product with a weight whose blocks are filled up with NaN, which no result has.
  static void check(aclDataType type, const Sizes& sizes, bool transposed, Said said = Said::kBlocks,
                    std::int64_t columns_of_block = 0, std::int64_t rows_of_block = kBlockRows) {
    const auto& [m, k, n] = sizes;
    SCOPED_TRACE(testing::Message() << "dtype " << type << ", " << m << " x " << k << " x " << n
                                    << (transposed ? ", transposed" : "") << ", " << columns_of_block);
    const Shape shape = transposed ? Shape{n, k} : Shape{k, n};
    OpTensor self(type, {m, k});
    OpTensor weight(type, shape);
    fill_eighths(self, 1);
    fill_eighths(weight, 2);
    Shape stored = storage_shape(type, shape, columns_of_block);
    stored[1] = (shape[0] + rows_of_block - 1) / rows_of_block;
    stored[2] = rows_of_block;
    OpTensor storage(type, stored);
    fill_blocks(storage, weight, std::numeric_limits<Real>::quiet_NaN());
    const Blocks blocks(storage, shape, transposed, ACL_FORMAT_FRACTAL_NZ, said);
    const OpTensor out(type, {m, n});
    const auto bytes = run(
        [&](auto* size, auto** e) { return aclnnMmGetWorkspaceSize(self.get(), blocks.get(), out.get(), 0, size, e); },
        aclnnMm, {&self, &storage}, out);
    expect_elements(
        out, bytes,
        [&, width = n](std::int64_t i) {
          return held(exact_product({self}, {weight, transposed}, {i / width, i % width}), type);
        },
        true);
  }
  static void check_both(aclDataType type, const Sizes& sizes, Said said = Said::kBlocks) {
    for (const bool transposed : {false, true}) check(type, sizes, transposed, said);
  }
};

TEST_F(FactorInBlocks, RowsOfVec8sAndOthers) {
  for (const std::int64_t m : {1, 2, 17}) {
    check_both(ACL_FLOAT16, {m, 96, 80});
    check_both(ACL_FLOAT16, {m, 37, 53});
  }
  check_both(ACL_FLOAT16, {1, 16, 16});
  check_both(ACL_FLOAT16, {1, 1024, 72});
  check_both(ACL_FLOAT16, {80, 80, 3});
  check_both(ACL_FLOAT16, {67, 131, 1});
  check_both(ACL_FLOAT16, {7, 1, 50});
  check_both(ACL_BF16, {2, 72, 1040});
  check_both(ACL_FLOAT, {1, 96, 80});
  check_both(ACL_FLOAT, {17, 37, 53});
}

TEST_F(FactorInBlocks, TheStorageShapeMayCountElements) {
  check_both(ACL_FLOAT16, {1, 64, 48}, Said::kElements);
  check_both(ACL_FLOAT16, {9, 37, 50}, Said::kElements);
  check_both(ACL_FLOAT, {9, 37, 50}, Said::kElements);
}

TEST_F(FactorInBlocks, OfOtherSizes) {
  for (const bool transposed : {false, true}) {
    for (const std::int64_t columns : {4, 8, 12, 32})
      check(ACL_FLOAT16, {3, 96, 80}, transposed, Said::kBlocks, columns);
    check(ACL_FLOAT16, {3, 50, 67}, transposed, Said::kBlocks, 16, 4);
  }
}

TEST_F(FactorInBlocks, SumsAnyDepth) {
  constexpr std::int64_t kDeep = (std::int64_t{1} << 18) + 24;
  check(ACL_FLOAT, {1, kDeep, 3}, true);
  check(ACL_FLOAT, {2, kDeep, 5}, false);
}

TEST_F(FactorInBlocks, ManyColumns) {
  check(ACL_FLOAT16, {1, 16, 70001}, false);
  check(ACL_FLOAT16, {1, 16, 70000}, true);
}

TEST_F(FactorInBlocks, AreNotUnpacked) {
  const OpTensor self(ACL_FLOAT16, {1, 256});
  const OpTensor out(ACL_FLOAT16, {1, 320});
  const OpTensor storage(ACL_FLOAT16, {16, 20, 16, 16});
  const Blocks blocks(storage, {320, 256}, true);
  uint64_t size = 1;
  aclOpExecutor* executor = nullptr;
  ASSERT_EQ(aclnnMmGetWorkspaceSize(self.get(), blocks.get(), out.get(), 0, &size, &executor), 0);
  EXPECT_LT(size, storage.bytes()) << "what the weight would take once more";
  EXPECT_EQ(aclDestroyAclOpExecutor(executor), 0);
}

TEST_F(FactorInBlocks, EachMatrixOfABatch) {
  for (const std::int64_t own : {3, 1}) {
    for (const bool transposed : {false, true}) {
      const Shape shape = transposed ? Shape{own, 24, 50} : Shape{own, 50, 24};
      OpTensor self(ACL_FLOAT16, {3, 9, 50});
      OpTensor weight(ACL_FLOAT16, shape);
      fill_eighths(self, 1);
      fill_eighths(weight, 2);
      OpTensor storage(ACL_FLOAT16, storage_shape(ACL_FLOAT16, shape));
      fill_blocks(storage, weight, std::numeric_limits<Real>::quiet_NaN());
      for (const Said said : {Said::kBlocks, Said::kElements}) {
        const Blocks blocks(storage, shape, transposed, ACL_FORMAT_FRACTAL_NZ, said);
        const OpTensor out(ACL_FLOAT16, {3, 9, 24});
        const auto bytes = run(
            [&](auto* n, auto** e) {
              return aclnnBatchMatMulGetWorkspaceSize(self.get(), blocks.get(), out.get(), 0, n, e);
            },
            aclnnBatchMatMul, {&self, &storage}, out);
        expect_elements(
            out, bytes,
            [&](std::int64_t i) {
              return held(exact_product({self}, {weight, transposed}, coordinates_of(i, out.shape())), ACL_FLOAT16);
            },
            true);
      }
    }
  }
}

TEST_F(FactorInBlocks, WithAnAddend) {
  for (const std::int64_t m : {1, 19}) {
    for (const bool transposed : {false, true}) {
      const Shape shape = transposed ? Shape{88, 160} : Shape{160, 88};
      OpTensor added(ACL_FLOAT16, {88});
      OpTensor self(ACL_FLOAT16, {m, 160});
      OpTensor weight(ACL_FLOAT16, shape);
      fill_eighths(added, 3);
      fill_eighths(self, 1);
      fill_eighths(weight, 2);
      OpTensor storage(ACL_FLOAT16, storage_shape(ACL_FLOAT16, shape));
      fill_blocks(storage, weight);
      const Blocks blocks(storage, shape, transposed, ACL_FORMAT_FRACTAL_NZ, Said::kElements);
      const OpTensor out(ACL_FLOAT16, {m, 88});
      const OpScalar one(ACL_FLOAT, 1);
      const auto bytes = run(
          [&](auto* n, auto** e) {
            return aclnnAddmmWeightNzGetWorkspaceSize(added.get(), self.get(), blocks.get(), one.get(), one.get(),
                                                      out.get(), 0, n, e);
          },
          aclnnAddmmWeightNz, {&self, &storage, &added}, out);
      expect_elements(
          out, bytes,
          [&](std::int64_t i) {
            return held(exact_product({self}, {weight, transposed}, {i / 88, i % 88}) + added.before(i % 88),
                        ACL_FLOAT16);
          },
          true);
    }
  }
}

/// As programs do that write a weight once: the blocks are made of rows by a handle that counts elements, and read by
/// another one, transposed.
TEST_F(FactorInBlocks, MadeByAHandleThatCountsElements) {
  const Shape shape{40, 72};
  OpTensor self(ACL_FLOAT16, {1, 72});
  OpTensor weight(ACL_FLOAT16, shape);
  fill_eighths(self, 1);
  fill_eighths(weight, 2);
  OpTensor storage(ACL_FLOAT16, storage_shape(ACL_FLOAT16, shape));
  storage.fill([&](std::int64_t i) { return i < weight.count() ? weight.before(i) : Number(1); });
  const Blocks rows(storage, shape, false, ACL_FORMAT_ND, Said::kElements);
  storage.upload();
  enqueue([&](auto* n, auto** e) { return aclnnTransMatmulWeightGetWorkspaceSize(rows.get(), n, e); },
          aclnnTransMatmulWeight);
  const Blocks blocks(storage, shape, true, ACL_FORMAT_FRACTAL_NZ, Said::kElements);
  const OpTensor out(ACL_FLOAT16, {1, 40});
  const auto bytes =
      run([&](auto* n, auto** e) { return aclnnMmGetWorkspaceSize(self.get(), blocks.get(), out.get(), 0, n, e); },
          aclnnMm, {&self}, out);
  expect_elements(
      out, bytes,
      [&](std::int64_t i) {
        return held(exact_product({self}, {weight, true}, {0, i}), ACL_FLOAT16);
      },
      true);
}

TEST_F(FactorInBlocks, CastsCountElementsToo) {
  OpTensor matrix(ACL_FLOAT16, {37, 50});
  fill_eighths(matrix, 3);
  OpTensor storage(ACL_FLOAT16, storage_shape(ACL_FLOAT16, {37, 50}));
  fill_blocks(storage, matrix);
  const Blocks blocks(storage, {37, 50}, false, ACL_FORMAT_FRACTAL_NZ, Said::kElements);
  const OpTensor out(ACL_FLOAT16, {37, 50});
  const auto bytes =
      run([&](auto* n, auto** e) { return aclnnNpuFormatCastGetWorkspaceSize(blocks.get(), out.get(), n, e); },
          aclnnNpuFormatCast, {&storage}, out);
  expect_elements(
      out, bytes, [&](std::int64_t i) { return matrix.before(i); }, true);
}

TEST_F(FactorInBlocks, RefusesStorageOfFewerElements) {
  const OpTensor self(ACL_FLOAT16, {1, 32});
  const OpTensor out(ACL_FLOAT16, {1, 32});
  const OpTensor memory(ACL_FLOAT16, {32, 32});
  const Shape shape{32, 32};
  const Shape strides{32, 1};
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  for (const std::int64_t count : {1023, 1024}) {
    aclTensor* blocks = aclCreateTensor(shape.data(), 2, ACL_FLOAT16, strides.data(), 0, ACL_FORMAT_FRACTAL_NZ, &count,
                                        1, memory.memory());
    EXPECT_EQ(aclnnMmGetWorkspaceSize(self.get(), blocks, out.get(), 0, &size, &executor), count == 1024 ? 0 : 161002);
    aclDestroyTensor(blocks);
  }
  EXPECT_EQ(aclDestroyAclOpExecutor(executor), 0);
}

}  // namespace
}  // namespace aclvk::test
