#include "ops/dump/tensor_values.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

namespace aclvk::ops {
namespace {

using Json = nlohmann::ordered_json;

template <typename T>
std::vector<std::byte> bytes_of(const std::vector<T>& values) {
  std::vector<std::byte> bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

TEST(NpyHeader, IsWholeLinesOf64BytesAndNamesTypeAndShape) {
  for (const Shape& shape : {Shape{}, Shape{7}, Shape{2, 3}, Shape{1, 2, 3, 4, 5, 6, 7, 8}, Shape{1234567890123}}) {
    const std::string header = npy_header(npy_type(DType::kFloat), shape);
    ASSERT_EQ(header.size() % 64, 0U);
    EXPECT_EQ(header.back(), '\n');
    const auto length = static_cast<unsigned char>(header[8]) + 256U * static_cast<unsigned char>(header[9]);
    EXPECT_EQ(length + 10, header.size());
    EXPECT_NE(header.find("{'descr': '<f4', 'fortran_order': False, 'shape': ("), std::string::npos);
  }
}

TEST(NpyHeader, AComplexHalfHasADimensionForItsParts) {
  EXPECT_NE(npy_header(npy_type(DType::kComplex32), Shape{3}).find("'<f2'"), std::string::npos);
  EXPECT_NE(npy_header(npy_type(DType::kComplex32), Shape{3}).find("(3, 2, )"), std::string::npos);
}

TEST(RowMajor, ElementsOfFourBitsHaveAByteEach) {
  const std::vector<std::byte> memory = bytes_of<std::uint8_t>({0x21, 0x43, 0x65, 0x87});
  for (const DType dtype : {DType::kInt4, DType::kFloat4E2M1}) {
    Tensor tensor;
    tensor.dtype = dtype;
    tensor.shape = {2, 3};
    tensor.strides = {3, 1};
    EXPECT_EQ(row_major(tensor, memory), bytes_of<std::uint8_t>({1, 2, 3, 4, 5, 6}));
    tensor.offset = 1;
    EXPECT_EQ(row_major(tensor, memory), bytes_of<std::uint8_t>({2, 3, 4, 5, 6, 7}));
    tensor.strides = {1, 2};
    EXPECT_EQ(row_major(tensor, memory), bytes_of<std::uint8_t>({2, 4, 6, 3, 5, 7}));
  }
}

TEST(NpyType, TypesThatNumpyLacksSayWhatTheyHold) {
  EXPECT_STREQ(npy_type(DType::kBfloat16).is, "bits of BF16");
  EXPECT_STREQ(npy_type(DType::kFloat8E5M2).descr, "|u1");
  EXPECT_NE(npy_type(DType::kFloat8E5M2).is, nullptr);
  EXPECT_EQ(npy_type(DType::kString).descr, nullptr);
  EXPECT_EQ(npy_type(DType::kFloat).is, nullptr);
}

TEST(RowMajor, FollowsStrides) {
  Tensor tensor;
  tensor.dtype = DType::kInt16;
  tensor.shape = {2, 3};
  tensor.strides = {1, 4};
  const std::vector<std::int16_t> span = {0, 10, -1, -1, 1, 11, -1, -1, 2, 12};
  EXPECT_EQ(row_major(tensor, bytes_of(span)), bytes_of(std::vector<std::int16_t>{0, 1, 2, 10, 11, 12}));
  tensor.strides = {0, 4};
  EXPECT_EQ(row_major(tensor, bytes_of(span)), bytes_of(std::vector<std::int16_t>{0, 1, 2, 0, 1, 2}));
}

TEST(RowMajor, AnyByteButZeroIsTrue) {
  Tensor tensor;
  tensor.dtype = DType::kBool;
  tensor.shape = {3};
  tensor.strides = {1};
  EXPECT_EQ(row_major(tensor, bytes_of(std::vector<std::uint8_t>{0, 7, 1})),
            bytes_of(std::vector<std::uint8_t>{0, 1, 1}));
}

TEST(Statistics, CountFiniteValuesAndOthersSeparately) {
  const auto elements = bytes_of(std::vector<float>{3, NAN, -4, INFINITY, -INFINITY, NAN});
  const Json figures = Json::parse(statistics_of(DType::kFloat, elements, {}));
  EXPECT_EQ(figures["Count"], 6);
  EXPECT_EQ(figures["Max"], 3.0);
  EXPECT_EQ(figures["Min"], -4.0);
  EXPECT_EQ(figures["Avg"], -0.5);
  EXPECT_EQ(figures["L2norm"], 5.0);
  EXPECT_EQ(figures["Nan"], 2);
  EXPECT_EQ(figures["Positive Inf"], 1);
  EXPECT_EQ(figures["Negative Inf"], 1);
}

TEST(Statistics, WithoutFiniteValuesAreNull) {
  const std::string text = statistics_of(DType::kFloat, bytes_of(std::vector<float>{NAN}), {"Max", "Avg", "Nan"});
  EXPECT_EQ(text, R"({"Max":null,"Avg":null,"Nan":1})");
}

TEST(Statistics, TypesWithoutArithmeticHaveNone) {
  EXPECT_EQ(statistics_of(DType::kFloat8E5M2, bytes_of(std::vector<std::uint8_t>{1}), {}), "null");
}

TEST(Overflow, IsAnInfinityOrNanInAFloatingType) {
  EXPECT_TRUE(overflows(DType::kFloat, bytes_of(std::vector<float>{1, INFINITY})));
  EXPECT_TRUE(overflows(DType::kComplex64, bytes_of(std::vector<float>{1, NAN})));
  EXPECT_TRUE(overflows(DType::kFloat16, bytes_of(std::vector<std::uint16_t>{0x7C00})));
  EXPECT_FALSE(overflows(DType::kFloat, bytes_of(std::vector<float>{1, 2})));
  EXPECT_FALSE(overflows(DType::kInt32, bytes_of(std::vector<std::int32_t>{-1})));
}

}  // namespace
}  // namespace aclvk::ops
