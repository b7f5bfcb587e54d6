#include "ops/reduction/reduction.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace aclvk::ops {
namespace {

// Words of the argument block: those of rows.glsl, the steps of three operands, and the operator's argument.
constexpr std::size_t kCount = 1;
constexpr std::size_t kBefore = 4 + 3 + 4;

std::vector<std::uint32_t> words_of(const runtime::Kernel& kernel) {
  std::vector<std::uint32_t> words(kernel.arguments.size() / 4);
  std::memcpy(words.data(), kernel.arguments.data(), kernel.arguments.size());
  return words;
}

Tensor tensor(Shape shape, Shape strides) {
  Tensor result;
  result.shape = std::move(shape);
  result.strides = std::move(strides);
  result.data = reinterpret_cast<void*>(std::uintptr_t{4096});
  return result;
}

/// The kernels that find the maximum of a row of floats, `step` apart, and its index.
std::vector<runtime::Kernel> select_kernels(std::int64_t count, std::int64_t step) {
  const Tensor self = tensor({count}, {step});
  const Tensor values = tensor({}, {});
  Tensor indices = tensor({}, {});
  indices.dtype = DType::kInt64;
  Reduction reduction;
  reduction.name = "test";
  reduction.shader = "reduction/select_f32";
  reduction.dims = 1;
  reduction.execution.is_cpu_device = true;
  return reduction_kernels(reduction, self, {&values, &indices}, nullptr);
}

TEST(ReductionKernels, CountTheElementsOfARowBeforeTheirPart) {
  // 30000 elements span nearly 2 GiB: whole chunks of 1024 elements fit into one kernel, and the last ones do not.
  const auto kernels = select_kernels(30000, 17895);
  ASSERT_GE(kernels.size(), 3U);
  std::uint32_t before = 0;
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(words_of(kernels[i])[kBefore], before);
    before += words_of(kernels[i])[kCount];
  }
  EXPECT_EQ(before, 30000U);
}

TEST(ReductionKernels, CountNothingBeforeAWholeRow) {
  for (const runtime::Kernel& kernel : select_kernels(30000, 1)) EXPECT_EQ(words_of(kernel)[kBefore], 0U);
}

}  // namespace
}  // namespace aclvk::ops
