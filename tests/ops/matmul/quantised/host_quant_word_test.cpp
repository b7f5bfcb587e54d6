// Words of scales and offsets made on the host; sparse weights; and what else needs no device.
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_set_pytorch_random.h"
#include "aclnnop/aclnn_sparse4to2quant_matmul_weight_nz.h"
#include "aclnnop/aclnn_trans_quant_param.h"
#include "support/op_fixture.hpp"

namespace aclvk::test {
namespace {

std::vector<std::uint64_t> words(const std::vector<float>& scales, const std::vector<float>& offsets) {
  std::uint64_t* array = nullptr;
  std::uint64_t count = 0;
  EXPECT_EQ(aclnnTransQuantParam(scales.data(), scales.size(), offsets.empty() ? nullptr : offsets.data(),
                                 offsets.size(), &array, &count),
            0)
      << aclGetRecentErrMsg();
  std::vector<std::uint64_t> result(array, array + count);
  std::free(array);
  return result;
}

TEST(HostQuantWords, HoldAScaleAndAnOffset) {
  // 1.0 has the bits 0x3F800000; 1.00048828125 ends in 0x1000, which is cut off.
  EXPECT_EQ(words({1.0F, 1.00048828125F}, {}), (std::vector<std::uint64_t>{0x40003F800000, 0x40003F800000}));
  EXPECT_EQ(words({-2.0F}, {3.0F, -1.0F}), (std::vector<std::uint64_t>{0x4000C0000000 | std::uint64_t{3} << 37,
                                                                       0x4000C0000000 | std::uint64_t{0x1FF} << 37}));
  EXPECT_EQ(words({1.0F, 1.0F}, {300.0F}), (std::vector<std::uint64_t>(2, 0x40003F800000 | std::uint64_t{255} << 37)));
  EXPECT_EQ(words({1.0F}, {-1000.0F}), (std::vector<std::uint64_t>{0x40003F800000 | std::uint64_t{0x100} << 37}));
  EXPECT_EQ(words({1.0F}, {2.5F}), (std::vector<std::uint64_t>{0x40003F800000 | std::uint64_t{2} << 37}));
}

TEST(HostQuantWords, AreChecked) {
  const float values[3] = {1, 2, 3};
  std::uint64_t* array = nullptr;
  std::uint64_t count = 7;
  EXPECT_EQ(aclnnTransQuantParam(nullptr, 3, nullptr, 0, &array, &count), 161001);
  EXPECT_EQ(aclnnTransQuantParam(values, 3, nullptr, 0, nullptr, &count), 161001);
  EXPECT_EQ(aclnnTransQuantParam(values, 3, nullptr, 0, &array, nullptr), 161001);
  EXPECT_EQ(aclnnTransQuantParam(values, 3, nullptr, 2, &array, &count), 161001);
  EXPECT_EQ(aclnnTransQuantParam(values, 0, nullptr, 0, &array, &count), 161002);
  EXPECT_EQ(aclnnTransQuantParam(values, 3, values, 2, &array, &count), 161002);
  EXPECT_EQ(array, nullptr);
  EXPECT_EQ(count, 7U);
}

struct Ints {
  Ints(std::initializer_list<std::int64_t> values) : handle(aclCreateIntArray(values.begin(), values.size())) {}
  ~Ints() { aclDestroyIntArray(handle); }
  Ints(const Ints&) = delete;
  Ints& operator=(const Ints&) = delete;
  aclIntArray* handle;
};

/// What aclnnTransSparse4to2Para gives, freed with it.
struct Sparse {
  Sparse() = default;
  ~Sparse() {
    for (void* memory : {static_cast<void*>(values), static_cast<void*>(dims), static_cast<void*>(index),
                         static_cast<void*>(index_dims)}) {
      std::free(memory);
    }
  }
  Sparse(const Sparse&) = delete;
  Sparse& operator=(const Sparse&) = delete;
  int compress(const std::int8_t* weight, aclIntArray* shape) {
    return aclnnTransSparse4to2Para(weight, shape, &values, &dims, &rank, &index, &index_dims, &index_rank);
  }
  /// The element of the weight that the values and the index stand for, as the operator reads them.
  int element(std::int64_t results, std::int64_t result, std::int64_t place) const {
    const std::int64_t row = (place / 64 * ((results + 15) / 16) + result / 16) * 16 + result % 16;
    const std::int64_t four = place % 64 / 4;
    const int code = index[row * 8 + four / 2] >> (four % 2 * 4) & 15;
    const std::int64_t in_four = place % 4;
    const std::int8_t* kept = values + row * 32 + four * 2;
    return (in_four == (code & 3) ? kept[0] : 0) + (in_four == (code >> 2) + 1 ? kept[1] : 0);
  }

