// The sizes of weights in the formats of NPU cores, and their shapes there.
#include <memory>
#include <vector>

#include "aclnnop/aclnn_npu_format_cast.h"
#include "aclnnop/aclnn_trans_convolution_weight.h"
#include "aclnnop/aclnn_trans_matmul_weight.h"
#include "support/op_fixture.hpp"

namespace aclvk::test {
namespace {

struct Ints {
  explicit Ints(const std::vector<std::int64_t>& values) : handle(aclCreateIntArray(values.data(), values.size())) {}
  ~Ints() { aclDestroyIntArray(handle); }
  Ints(const Ints&) = delete;
  Ints& operator=(const Ints&) = delete;
  aclIntArray* handle;
};

std::uint64_t matmul_size(const std::vector<std::int64_t>& shape) {
  std::uint64_t size = 77;
  EXPECT_EQ(aclnnCalculateMatmulWeightSize(Ints(shape).handle, &size), 0) << aclGetRecentErrMsg();
  return size;
}
std::uint64_t matmul_size(const std::vector<std::int64_t>& shape, aclDataType type) {
  std::uint64_t size = 77;
  EXPECT_EQ(aclnnCalculateMatmulWeightSizeV2(Ints(shape).handle, type, &size), 0) << aclGetRecentErrMsg();
  return size;
}
std::uint64_t convolution_size(const std::vector<std::int64_t>& shape, std::int64_t groups) {
  std::uint64_t size = 77;
  EXPECT_EQ(aclnnCalculateConvolutionWeightSize(Ints(shape).handle, false, groups, ACL_FLOAT16, &size), 0)
      << aclGetRecentErrMsg();
  return size;
}

TEST(WeightSize, OfMatricesIsWholeBlocks) {
  EXPECT_EQ(matmul_size({510, 510}), 262144U);
  EXPECT_EQ(matmul_size({16, 16}), 256U);
  EXPECT_EQ(matmul_size({1, 1}), 256U);
  EXPECT_EQ(matmul_size({3, 2, 17, 33}), 3U * 2 * 32 * 48);
  EXPECT_EQ(matmul_size({0, 7}), 0U);
  EXPECT_EQ(matmul_size({510, 270}, ACL_INT8), 147456U);
  EXPECT_EQ(matmul_size({510, 270}, ACL_FLOAT16), 512U * 272);
  EXPECT_EQ(matmul_size({510, 270}, ACL_BF16), 512U * 272);
}

TEST(WeightSize, OfMatricesIsChecked) {
  std::uint64_t size = 77;
  const Ints good({4, 4});
  EXPECT_EQ(aclnnCalculateMatmulWeightSize(nullptr, &size), 161001);
  EXPECT_EQ(aclnnCalculateMatmulWeightSize(good.handle, nullptr), 161001);
  for (const auto& shape : std::vector<std::vector<std::int64_t>>{
           {}, {4}, {1, 1, 1, 1, 1, 1, 1}, {-1, 4}, {std::int64_t{1} << 41, 0}, {std::int64_t{1} << 30, 1 << 30}}) {
    EXPECT_EQ(aclnnCalculateMatmulWeightSize(Ints(shape).handle, &size), 161002);
    EXPECT_EQ(aclnnCalculateMatmulWeightSizeV2(Ints(shape).handle, ACL_INT8, &size), 161002);
  }
  EXPECT_EQ(aclnnCalculateMatmulWeightSizeV2(nullptr, ACL_INT8, &size), 161001);
  EXPECT_EQ(aclnnCalculateMatmulWeightSizeV2(good.handle, ACL_FLOAT, &size), 161002);
  EXPECT_EQ(size, 77U);
}

TEST(WeightSize, OfConvolutions) {
  EXPECT_EQ(convolution_size({2, 4, 8, 8}, 1), 16384U);
  EXPECT_EQ(convolution_size({32, 3, 5, 7}, 1), 35U * 2 * 256);
  EXPECT_EQ(convolution_size({0, 3, 5, 7}, 1), 0U);
  EXPECT_EQ(convolution_size({}, 1), 0U);
  // Four channels and four filters a group: four groups fill a block of 16 x 16.
  EXPECT_EQ(convolution_size({32, 4, 3, 3}, 8), 2U * 9 * 256);
  // Three filters and one channel a group: 16 groups together have one row of channels and three of filters.
  EXPECT_EQ(convolution_size({96, 1, 1, 1}, 32), 2U * 3 * 256);
  // Two groups are fewer than what fills blocks.
  EXPECT_EQ(convolution_size({6, 5, 1, 1}, 2), 256U);
}

TEST(WeightSize, OfConvolutionsIsChecked) {
  std::uint64_t size = 77;
  const Ints good({6, 4, 3, 3});
  const auto code = [&](const Ints& shape, bool transposed, std::int64_t groups, aclDataType type) {
    return aclnnCalculateConvolutionWeightSize(shape.handle, transposed, groups, type, &size);
  };
  EXPECT_EQ(aclnnCalculateConvolutionWeightSize(nullptr, false, 1, ACL_FLOAT16, &size), 161001);
  EXPECT_EQ(aclnnCalculateConvolutionWeightSize(good.handle, false, 1, ACL_FLOAT16, nullptr), 161001);
  EXPECT_EQ(code(good, true, 1, ACL_FLOAT16), 161002);
  EXPECT_EQ(code(good, false, 0, ACL_FLOAT16), 161002);
  EXPECT_EQ(code(good, false, 65536, ACL_FLOAT16), 161002);
  EXPECT_EQ(code(good, false, 4, ACL_FLOAT16), 161002) << "six filters are not those of four groups";
  EXPECT_EQ(code(good, false, 1, ACL_FLOAT), 161002);
  EXPECT_EQ(code(Ints({6, 4, 3}), false, 1, ACL_FLOAT16), 161002);
  EXPECT_EQ(code(Ints({6, -4, 3, 3}), false, 1, ACL_FLOAT16), 161002);
  EXPECT_EQ(size, 77U);
}

class FormatCastShape : public OpTest {
 protected:
  struct Stored {
    std::vector<std::int64_t> dims;
    int format;
  };
  static Stored stored(const OpTensor& tensor, int format, int other) {
    std::int64_t* dims = nullptr;
    std::uint64_t count = 0;
    Stored result{{}, -1};
    EXPECT_EQ(aclnnNpuFormatCastCalculateSizeAndFormat(tensor.get(), format, other, &dims, &count, &result.format), 0)
        << aclGetRecentErrMsg();
    if (dims) result.dims.assign(dims, dims + count);
    delete[] dims;
    return result;
  }
};

TEST_F(FormatCastShape, HasBlocksOfThirtyTwoBytes) {
  struct Case {
    aclDataType type;
    int other;
    std::int64_t columns;
  };
  for (const Case& c :
       {Case{ACL_FLOAT16, -1, 16}, Case{ACL_BF16, ACL_BF16, 16}, Case{ACL_INT8, -1, 32}, Case{ACL_FLOAT, -1, 8},
        Case{ACL_INT32, ACL_FLOAT16, 16}, Case{ACL_INT32, ACL_INT8, 32}, Case{ACL_FLOAT8_E4M3FN, -1, 32},
        Case{ACL_FLOAT8_E5M2, ACL_FLOAT16, 16}, Case{ACL_HIFLOAT8, -1, 32}, Case{ACL_INT8, ACL_FLOAT8_E4M3FN, 32}}) {
    const OpTensor weight(c.type, {3, 37, 50});
    const Stored blocks = stored(weight, ACL_FORMAT_FRACTAL_NZ, c.other);
    EXPECT_EQ(blocks.format, ACL_FORMAT_FRACTAL_NZ);
    EXPECT_EQ(blocks.dims, (std::vector<std::int64_t>{3, (50 + c.columns - 1) / c.columns, 3, 16, c.columns}));
  }
}

TEST_F(FormatCastShape, IsTheViewInOtherFormats) {
  const OpTensor weight(ACL_FLOAT, {37, 50});
  const Stored plain = stored(weight, ACL_FORMAT_ND, -1);
  EXPECT_EQ(plain.format, ACL_FORMAT_ND);
  EXPECT_EQ(plain.dims, (std::vector<std::int64_t>{37, 50}));
}

TEST_F(FormatCastShape, IsWhatTheCastTakes) {
  OpTensor weight(ACL_FLOAT16, {17, 20});
  weight.fill_random(5);
  const Stored blocks = stored(weight, ACL_FORMAT_FRACTAL_NZ, -1);
  const OpTensor storage(ACL_FLOAT16, blocks.dims);
  aclTensor* out =
      aclCreateTensor(weight.shape().data(), 2, ACL_FLOAT16, nullptr, 0, static_cast<aclFormat>(blocks.format),
                      blocks.dims.data(), blocks.dims.size(), storage.memory());
  storage.also(out);
  const auto bytes = run([&](auto* n, auto** e) { return aclnnNpuFormatCastGetWorkspaceSize(weight.get(), out, n, e); },
                         aclnnNpuFormatCast, {&weight}, storage);
  expect_elements(
      storage, bytes,
      [&](std::int64_t i) {
        const std::int64_t column = i / (2 * 16 * 16) * 16 + i % 16;
        const std::int64_t row = i / 16 % 32;
        return row < 17 && column < 20 ? weight.before(row * 20 + column) : Number(0);
      },
      true);
  aclDestroyTensor(out);
}

TEST_F(FormatCastShape, IsChecked) {
  const OpTensor good(ACL_FLOAT16, {4, 4});
  const OpTensor vector(ACL_FLOAT16, {4});
  const OpTensor doubles(ACL_DOUBLE, {4, 4});
  std::int64_t* dims = nullptr;
  std::uint64_t count = 0;
  int actual = 0;
  const auto code = [&](const aclTensor* tensor, int format, int other) {
    return aclnnNpuFormatCastCalculateSizeAndFormat(tensor, format, other, &dims, &count, &actual);
  };
  EXPECT_EQ(code(nullptr, 29, -1), 161001);
  EXPECT_EQ(aclnnNpuFormatCastCalculateSizeAndFormat(good.get(), 29, -1, nullptr, &count, &actual), 161001);
  EXPECT_EQ(aclnnNpuFormatCastCalculateSizeAndFormat(good.get(), 29, -1, &dims, nullptr, &actual), 161001);
  EXPECT_EQ(aclnnNpuFormatCastCalculateSizeAndFormat(good.get(), 29, -1, &dims, &count, nullptr), 161001);
  EXPECT_EQ(code(vector.get(), 29, -1), 161002);
  EXPECT_EQ(code(doubles.get(), 29, -1), 161002);
  EXPECT_EQ(code(good.get(), ACL_FORMAT_NC1HWC0, -1), 161002);
  EXPECT_EQ(code(good.get(), 29, ACL_DOUBLE), 161002);
  EXPECT_EQ(dims, nullptr);
}

}  // namespace
}  // namespace aclvk::test
