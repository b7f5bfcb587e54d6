#include "aclnnop/aclnn_addmm.h"
#include "aclnnop/aclnn_batch_matmul.h"
#include "aclnnop/aclnn_matmul.h"
#include "aclnnop/aclnn_npu_format_cast.h"
#include "ops/matmul/product_reference.hpp"

namespace aclvk::test {
namespace {

constexpr std::int64_t kBlockRows = 16;

/// A handle for a matrix in blocks, over the memory of a tensor that has the storage shape.
class Blocks {
 public:
  Blocks(const OpTensor& storage, const Shape& shape, bool transposed = false) {
    Shape strides = OpTensor::row_major(shape);
    Shape view = shape;
    if (transposed) {
      std::swap(strides[shape.size() - 1], strides[shape.size() - 2]);
      std::swap(view[shape.size() - 1], view[shape.size() - 2]);
    }
    handle_ = aclCreateTensor(view.data(), view.size(), storage.type(), strides.data(), 0, ACL_FORMAT_FRACTAL_NZ,
                              storage.shape().data(), storage.shape().size(), storage.memory());
  }
  ~Blocks() { aclDestroyTensor(handle_); }
  Blocks(const Blocks&) = delete;
  Blocks& operator=(const Blocks&) = delete;

  aclTensor* get() const { return handle_; }

 private:
  aclTensor* handle_;
};

class Fractal : public OpTest {
 protected:
  static std::int64_t columns_of_block(aclDataType type) {
    return 32 / static_cast<std::int64_t>(aclDataTypeSize(type));
  }

  static Shape storage_shape(aclDataType type, const Shape& shape) {
    const std::int64_t c = columns_of_block(type);
    Shape storage(shape.begin(), shape.end() - 2);
    storage.insert(storage.end(), {(shape.back() + c - 1) / c, (shape[shape.size() - 2] + kBlockRows - 1) / kBlockRows,
                                   kBlockRows, c});
    return storage;
  }

  /// The matrix element at a place of the storage, or nothing where blocks are filled up.
  static std::optional<Shape> element_of(const Shape& storage, const Shape& shape, std::int64_t place) {
    const Shape at = coordinates_of(place, storage);
    const std::size_t batch = storage.size() - 4;
    Shape element(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(batch));
    element.push_back(at[batch + 1] * kBlockRows + at[batch + 2]);
    element.push_back(at[batch] * storage.back() + at[batch + 3]);
    const bool inside = element[batch] < shape[batch] && element[batch + 1] < shape[batch + 1];
    return inside ? std::optional(element) : std::nullopt;
  }

  static void fill_blocks(OpTensor& storage, const OpTensor& matrix) {
    storage.fill([&](std::int64_t place) -> Number {
      const auto element = element_of(storage.shape(), matrix.shape(), place);
      return element ? matrix.before(element_at(*element, matrix.shape())) : 0;
    });
  }
};

TEST_F(Fractal, FormatCastWritesColumnsOfBlocks) {
  for (const aclDataType type : {ACL_FLOAT16, ACL_BF16, ACL_FLOAT, ACL_INT8}) {
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

}  // namespace
}  // namespace aclvk::test
