#include "ops/kernel/strided.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>

namespace aclvk::ops {
namespace {

LoopNest nest(Shape sizes, std::vector<Shape> strides) { return {std::move(sizes), std::move(strides)}; }

Tensor tensor(Shape shape, Shape strides, std::uintptr_t address = 4096, DType dtype = DType::kFloat) {
  Tensor result;
  result.shape = std::move(shape);
  result.strides = std::move(strides);
  result.dtype = dtype;
  result.data = reinterpret_cast<void*>(address);
  return result;
}

std::vector<runtime::Kernel> copy(const Tensor& from, const Tensor& to) {
  StridedCall call;
  call.copies = true;
  call.name = "test";
  call.shader = "kernel/copy_f32";
  call.operands = {{&from, runtime::Access::kRead, false}, {&to, runtime::Access::kWrite, false}};
  return strided_kernels(call);
}

std::vector<std::uint32_t> words_of(const runtime::Kernel& kernel) {
  std::vector<std::uint32_t> words(kernel.arguments.size() / 4);
  std::memcpy(words.data(), kernel.arguments.data(), kernel.arguments.size());
  return words;
}

TEST(Collapse, MergesContiguousDims) {
  const LoopNest result = collapse(nest({3, 5, 7}, {{35, 7, 1}, {35, 7, 1}}));
  EXPECT_EQ(result.sizes, Shape({105}));
  EXPECT_EQ(result.strides[1], Shape({1}));
}

TEST(Collapse, KeepsWhatOneOperandWalksDifferently) {
  const LoopNest result = collapse(nest({3, 5, 7}, {{0, 7, 1}, {35, 7, 1}}));
  EXPECT_EQ(result.sizes, Shape({3, 35}));
  EXPECT_EQ(result.strides[0], Shape({0, 1}));
  EXPECT_EQ(result.strides[1], Shape({35, 1}));
}

TEST(Collapse, OrdersDimsByTheOutput) {
  const LoopNest result = collapse(nest({3, 5}, {{1, 3}, {1, 3}}));
  EXPECT_EQ(result.sizes, Shape({15}));
}

TEST(Collapse, DropsDimsOfOne) {
  EXPECT_EQ(collapse(nest({1, 3, 1}, {{9, 2, 1}, {3, 1, 1}})).sizes, Shape({3}));
  EXPECT_EQ(collapse(nest({}, {{}, {}})).sizes, Shape({1}));
  EXPECT_EQ(collapse(nest({1, 1}, {{1, 1}, {1, 1}})).strides[0], Shape({0}));
}

TEST(Split, LeavesSmallNestsAlone) { EXPECT_EQ(split(nest({100}, {{1}, {1}}), {4, 4}, {400}).size(), 1U); }

TEST(Split, CoversEveryElementOnce) {
  const LoopNest whole = nest({1000, 7}, {{7, 1}, {1, 1000}});
  std::int64_t elements = 0;
  for (const SubNest& sub_nest : split(whole, {4, 8}, {4000})) {
    elements += element_count(sub_nest.nest.sizes);
    for (std::size_t k = 0; k < 2; ++k) {
      std::int64_t last = sub_nest.starts[k];
      for (std::size_t i = 0; i < 2; ++i) last += (sub_nest.nest.sizes[i] - 1) * sub_nest.nest.strides[k][i];
      EXPECT_LE((last + 1 - sub_nest.starts[k]) * (k ? 8 : 4), 4000);
      EXPECT_LT(last, 7000);
    }
  }
  EXPECT_EQ(elements, 7000);
}

TEST(Split, LeavesNoMoreDimsThanKernelsHave) {
  Shape sizes(kMaxRank + 2, 3);
  sizes[4] = sizes[7] = 2;
  Shape strides;
  for (std::size_t i = sizes.size(); i-- > 0;) strides.push_back(std::int64_t{1} << (2 * i));
  const auto sub_nests = split(nest(sizes, {strides, strides}), {4, 4}, {});
  ASSERT_EQ(sub_nests.size(), 4U);
  for (std::size_t i = 0; i < sub_nests.size(); ++i) {
    EXPECT_EQ(sub_nests[i].nest.sizes, Shape(kMaxRank, 3));
    EXPECT_EQ(sub_nests[i].nest.strides[1].size(), kMaxRank);
    EXPECT_EQ(sub_nests[i].starts[1], static_cast<std::int64_t>(i / 2) * strides[4] + (i % 2 == 0 ? 0 : strides[7]));
  }
}

TEST(Split, RefusesOperandsInDifferentOrdersThatWouldTakeMillionsOfKernels) {
  constexpr std::int64_t kRows = std::int64_t{1} << 20;
  const LoopNest transposed = nest({kRows, kRows}, {{1, kRows}, {kRows, 1}});
  const LoopNest three =
      nest({1 << 13, 1 << 13, 1 << 14}, {{1, 1 << 13, 1 << 26}, {1 << 27, 1 << 14, 1}, {1 << 14, 1 << 27, 1}});
  for (const LoopNest& huge : {transposed, three}) {
    try {
      split(huge, ElementBytes(huge.strides.size(), 8), {});
      ADD_FAILURE() << "split";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::kFeatureNotSupported);
    }
  }
}

TEST(Split, CountsElementsThatAllOperandsRepeat) {
  // 2^34 elements of one byte: no operand is too large, but their number has more than 32 bits.
  const LoopNest repeated = nest({1 << 4, 1 << 30}, {{0, 0}, {0, 0}});
  std::int64_t elements = 0;
  for (const SubNest& sub_nest : split(repeated, {1, 1}, {})) {
    EXPECT_LE(element_count(sub_nest.nest.sizes), std::int64_t{1} << 31);
    elements += element_count(sub_nest.nest.sizes);
  }
  EXPECT_EQ(elements, std::int64_t{1} << 34);
}

TEST(Split, ObeysBothLimits) {
  const LoopNest whole = nest({1000, 7}, {{7, 1}, {0, 0}});
  std::int64_t elements = 0;
  for (const SubNest& sub_nest : split(whole, {4, 8}, {4000, 300})) {
    EXPECT_LE(element_count(sub_nest.nest.sizes), 300);
    elements += element_count(sub_nest.nest.sizes);
  }
  EXPECT_EQ(elements, 7000);
}

TEST(StridedKernels, GivesElementsThatAllOperandsRepeatToSeveralKernels) {
  const Shape shape = {std::int64_t{1} << 34};
  const Tensor from = tensor(shape, {0}, 4096, DType::kInt8);
  const Tensor to = tensor({}, {}, 8192, DType::kBool);
  StridedCall call;
  call.name = "test";
  call.shader = "index/is_in_i32";
  call.shape = &shape;
  call.operands = {{&from, runtime::Access::kRead, false}, {&to, runtime::Access::kReadWrite, false}};
  const auto kernels = strided_kernels(call);
  EXPECT_EQ(kernels.size(), 8U);
  std::uint64_t threads = 0;
  for (const runtime::Kernel& kernel : kernels) threads += words_of(kernel)[0];
  EXPECT_EQ(threads, std::uint64_t{1} << 32);  // of four elements each
}

TEST(StridedKernels, GivesLargeOperandsToSeveralKernels) {
  const std::int64_t count = std::int64_t{3} << 30;  // 12 GiB of float
  const auto kernels = copy(tensor({count}, {1}), tensor({count}, {1}, std::uintptr_t{1} << 40));
  EXPECT_EQ(kernels.size(), 8U);
  std::uint64_t bytes = 0;
  for (const runtime::Kernel& kernel : kernels) {
    bytes += kernel.operands[1].bytes;
    EXPECT_LE(kernel.groups[0], 65535U);
    EXPECT_LE(kernel.groups[1], 65535U);
    EXPECT_GE(std::uint64_t{kernel.groups[0]} * kernel.groups[1] * 256 * 8, kernel.operands[1].bytes / 4);
  }
  EXPECT_EQ(bytes, static_cast<std::uint64_t>(count) * 4);
}

constexpr std::uint32_t kNest = 0, kOneRow = 1, kOneRaggedRow = 2;

TEST(StridedKernels, ChoosesVectorsOnlyWhereAllLanesAreAligned) {
  const auto modes = [](const Tensor& from, const Tensor& to) {
    const auto constants = copy(from, to).front().constants;
    EXPECT_EQ(constants[2], kNest);
    return constants[1];
  };
  EXPECT_EQ(modes(tensor({8}, {1}, 4112), tensor({8}, {1})), 1U | 1U << 2);
  EXPECT_EQ(modes(tensor({8}, {1}, 4100), tensor({8}, {1})), 2U | 1U << 2);
  EXPECT_EQ(modes(tensor({7}, {1}), tensor({7}, {1}, 4112)), 2U | 2U << 2);
  EXPECT_EQ(modes(tensor({8, 8}, {9, 1}), tensor({8, 8}, {8, 1})), 2U | 1U << 2);
  EXPECT_EQ(modes(tensor({1}, {1}), tensor({1}, {1})), 0U | 2U << 2);
}

TEST(StridedKernels, TreatContiguousOperandsAsOneRow) {
  const auto layout = [](const Tensor& from, const Tensor& to) { return copy(from, to).front().constants[2]; };
  EXPECT_EQ(layout(tensor({8}, {1}), tensor({8}, {1})), kOneRow);
  EXPECT_EQ(layout(tensor({4, 2}, {2, 1}), tensor({4, 2}, {2, 1})), kOneRow);
  EXPECT_EQ(layout(tensor({1}, {1}), tensor({8}, {1})), kOneRow);
  EXPECT_EQ(layout(tensor({7}, {1}), tensor({7}, {1})), kOneRaggedRow);
  EXPECT_EQ(layout(tensor({8}, {1}, 4104, DType::kInt8), tensor({8}, {1})), kOneRow);
  EXPECT_EQ(layout(tensor({8}, {1}, 4104, DType::kFloat16), tensor({8}, {1})), kNest);
  EXPECT_EQ(layout(tensor({7}, {1}, 4096, DType::kComplex128), tensor({7}, {1})), kNest);
  EXPECT_EQ(layout(tensor({8}, {1}, 4096, DType::kComplex128), tensor({8}, {1})), kOneRow);
  EXPECT_EQ(layout(tensor({8}, {2}), tensor({8}, {1})), kNest);
}

TEST(StridedKernels, CopyBytesWhereBothSidesAreContiguous) {
  const auto copies = [](const Tensor& from, const Tensor& to) { return copy(from, to).front().copies; };
  EXPECT_TRUE(copies(tensor({7}, {1}, 4100), tensor({7}, {1})));
  EXPECT_TRUE(copies(tensor({4, 2}, {1, 4}), tensor({4, 2}, {1, 4})));
  EXPECT_TRUE(copies(tensor({1}, {5}), tensor({1}, {1})));
  EXPECT_FALSE(copies(tensor({1}, {1}), tensor({7}, {1})));
  EXPECT_FALSE(copies(tensor({7}, {2}), tensor({7}, {2})));
  EXPECT_FALSE(copies(tensor({4, 2}, {1, 4}), tensor({4, 2}, {2, 1})));
}

TEST(StridedKernels, GivesLongRowsLargerGroups) {
  const auto kernel = [](std::int64_t size) { return copy(tensor({size}, {1}), tensor({size}, {1})).front(); };
  EXPECT_EQ(kernel(513).constants[3], 64U);
  EXPECT_EQ(kernel(513).groups[0], 2U);
  EXPECT_EQ(kernel(1 << 20).constants[3], 256U);
  EXPECT_EQ(kernel(1 << 20).groups[0], 512U);
}

TEST(StridedKernels, DoesNothingForEmptyTensors) {
  const auto kernels = copy(tensor({3, 0}, {0, 1}), tensor({3, 0}, {0, 1}));
  ASSERT_EQ(kernels.size(), 1U);
  EXPECT_EQ(kernels[0].groups[0], 0U);
}

TEST(StridedKernels, SendsADimAsSizeAndStrides) {
  const auto kernels = copy(tensor({5, 3}, {1, 5}), tensor({5, 3}, {3, 1}));
  EXPECT_EQ(words_of(kernels[0]), (std::vector<std::uint32_t>{5, 5, 1, 3, 3, 5, 1}));
  EXPECT_EQ(kernels[0].operands[0].bytes, 60U);
}

}  // namespace
}  // namespace aclvk::ops
