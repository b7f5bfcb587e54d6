#include <type_traits>
#include <utility>

#include "aclnnop/aclnn_arange.h"
#include "aclnnop/aclnn_argmax.h"
#include "aclnnop/aclnn_bincount.h"
#include "aclnnop/aclnn_bucketize.h"
#include "aclnnop/aclnn_cumsum.h"
#include "aclnnop/aclnn_embedding.h"
#include "aclnnop/aclnn_gather.h"
#include "aclnnop/aclnn_histc.h"
#include "aclnnop/aclnn_index_select.h"
#include "aclnnop/aclnn_isin.h"
#include "aclnnop/aclnn_matmul.h"
#include "aclnnop/aclnn_max_dim.h"
#include "aclnnop/aclnn_searchsorted.h"
#include "aclnnop/aclnn_softmax.h"
#include "support/op_arguments.hpp"

// Operands whose sizes, counts or strides do not fit into the 32 bits that kernels compute with
// (docs/operators.md). No test needs memory for them: plans are made without addresses, and expanded tensors repeat
// an element.

namespace aclvk::test {
namespace {

constexpr aclnnStatus kOk = 0;
constexpr aclnnStatus kRefused = 161002;
constexpr aclnnStatus kNotSupported = 207000;
constexpr std::int64_t kFourGi = std::int64_t{1} << 32;
constexpr std::int64_t kFar = std::int64_t{1} << 40;

/// A tensor without memory. Strides of 0 repeat elements.
class Imagined {
 public:
  Imagined(aclDataType type, const Shape& shape) : Imagined(type, shape, OpTensor::row_major(shape)) {}
  Imagined(aclDataType type, const Shape& shape, const Shape& strides) {
    const std::int64_t storage = 1;
    handle_ = aclCreateTensor(shape.data(), shape.size(), type, strides.data(), 0, ACL_FORMAT_ND, &storage, 1, nullptr);
  }
  ~Imagined() { aclDestroyTensor(handle_); }
  Imagined(const Imagined&) = delete;
  Imagined& operator=(const Imagined&) = delete;

  aclTensor* get() const { return handle_; }

 private:
  aclTensor* handle_;
};

/// An INT64 or UINT64 scalar with all its bits.
template <typename T>
class Exact {
 public:
  explicit Exact(T value) : handle_(aclCreateScalar(&value, std::is_signed_v<T> ? ACL_INT64 : ACL_UINT64)) {}
  ~Exact() { aclDestroyScalar(handle_); }
  Exact(const Exact&) = delete;
  Exact& operator=(const Exact&) = delete;

  aclScalar* get() const { return handle_; }

 private:
  aclScalar* handle_;
};

class LargeOperands : public OpTest {
 protected:
  /// The code of a plan.
  template <typename Plan>
  static aclnnStatus code_of(Plan&& plan) {
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    const aclnnStatus code = plan(&size, &executor);
    if (code == kOk) aclDestroyAclOpExecutor(executor);
    return code;
  }

  static aclnnStatus arg_max(std::int64_t count, aclDataType index) {
    const Imagined self(ACL_INT8, {count}, {0});
    const Imagined out(index, {});
    return code_of(
        [&](auto* n, auto** e) { return aclnnArgMaxGetWorkspaceSize(self.get(), 0, false, out.get(), n, e); });
  }

  static aclnnStatus embedding(std::int64_t rows) {
    const Imagined weight(ACL_FLOAT, {rows, 2}, {0, 1});
    const Imagined indices(ACL_INT64, {3});
    const Imagined out(ACL_FLOAT, {3, 2});
    return code_of([&](auto* n, auto** e) {
      return aclnnEmbeddingGetWorkspaceSize(weight.get(), indices.get(), out.get(), n, e);
    });
  }

  static aclnnStatus histc(std::int64_t elements, std::int64_t bins) {
    const Imagined self(ACL_FLOAT, {elements}, {0});
    const Imagined out(ACL_INT8, {bins});
    const OpScalar low(ACL_FLOAT, 0);
    const OpScalar high(ACL_FLOAT, 1);
    return code_of([&](auto* n, auto** e) {
      return aclnnHistcGetWorkspaceSize(self.get(), bins, low.get(), high.get(), out.get(), n, e);
    });
  }

