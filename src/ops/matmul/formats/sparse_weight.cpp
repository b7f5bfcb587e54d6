#include "ops/matmul/formats/sparse_weight.hpp"

#include <array>

#include "base/error.hpp"
#include "ops/executor/handles.hpp"

namespace aclvk::ops {
namespace {

// 2:4 sparsity: of four elements along K at most two are not 0. A block has 16 results; of 64 elements along K it
// keeps 32 values and 16 index nibbles.
constexpr std::int64_t kFour = 4;
constexpr std::int64_t kBlockResults = 16;
constexpr std::int64_t kBlockK = 64;
constexpr std::int64_t kBlockValues = 32;
constexpr std::int64_t kBlockIndex = 8;

/// The positions of the two kept elements of four, and their index nibble: the first is code & 3, the second (code >>
/// 2) + 1.
struct KeptPair {
  int first;
  int second;
  std::uint8_t code;
};

/// Marks patterns with more than two non-zero elements.
constexpr int kTooMany = -1;

/// Indexed by the pattern of non-zero elements, the first element being the highest bit.
constexpr std::array<KeptPair, 16> kKeptPairs = {{{0, 0, 0},
                                                  {0, 3, 8},
                                                  {2, 3, 2},
                                                  {2, 3, 10},
                                                  {1, 2, 1},
                                                  {1, 3, 9},
                                                  {1, 2, 5},
                                                  {kTooMany, 0, 0},
                                                  {0, 1, 0},
                                                  {0, 3, 8},
                                                  {0, 2, 4},
                                                  {kTooMany, 0, 0},
                                                  {0, 1, 0},
                                                  {kTooMany, 0, 0},
                                                  {kTooMany, 0, 0},
                                                  {kTooMany, 0, 0}}};

std::int64_t parts_of(std::int64_t size, std::int64_t part) { return (size + part - 1) / part; }

/// A weight, padded with zeros along K.
class Weight {
 public:
  Weight(const std::int8_t* values, const Shape& shape) : values_(values), k_(shape[1]) {}

  std::array<std::int8_t, kFour> four(std::int64_t result, std::int64_t first) const {
    std::array<std::int8_t, kFour> four{};
    for (std::int64_t i = 0; i < kFour && first + i < k_; ++i) {
      four.at(static_cast<std::size_t>(i)) = values_[result * k_ + first + i];
    }
    return four;
  }

 private:
  const std::int8_t* values_;
  std::int64_t k_;
};

KeptPair kept_pair_of(const std::array<std::int8_t, kFour>& four, std::int64_t result, std::int64_t first) {
  std::size_t pattern = 0;
  for (const std::int8_t value : four) pattern = pattern * 2 + static_cast<std::size_t>(value != 0);
  const KeptPair kept = kKeptPairs.at(pattern);
  check(kept.first != kTooMany, Code::kNnInvalid,
        "weight has more than two nonzero elements among elements {} to {} of row {}; at most two of four are expected "
        "(2:4 sparsity).",
        first, first + kFour - 1, result);
  return kept;
}

/// The offsets to which four elements of a row are compressed.
struct Offsets {
  std::size_t values;
  std::size_t index;
  bool upper;  ///< nibble of the index byte
};

Offsets offsets_of(std::int64_t result, std::int64_t first, std::int64_t result_blocks) {
  const std::int64_t row =
      (first / kBlockK * result_blocks + result / kBlockResults) * kBlockResults + result % kBlockResults;
  const std::int64_t in_row = first % kBlockK;
  return {static_cast<std::size_t>(row * kBlockValues + in_row / 2),
          static_cast<std::size_t>(row * kBlockIndex + in_row / 8), in_row % 8 != 0};
}

Shape shape_of_weight(const IntArrayArg& arg) {
  const auto sizes = required(int_array_handles(), arg);
  check(sizes->size() == 2, Code::kNnInvalid, "shape has {} sizes; two, the results and K, are expected.",
        sizes->size());
  Shape shape(sizes->data(), sizes->data() + sizes->size());
  check(element_count(shape) > 0, Code::kNnInvalid, "shape is {}; positive sizes are expected.", shape);
  return shape;
}

}  // namespace

SparseWeight sparse_weight(const std::int8_t* values, const aclIntArray* handle) {
  require(values, "weight");
  const Shape shape = shape_of_weight({handle, "shape"});
  const Weight weight(values, shape);
  const std::int64_t result_blocks = parts_of(shape[0], kBlockResults);
  SparseWeight sparse;
  sparse.value_dims = {parts_of(shape[1], kBlockK), result_blocks, kBlockResults, kBlockValues};
  sparse.index_dims = {sparse.value_dims[0], result_blocks, kBlockResults, kBlockIndex};
  sparse.values.resize(static_cast<std::size_t>(element_count(sparse.value_dims)));
  sparse.index.resize(static_cast<std::size_t>(element_count(sparse.index_dims)));
  for (std::int64_t result = 0; result < shape[0]; ++result) {
    for (std::int64_t first = 0; first < shape[1]; first += kFour) {
      const auto four = weight.four(result, first);
      const KeptPair kept = kept_pair_of(four, result, first);
      const Offsets offsets = offsets_of(result, first, result_blocks);
      sparse.values[offsets.values] = four.at(static_cast<std::size_t>(kept.first));
      sparse.values[offsets.values + 1] = four.at(static_cast<std::size_t>(kept.second));
      sparse.index[offsets.index] |= static_cast<std::uint8_t>(offsets.upper ? kept.code << 4 : kept.code);
    }
  }
  return sparse;
}

}  // namespace aclvk::ops
