#include <thread>

#include "aclnnop/aclnn_addmm.h"
#include "aclnnop/aclnn_batch_matmul.h"
#include "aclnnop/aclnn_einsum.h"
#include "aclnnop/aclnn_fused_matmul.h"
#include "aclnnop/aclnn_matmul.h"
#include "aclnnop/aclnn_npu_format_cast.h"
#include "aclnnop/aclnn_trans_matmul_weight.h"
#include "ops/matmul/formats/blocks.hpp"

namespace aclvk::test {
namespace {

class Fractal : public OpTest {};

TEST_F(Fractal, FormatCastWritesColumnsOfBlocks) {
  for (const aclDataType type : {ACL_FLOAT16, ACL_BF16, ACL_FLOAT, ACL_INT8, ACL_FLOAT8_E4M3FN, ACL_FLOAT8_E5M2}) {
    for (const Shape& shape : {Shape{37, 50}, Shape{32, 64}, Shape{2, 17, 5}}) {
      SCOPED_TRACE(testing::Message() << "dtype " << type);
      OpTensor matrix(type, shape);
      fill_eighths(matrix, 3);
      const OpTensor storage(type, storage_shape(type, shape));
      const Blocks blocks(storage, shape);
      const auto bytes =
          run([&](auto* n, auto** e) { return aclnnNpuFormatCastGetWorkspaceSize(matrix.get(), blocks.get(), n, e); },
              aclnnNpuFormatCast, {&matrix}, storage);
      expect_elements(
          storage, bytes,
          [&](std::int64_t place) -> Number {
            const auto element = element_of(storage.shape(), shape, place);
            return element ? matrix.before(element_at(*element, shape)) : 0;
          },
          true);
    }
  }
}

TEST_F(Fractal, FormatCastReadsThemAgain) {
  OpTensor matrix(ACL_FLOAT16, {37, 50});
  fill_eighths(matrix, 3);
  OpTensor storage(ACL_FLOAT16, storage_shape(ACL_FLOAT16, {37, 50}));
  fill_blocks(storage, matrix);
  const Blocks blocks(storage, {37, 50});
  const OpTensor out(ACL_FLOAT16, {37, 50});
  const auto bytes =
      run([&](auto* n, auto** e) { return aclnnNpuFormatCastGetWorkspaceSize(blocks.get(), out.get(), n, e); },
          aclnnNpuFormatCast, {&storage}, out);
  expect_elements(
      out, bytes, [&](std::int64_t i) { return matrix.before(i); }, true);
}

TEST_F(Fractal, WeightsMayBeInBlocks) {
  for (const bool transposed : {false, true}) {
    const Shape shape = transposed ? Shape{50, 37} : Shape{37, 50};
    OpTensor self(ACL_FLOAT16, {9, 37});
    OpTensor weight(ACL_FLOAT16, shape);
    OpTensor added(ACL_FLOAT16, {50});
    fill_eighths(self, 1);
    fill_eighths(weight, 2);
    fill_eighths(added, 3);
    OpTensor storage(ACL_FLOAT16, storage_shape(ACL_FLOAT16, shape));
    fill_blocks(storage, weight);
    const Blocks blocks(storage, shape, transposed);
    const OpTensor out(ACL_FLOAT16, {9, 50});
    const auto product = [&](std::int64_t i) { return exact_product({self}, {weight, transposed}, {i / 50, i % 50}); };
    const auto bytes =
        run([&](auto* n,
                auto** e) { return aclnnMatmulWeightNzGetWorkspaceSize(self.get(), blocks.get(), out.get(), 0, n, e); },
            aclnnMatmulWeightNz, {&self, &storage}, out);
    expect_elements(
        out, bytes, [&](std::int64_t i) { return held(product(i), ACL_FLOAT16); }, true);
    const OpScalar one(ACL_FLOAT, 1);
    const auto sums = run(
        [&](auto* n, auto** e) {
          return aclnnAddmmWeightNzGetWorkspaceSize(added.get(), self.get(), blocks.get(), one.get(), one.get(),
                                                    out.get(), 0, n, e);
        },
        aclnnAddmmWeightNz, {&self, &storage, &added}, out);
    expect_elements(
        out, sums, [&](std::int64_t i) { return held(product(i) + added.before(i % 50), ACL_FLOAT16); }, true);
  }
}

/// Both strides of a transposed column are 1, and so its strides alone do not tell it from a column.
TEST_F(Fractal, AColumnMayBeTransposed) {
  constexpr std::int64_t kColumns = 50;
  OpTensor self(ACL_FLOAT16, {9, 1});
  OpTensor weight(ACL_FLOAT16, {kColumns, 1});
  fill_eighths(self, 1);
  fill_eighths(weight, 2);
  OpTensor storage(ACL_FLOAT16, storage_shape(ACL_FLOAT16, {kColumns, 1}));
  fill_blocks(storage, weight);
  const Blocks blocks(storage, {kColumns, 1}, true);
  const OpTensor out(ACL_FLOAT16, {9, kColumns});
  const auto bytes =
      run([&](auto* n,
              auto** e) { return aclnnMatmulWeightNzGetWorkspaceSize(self.get(), blocks.get(), out.get(), 0, n, e); },
          aclnnMatmulWeightNz, {&self, &storage}, out);
  expect_elements(
      out, bytes,
      [&](std::int64_t i) {
        return held(exact_product({self}, {weight, true}, {i / kColumns, i % kColumns}), ACL_FLOAT16);
      },
      true);
}

TEST_F(Fractal, BatchesOfThemToo) {
  OpTensor self(ACL_BF16, {3, 9, 17});
  OpTensor weight(ACL_BF16, {3, 17, 20});
  fill_eighths(self, 1);
  fill_eighths(weight, 2);
  OpTensor storage(ACL_BF16, storage_shape(ACL_BF16, {3, 17, 20}));
  fill_blocks(storage, weight);
  const Blocks blocks(storage, {3, 17, 20});
  const OpTensor out(ACL_BF16, {3, 9, 20});
  const auto bytes = run(
      [&](auto* n, auto** e) {
        return aclnnBatchMatMulWeightNzGetWorkspaceSize(self.get(), blocks.get(), out.get(), 0, n, e);
      },
      aclnnBatchMatMulWeightNz, {&self, &storage}, out);
  expect_elements(
      out, bytes,
      [&](std::int64_t i) { return held(exact_product({self}, {weight}, coordinates_of(i, out.shape())), ACL_BF16); },
      true);
}

TEST_F(Fractal, WeightsBecomeBlocksWhereTheyAre) {
  for (const aclDataType type : {ACL_FLOAT16, ACL_BF16, ACL_INT8}) {
    for (const Shape& shape : {Shape{37, 50}, Shape{16, 32}, Shape{2, 17, 5}}) {
      for (const bool transposed : {false, true}) {
        SCOPED_TRACE(testing::Message() << "dtype " << type << (transposed ? ", transposed" : ""));
        OpTensor matrix(type, shape);
        fill_eighths(matrix, 3);
        OpTensor storage(type, storage_shape(type, shape));
        storage.fill([&](std::int64_t i) { return i < matrix.count() ? matrix.before(i) : Number(1); });
        std::vector<std::unique_ptr<Blocks>> handles;
        const auto bytes = run(
            [&](auto* n, auto** e) {
              // Each first phase finds a tensor that is no FRACTAL_NZ yet.
              handles.push_back(std::make_unique<Blocks>(storage, shape, transposed, ACL_FORMAT_ND));
              return aclnnTransMatmulWeightGetWorkspaceSize(handles.back()->get(), n, e);
            },
            aclnnTransMatmulWeight, {}, storage);
        expect_elements(
            storage, bytes,
            [&](std::int64_t place) -> Number {
              const auto element = element_of(storage.shape(), shape, place);
              return element ? matrix.before(element_at(*element, shape)) : 0;
            },
            true);
        aclFormat format = ACL_FORMAT_ND;
        EXPECT_EQ(aclGetFormat(handles.back()->get(), &format), 0);
        EXPECT_EQ(format, ACL_FORMAT_FRACTAL_NZ);
        int64_t* dims = nullptr;
        uint64_t rank = 0;
        EXPECT_EQ(aclGetStorageShape(handles.back()->get(), &dims, &rank), 0);
        EXPECT_EQ(Shape(dims, dims + rank), storage.shape());
        delete[] dims;
      }
    }
  }
}

TEST_F(Fractal, WeightsStayAsTheyAreWhereTheFirstPhaseIsRefused) {
  const OpTensor storage(ACL_FLOAT16, storage_shape(ACL_FLOAT16, {37, 50}));
  const Blocks weight(storage, {37, 50}, false, ACL_FORMAT_ND);
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  std::thread([&] {
    EXPECT_EQ(aclnnTransMatmulWeightGetWorkspaceSize(weight.get(), &size, &executor), 361001) << "no device";
  }).join();
  aclFormat format = ACL_FORMAT_UNDEFINED;
  EXPECT_EQ(aclGetFormat(weight.get(), &format), 0);
  EXPECT_EQ(format, ACL_FORMAT_ND);
  EXPECT_EQ(aclnnTransMatmulWeightGetWorkspaceSize(weight.get(), &size, &executor), 0) << aclGetRecentErrMsg();
  EXPECT_EQ(aclDestroyAclOpExecutor(executor), 0);
}

TEST_F(Fractal, SuchWeightsAreFactors) {
  OpTensor self(ACL_FLOAT16, {9, 37});
  OpTensor weight(ACL_FLOAT16, {37, 50});
  fill_eighths(self, 1);
  fill_eighths(weight, 2);
  OpTensor storage(ACL_FLOAT16, storage_shape(ACL_FLOAT16, {37, 50}));
  storage.fill([&](std::int64_t i) { return i < weight.count() ? weight.before(i) : Number(1); });
  const Blocks tensor(storage, {37, 50}, false, ACL_FORMAT_ND);
  storage.upload();
  enqueue([&](auto* n, auto** e) { return aclnnTransMatmulWeightGetWorkspaceSize(tensor.get(), n, e); },
          aclnnTransMatmulWeight);
  const OpTensor out(ACL_FLOAT16, {9, 50});
  const auto bytes =
      run([&](auto* n,
              auto** e) { return aclnnMatmulWeightNzGetWorkspaceSize(self.get(), tensor.get(), out.get(), 0, n, e); },
          aclnnMatmulWeightNz, {&self}, out);
  expect_elements(
      out, bytes,
      [&](std::int64_t i) {
        return held(exact_product({self}, {weight}, {i / 50, i % 50}), ACL_FLOAT16);
      },
      true);
}

TEST_F(Fractal, WeightsNeedMemoryForBlocks) {
  const OpTensor row(ACL_FLOAT16, {1, 8192});  // sixteen rows of blocks are more
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  ASSERT_EQ(aclnnTransMatmulWeightGetWorkspaceSize(const_cast<aclTensor*>(row.get()), &size, &executor), 0);
  void* workspace = nullptr;
  ASSERT_EQ(aclrtMalloc(&workspace, size, ACL_MEM_MALLOC_NORMAL_ONLY), 0);
  EXPECT_EQ(aclnnTransMatmulWeight(workspace, size, executor, stream()), 361001);
  EXPECT_EQ(aclrtFree(workspace), 0);
}

TEST_F(Fractal, RefusesOtherWeights) {
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const aclTensor* weight) {
    return aclnnTransMatmulWeightGetWorkspaceSize(const_cast<aclTensor*>(weight), &size, &executor);
  };
  const OpTensor floats(ACL_FLOAT, {16, 16});
  const OpTensor vector(ACL_FLOAT16, {16});
  const OpTensor gaps(ACL_FLOAT16, {16, 16}, {{32, 1}});
  const OpTensor storage(ACL_FLOAT16, {1, 1, 16, 16});
  const Blocks blocks(storage, {16, 16});
  EXPECT_EQ(plan(nullptr), 161001);
  EXPECT_EQ(plan(floats.get()), 161002);
  EXPECT_EQ(plan(vector.get()), 161002);
  EXPECT_EQ(plan(gaps.get()), 161002);
  EXPECT_EQ(plan(blocks.get()), 161002);
  EXPECT_EQ(executor, nullptr);
}

TEST_F(Fractal, RefusesStorageWithoutRoom) {
  const OpTensor matrix(ACL_FLOAT16, {37, 50});
  const OpTensor storage(ACL_FLOAT16, {3, 3, 16, 16});
  const Blocks few(storage, {37, 50});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  EXPECT_EQ(aclnnNpuFormatCastGetWorkspaceSize(matrix.get(), few.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnNpuFormatCastGetWorkspaceSize(nullptr, few.get(), &size, &executor), 161001);
  EXPECT_EQ(executor, nullptr);
}

TEST_F(Fractal, RefusesStorageThatNoMemoryHas) {
  const OpTensor matrix(ACL_FLOAT16, {16, 16});
  const int64_t huge = int64_t{1} << 33;
  for (const Shape& storage : {Shape{1, -1, -16, 16}, Shape{-1, -1, -16, -16}, Shape{huge, huge, huge, huge}}) {
    const int64_t view[] = {16, 16};
    aclTensor* blocks = aclCreateTensor(view, 2, ACL_FLOAT16, nullptr, 0, ACL_FORMAT_FRACTAL_NZ, storage.data(),
                                        storage.size(), matrix.memory());
    ASSERT_NE(blocks, nullptr);
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    EXPECT_EQ(aclnnNpuFormatCastGetWorkspaceSize(blocks, matrix.get(), &size, &executor), 161002);
    const std::string message = aclGetRecentErrMsg();
    EXPECT_NE(message.find("srcTensor has format FRACTAL_NZ"), std::string::npos) << message;
    EXPECT_EQ(executor, nullptr);
    EXPECT_EQ(aclDestroyTensor(blocks), 0);
  }
}

TEST_F(Fractal, OthersTakeRowsAndColumns) {
  const OpTensor storage(ACL_FLOAT16, {2, 2, 16, 16});
  const Blocks blocks(storage, {32, 32});
  const OpTensor rows(ACL_FLOAT16, {32, 32});
  const OpTensor out(ACL_FLOAT16, {32, 32});
  const aclTensor* factors[] = {rows.get(), blocks.get()};
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  char kind[] = "relu";
  EXPECT_EQ(aclnnMatmulGetWorkspaceSize(blocks.get(), rows.get(), out.get(), 0, &size, &executor), 161002);
  EXPECT_EQ(aclnnFusedMatmulGetWorkspaceSize(rows.get(), blocks.get(), nullptr, nullptr, kind, 0, out.get(), &size,
                                             &executor),
            161002);
  aclTensorList* list = aclCreateTensorList(factors, 2);
  EXPECT_EQ(aclnnEinsumGetWorkspaceSize(list, "ij,jk->ik", out.get(), &size, &executor), 161002);
  EXPECT_EQ(executor, nullptr);
  aclDestroyTensorList(list);
}

}  // namespace
}  // namespace aclvk::test
