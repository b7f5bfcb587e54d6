#include "ops/kernel/rows.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "base/error.hpp"

namespace aclvk::ops {
namespace {

using runtime::Access;

constexpr std::int64_t kGi = std::int64_t{1} << 30;

RowOperand operand(Shape strides, std::int64_t step, Access access = Access::kRead) {
  RowOperand result;
  result.start = reinterpret_cast<const std::byte*>(std::uintptr_t{4096});
  result.bytes = 4;
  result.strides = std::move(strides);
  result.step = step;
  result.access = access;
  result.scalar_access = step == 0;
  return result;
}

RowCall call(Shape rows, std::int64_t count, std::vector<RowOperand> operands) {
  RowCall result;
  result.name = "test";
  result.shader = "softmax/softmax_f32";
  result.rows = std::move(rows);
  result.count = count;
  result.operands = std::move(operands);
  return result;
}

std::vector<std::uint32_t> words_of(const runtime::Kernel& kernel) {
  std::vector<std::uint32_t> words(kernel.arguments.size() / 4);
  std::memcpy(words.data(), kernel.arguments.data(), kernel.arguments.size());
  return words;
}

Code refusal_of(const RowCall& rows) {
  try {
    row_kernels(rows, {});
  } catch (const Error& error) {
    return error.code();
  }
  return Code::kSuccess;
}

TEST(RowKernels, AreSeveralForRowsThatAllOperandsRepeat) {
  const auto kernels = row_kernels(call({16, kGi}, 1, {operand({0, 0}, 0), operand({0, 0}, 0)}), {});
  EXPECT_EQ(kernels.size(), 8U);
  std::uint64_t rows = 0;
  for (const runtime::Kernel& kernel : kernels) rows += words_of(kernel)[0];
  EXPECT_EQ(rows, std::uint64_t{16} << 30);
}

TEST(RowKernels, CountChunksAsRows) {
  RowCall chunked = call({kGi}, 8000, {operand({0}, 1), operand({0}, 0)});
  chunked.chunk = 1000;
  const auto kernels = row_kernels(chunked, {});
  EXPECT_EQ(kernels.size(), 4U);
  for (const runtime::Kernel& kernel : kernels) EXPECT_LE(words_of(kernel)[0], std::uint32_t{1} << 31);
}

TEST(RowKernels, IgnoreTheStepOfASingleElement) {
  const auto kernels = row_kernels(call({3}, 1, {operand({1}, std::int64_t{1} << 40), operand({1}, 1)}), {});
  ASSERT_EQ(kernels.size(), 1U);
  const auto words = words_of(kernels[0]);
  EXPECT_EQ(words[4], 0U);  // the steps follow rows, count, chunk and chunks
  EXPECT_EQ(words[5], 1U);
  EXPECT_EQ(kernels[0].operands[0].bytes, 12U);
}

TEST(RowKernels, RefuseARowOfAnyOperandPastTwoGiB) {
  EXPECT_EQ(refusal_of(call({3}, 4, {operand({1}, 1), operand({1}, kGi)})), Code::kNnInvalid);
  EXPECT_EQ(refusal_of(call({3}, 4, {operand({1}, 1), operand({1}, kGi / 8)})), Code::kSuccess);
}

TEST(RowKernels, RefuseAnOperandThatTheShaderReadsPastFourGiB) {
  RowCall extra = call({3}, 4, {operand({1}, 1), operand({1}, 1), operand({0}, 0, Access::kWrite)});
  extra.operands[2].extra_elements = kGi - 1024;
  EXPECT_EQ(refusal_of(extra), Code::kSuccess);
  extra.operands[2].extra_elements = kGi;
  EXPECT_EQ(refusal_of(extra), Code::kFeatureNotSupported);
}

}  // namespace
}  // namespace aclvk::ops
