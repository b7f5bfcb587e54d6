#pragma once

#include <algorithm>
#include <optional>
#include <string>

#include "support/op_arguments.hpp"

namespace aclvk::test {

/// The sizes of a call of attention.
struct Sizes {
  std::int64_t sequences = 1;
  std::int64_t heads = 1;
  std::int64_t key_heads = 1;
  std::int64_t queries = 1;
  std::int64_t keys = 1;
  std::int64_t columns = 8;
};

/// The shape of q, k, v or the result in a layout.
inline Shape laid_out(const std::string& layout, std::int64_t b, std::int64_t n, std::int64_t s, std::int64_t d) {
  if (layout == "BSH") return {b, s, n * d};
  if (layout == "BSND") return {b, s, n, d};
  if (layout == "SBH") return {s, b, n * d};
  if (layout == "TND") return {b * s, n, d};
  if (layout == "NTD") return {n, b * s, d};
  if (layout == "NBSD") return {n, b, s, d};
  if (layout == "NSD") return {n, s, d};
  if (layout == "SH") return {s, n * d};
  return {b, n, s, d};
}

/// The element of such a tensor, for sequence, head, token and column.
inline std::int64_t laid_out_at(const std::string& layout, const Shape& shape, const Sizes& sizes, std::int64_t heads,
                                std::int64_t b, std::int64_t n, std::int64_t s, std::int64_t d) {
  if (layout == "BSH") return (b * shape[1] + s) * shape[2] + n * (shape[2] / heads) + d;
  if (layout == "BSND") return ((b * shape[1] + s) * shape[2] + n) * shape[3] + d;
  if (layout == "SBH") return (s * sizes.sequences + b) * shape[2] + n * (shape[2] / heads) + d;
  if (layout == "TND") return element_at({b * (shape[0] / sizes.sequences) + s, n, d}, shape);
  if (layout == "NTD") return element_at({n, b * (shape[1] / sizes.sequences) + s, d}, shape);
  if (layout == "NBSD") return element_at({n, b, s, d}, shape);
  if (layout == "NSD") return element_at({n, s, d}, shape);
  if (layout == "SH") return s * shape[1] + n * (shape[1] / heads) + d;
  return ((b * shape[1] + n) * shape[2] + s) * shape[3] + d;
}

/// What attention gives for one query, by its definition, and the logarithm of the sum of its weights.
struct Attended {
  std::vector<Real> columns;
  Real logarithm = 0;
  Real highest = 0;
  Real sum = 0;
};

/// `score(key)` is nothing for a key that is not seen; `value(key, column)` what it holds.
inline Attended attend(std::int64_t keys, std::int64_t columns,
                       const std::function<std::optional<Real>(std::int64_t)>& score,
                       const std::function<Real(std::int64_t, std::int64_t)>& value) {
  Attended result;
  result.columns.assign(static_cast<std::size_t>(columns), 0);
  result.highest = -std::numeric_limits<Real>::infinity();
  std::vector<std::optional<Real>> scores;
  for (std::int64_t key = 0; key < keys; ++key) {
    scores.push_back(score(key));
    if (scores.back()) result.highest = std::max(result.highest, *scores.back());
  }
  for (std::int64_t key = 0; key < keys; ++key) {
    const auto& one = scores[static_cast<std::size_t>(key)];
    const Real weight = one && std::isfinite(result.highest) ? std::exp(*one - result.highest) : 0;
    result.sum += weight;
    for (std::int64_t d = 0; d < columns && weight != 0; ++d) {
      result.columns[static_cast<std::size_t>(d)] += weight * value(key, d);
    }
  }
  for (Real& column : result.columns) column = result.sum > 0 ? column / result.sum : 0;
  result.logarithm = result.sum > 0 ? result.highest + std::log(result.sum) : std::numeric_limits<Real>::infinity();
  return result;
}

/// Numbers whose products are not large, so that softmax has something to weigh.
inline OpTensor& fill_small(OpTensor& tensor, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1.5, 1.5);
  return tensor.fill([&](std::int64_t) -> Number { return uniform(random); });
}

}  // namespace aclvk::test