  static aclnnStatus search(std::int64_t length) {
    const Imagined rows(ACL_FLOAT, {2, length}, {1, 0});
    const Imagined values(ACL_FLOAT, {2, 3});
    const Imagined out(ACL_INT64, {2, 3});
    return code_of([&](auto* n, auto** e) {
      return aclnnSearchSortedGetWorkspaceSize(rows.get(), values.get(), false, false, nullptr, out.get(), n, e);
    });
  }

  template <typename Start, typename End>
  static aclnnStatus range(Start start, End end, aclDataType type) {
    const Exact<Start> from(start);
    const Exact<End> to(end);
    const Exact<std::int64_t> step(1);
    const Imagined out(type, {4});
    return code_of([&](auto* n, auto** e) {
      return aclnnArangeGetWorkspaceSize(from.get(), to.get(), step.get(), out.get(), n, e);
    });
  }
};

TEST_F(LargeOperands, AnIndexOfARowFitsOrIsRefused) {
  EXPECT_EQ(arg_max(kFourGi - 2, ACL_INT64), kOk);
  EXPECT_EQ(arg_max(kFourGi - 1, ACL_INT64), kNotSupported);
  EXPECT_EQ(arg_max(kFourGi / 2, ACL_INT32), kOk);
  EXPECT_EQ(arg_max(kFourGi / 2 + 1, ACL_INT32), kRefused);
}

TEST_F(LargeOperands, ManyRepeatedElementsAreTested) {
  const Imagined elements(ACL_FLOAT, {4, kFourGi}, {0, 0});
  const Imagined out(ACL_BOOL, {});
  const OpScalar sought(ACL_FLOAT, 3);
  EXPECT_EQ(code_of([&](auto* n, auto** e) {
              return aclnnIsInScalarTensorGetWorkspaceSize(sought.get(), elements.get(), false, false, out.get(), n, e);
            }),
            kOk);
}

TEST_F(LargeOperands, ADimThatIsIndexedHasLessThanFourGiElements) {
  EXPECT_EQ(embedding(kFourGi - 1), kOk);
  EXPECT_EQ(embedding(kFourGi), kRefused);
  const Imagined self(ACL_FLOAT, {kFourGi}, {0});
  const Imagined index(ACL_INT64, {3});
  const Imagined out(ACL_FLOAT, {3});
  EXPECT_EQ(code_of([&](auto* n, auto** e) {
              return aclnnGatherGetWorkspaceSize(self.get(), 0, index.get(), out.get(), n, e);
            }),
            kRefused);
  EXPECT_EQ(code_of([&](auto* n, auto** e) {
              return aclnnIndexSelectGetWorkspaceSize(self.get(), 0, index.get(), out.get(), n, e);
            }),
            kRefused);
}

TEST_F(LargeOperands, IndicesFromTwoGiOnAreFoundFromBothEnds) {
  const OpTensor self(ACL_FLOAT, {kFourGi - 1}, {{0}});
  constexpr std::int64_t kValid[] = {0, kFourGi / 2, kFourGi - 2, -1, -kFourGi / 2, -kFourGi + 1};
  constexpr std::int64_t kInvalid[] = {kFourGi - 1, kFourGi, -kFourGi};
  OpTensor index(ACL_INT64, {9});
  index.fill([&](std::int64_t i) { return Number(Real(i < 6 ? kValid[i] : kInvalid[i - 6])); });
  const OpTensor out(ACL_FLOAT, {9});
  const auto found =
      run([&](auto* n, auto** e) { return aclnnGatherGetWorkspaceSize(self.get(), 0, index.get(), out.get(), n, e); },
          aclnnGather, {&self, &index}, out);
  expect_elements(
      out, found, [&](std::int64_t i) { return i < 6 ? self.before(0) : Number(0); }, true);
}

TEST_F(LargeOperands, CountsOfBinsHaveThirtyTwoBits) {
  EXPECT_EQ(histc(kFourGi - 1, 4), kOk);
  EXPECT_EQ(histc(kFourGi, 4), kNotSupported);
  EXPECT_EQ(histc(4, kFourGi / 2), kNotSupported);
  const Imagined numbers(ACL_INT32, {kFourGi}, {0});
  const Imagined sums(ACL_INT32, {4});
  EXPECT_EQ(code_of([&](auto* n, auto** e) {
              return aclnnBincountGetWorkspaceSize(numbers.get(), nullptr, 4, sums.get(), n, e);
            }),
            kNotSupported);
}

TEST_F(LargeOperands, WeightedBinsSpanTwoGiB) {
  const Imagined numbers(ACL_INT32, {4});
  const Imagined weights(ACL_FLOAT, {4});
  for (const auto& [bins, code] : {std::pair{kFourGi / 8, kOk}, std::pair{kFourGi / 8 + 1, kNotSupported}}) {
    const Imagined sums(ACL_FLOAT, {bins});
    EXPECT_EQ(code_of([&, length = bins](auto* n, auto** e) {
                return aclnnBincountGetWorkspaceSize(numbers.get(), weights.get(), length, sums.get(), n, e);
              }),
              code);
  }
}

TEST_F(LargeOperands, ARowIsSearchedWhoseLengthIsASignedWord) {
  EXPECT_EQ(search(kFourGi / 2 - 1), kOk);
  EXPECT_EQ(search(kFourGi / 2), kRefused);
  const Imagined boundaries(ACL_FLOAT, {kFourGi}, {0});
  const Imagined self(ACL_FLOAT, {3});
  const Imagined out(ACL_INT32, {3});
  EXPECT_EQ(code_of([&](auto* n, auto** e) {
              return aclnnBucketizeGetWorkspaceSize(self.get(), boundaries.get(), true, false, out.get(), n, e);
            }),
            kRefused);
}

TEST_F(LargeOperands, ARangeMayCrossTheLargestInt64OnlyInFloats) {
  constexpr std::uint64_t kMiddle = std::uint64_t{1} << 63;
  EXPECT_EQ(range(std::int64_t{INT64_MAX - 1}, kMiddle + 2, ACL_FLOAT), kOk);
  EXPECT_EQ(range(std::int64_t{INT64_MAX - 1}, kMiddle + 2, ACL_INT64), kRefused);
  EXPECT_EQ(range(kMiddle, kMiddle + 4, ACL_FLOAT), kOk);
  EXPECT_EQ(range(kMiddle, kMiddle + 4, ACL_INT64), kRefused);
  EXPECT_EQ(range(std::uint64_t{3}, std::int64_t{7}, ACL_INT64), kOk);
}

TEST_F(LargeOperands, TheStrideOfADimOfOneElementIsNeverUsed) {
  for (const std::int64_t dim : {0, 1}) {
    const OpTensor self(ACL_FLOAT, {3, 1}, {{1, kFar}});
    const Imagined out(ACL_FLOAT, {3, 1}, {1, kFar});
    const Imagined best(ACL_INT64, dim == 0 ? Shape{1} : Shape{3});
    const Imagined values(ACL_FLOAT, dim == 0 ? Shape{1} : Shape{3});
    EXPECT_EQ(
        code_of([&](auto* n, auto** e) { return aclnnSoftmaxGetWorkspaceSize(self.get(), dim, out.get(), n, e); }),
        kOk);
    EXPECT_EQ(code_of([&](auto* n, auto** e) {
                return aclnnMaxDimGetWorkspaceSize(self.get(), dim, false, values.get(), best.get(), n, e);
              }),
              kOk);
  }
  const Imagined row(ACL_FLOAT, {1, 8}, {kFar, 1});
  const Imagined matrix(ACL_FLOAT, {8, 5});
  const Imagined product(ACL_FLOAT, {1, 5}, {kFar, 1});
  EXPECT_EQ(code_of([&](auto* n, auto** e) {
              return aclnnMatmulGetWorkspaceSize(row.get(), matrix.get(), product.get(), 0, n, e);
            }),
            kOk);
}

TEST_F(LargeOperands, ADimOfOneElementIsSummedAsItIs) {
  OpTensor self(ACL_FLOAT, {3, 1}, {{1, kFar}});
  self.fill_random(1);
  const OpTensor out(ACL_FLOAT, {3, 1});
  const auto sums =
      run([&](auto* n, auto** e) { return aclnnCumsumGetWorkspaceSize(self.get(), 1, ACL_FLOAT, out.get(), n, e); },
          aclnnCumsum, {&self}, out);
  expect_elements(
      out, sums, [&](std::int64_t i) { return self.before(i); }, true);
}

}  // namespace
}  // namespace aclvk::test