  std::int8_t* values = nullptr;
  std::int64_t* dims = nullptr;
  std::uint64_t rank = 0;
  std::uint8_t* index = nullptr;
  std::int64_t* index_dims = nullptr;
  std::uint64_t index_rank = 0;
};

TEST(SparseWeight, StandsForTheWeight) {
  constexpr std::int64_t kResults = 19;
  constexpr std::int64_t kDepth = 77;
  std::mt19937 random(3);
  std::vector<std::int8_t> weight(kResults * kDepth);
  for (std::int64_t row = 0; row < kResults; ++row) {
    for (std::int64_t first = 0; first < kDepth; first += 4) {
      // Up to two of each four, also none.
      for (int i = 0; i < 2; ++i) {
        const std::int64_t place = first + static_cast<std::int64_t>(random() % 4);
        if (place < kDepth) weight[row * kDepth + place] = static_cast<std::int8_t>(random() % 255 - 127);
      }
    }
  }
  Sparse sparse;
  ASSERT_EQ(sparse.compress(weight.data(), Ints({kResults, kDepth}).handle), 0) << aclGetRecentErrMsg();
  EXPECT_EQ(std::vector<std::int64_t>(sparse.dims, sparse.dims + sparse.rank),
            (std::vector<std::int64_t>{2, 2, 16, 32}));
  EXPECT_EQ(std::vector<std::int64_t>(sparse.index_dims, sparse.index_dims + sparse.index_rank),
            (std::vector<std::int64_t>{2, 2, 16, 8}));
  for (std::int64_t i = 0; i < kResults * kDepth; ++i) {
    ASSERT_EQ(sparse.element(kResults, i / kDepth, i % kDepth), weight[i]) << "element " << i;
  }
}

TEST(SparseWeight, HasTheCodesOfThePatterns) {
  // 0001 0010 0011 0100 0101 0110 1000 1001 1010 1100 0000, the first element of four in front.
  const int patterns[] = {1, 2, 3, 4, 5, 6, 8, 9, 10, 12, 0};
  const int codes[] = {8, 2, 10, 1, 9, 5, 0, 8, 4, 0, 0};
  for (std::size_t i = 0; i < std::size(patterns); ++i) {
    std::int8_t weight[4];
    for (int place = 0; place < 4; ++place) weight[place] = static_cast<std::int8_t>(patterns[i] >> (3 - place) & 1);
    Sparse sparse;
    ASSERT_EQ(sparse.compress(weight, Ints({1, 4}).handle), 0);
    EXPECT_EQ(sparse.index[0], codes[i]) << "pattern " << patterns[i];
  }
}

TEST(SparseWeight, IsChecked) {
  const std::int8_t full[4] = {1, 2, 0, 3};
  const std::int8_t fine[4] = {1, 2, 0, 0};
  Sparse sparse;
  const Ints shape{1, 4};
  EXPECT_EQ(sparse.compress(nullptr, shape.handle), 161001);
  EXPECT_EQ(sparse.compress(fine, nullptr), 161001);
  EXPECT_EQ(aclnnTransSparse4to2Para(fine, shape.handle, nullptr, &sparse.dims, &sparse.rank, &sparse.index,
                                     &sparse.index_dims, &sparse.index_rank),
            161001);
  EXPECT_EQ(sparse.compress(full, shape.handle), 161002);
  EXPECT_EQ(sparse.compress(fine, Ints({4}).handle), 161002);
  EXPECT_EQ(sparse.compress(fine, Ints({0, 4}).handle), 161002);
  EXPECT_EQ(sparse.compress(fine, Ints({-1, 4}).handle), 161002);
  EXPECT_EQ(sparse.values, nullptr);
}

TEST(OperatorSettings, AreKept) {
  EXPECT_EQ(aclnnGetPytorchRandom(), 1);
  EXPECT_EQ(aclnnSetPytorchRandom(0), 0);
  EXPECT_EQ(aclnnGetPytorchRandom(), 0);
  EXPECT_EQ(aclnnSetPytorchRandom(2), 161002);
  EXPECT_EQ(aclnnSetPytorchRandom(-1), 161002);
  EXPECT_EQ(aclnnGetPytorchRandom(), 0);
  EXPECT_EQ(aclnnSetPytorchRandom(1), 0);
}

TEST(OperatorSettings, HaveNoStaticKernels) {
  EXPECT_EQ(aclnnReselectStaticKernel(), 0);
  EXPECT_EQ(aclnnReselectStaticKernelWithPath("/nowhere"), 0);
  EXPECT_EQ(aclnnReselectStaticKernelWithPath(nullptr), 161001);
}

}  // namespace
}  // namespace aclvk::test
