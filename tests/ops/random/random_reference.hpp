#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "support/op_arguments.hpp"
#include "support/philox.hpp"

namespace aclvk::test {

// Random numbers on the host, apart from src/ops and shaders/.

/// What an operator's seed and offset stand for: a block of four words for each number.
struct HostSource {
  std::uint64_t seed = 0;
  std::uint64_t offset = 0;

  Block4 block(std::int64_t number) const {
    return philox({static_cast<std::uint32_t>(number), 0, static_cast<std::uint32_t>(offset),
                   static_cast<std::uint32_t>(offset >> 32)},
                  {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)});
  }
  /// Four elements share a block, or two of 64 bits.
  std::uint32_t word(std::int64_t n) const { return block(n / 4)[static_cast<std::size_t>(n % 4)]; }
  std::uint64_t wide_word(std::int64_t n) const {
    const Block4 words = block(n / 2);
    return n % 2 ? words[2] | std::uint64_t{words[3]} << 32 : words[0] | std::uint64_t{words[1]} << 32;
  }
  /// [0, 1), with the digits of a float or a double.
  Real unit(std::int64_t n, bool wide) const {
    return wide ? std::ldexp(Real(wide_word(n) >> 11), -53) : std::ldexp(Real(word(n) >> 8), -24);
  }
  /// (0, 1)
  Real open_unit(std::int64_t n, bool wide) const {
    return wide ? std::ldexp(Real(wide_word(n) >> 12) + 0.5L, -52) : std::ldexp(Real(word(n)) + 0.5L, -32);
  }
  Real exponential(std::int64_t n, bool wide) const { return -std::log(open_unit(n, wide)); }
  /// Neighbours are sine and cosine of one angle, of which two bits are the quadrant.
  Real normal(std::int64_t n, bool wide) const {
    const Real pi = std::acos(Real(-1));
    const std::int64_t second = n | 1;
    const Real radius = std::sqrt(2 * exponential(n & ~std::int64_t{1}, wide));
    const std::uint64_t bits = wide ? wide_word(second) : std::uint64_t{word(second)} << 32;
    const Real part = wide ? std::ldexp(Real(bits << 2 >> 11), -53) : std::ldexp(Real(bits << 2 >> 40), -24);
    const Real angle = (Real(bits >> 62) + part - 0.5L) * pi / 2;
    return radius * (n % 2 ? std::sin(angle) : std::cos(angle));
  }
  /// Of `range` integers from `low` on.
  std::int64_t integer(std::int64_t n, std::int64_t low, std::uint64_t range) const {
    __extension__ using Product = unsigned __int128;
    const Block4 words = block(n);
    Product carry = 0;
    for (const std::uint32_t word : words) carry = (carry + Product{word} * range) >> 32;
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + static_cast<std::uint64_t>(carry));
  }
};

inline bool is_wide(aclDataType type) { return type == ACL_DOUBLE || type == ACL_INT64 || type == ACL_UINT64; }

inline std::vector<double> numbers_in(const OpTensor& tensor, const std::vector<std::byte>& bytes) {
  std::vector<double> numbers;
  for (std::int64_t i = 0; i < tensor.count(); ++i) {
    numbers.push_back(static_cast<double>(tensor.in(bytes, i).real()));
  }
  return numbers;
}

inline double mean_of(const std::vector<double>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0) / static_cast<double>(numbers.size());
}
inline double deviation_of(const std::vector<double>& numbers) {
  const double middle = mean_of(numbers);
  double sum = 0;
  for (const double number : numbers) sum += (number - middle) * (number - middle);
  return std::sqrt(sum / static_cast<double>(numbers.size()));
}
inline double correlation_of_neighbours(const std::vector<double>& numbers) {
  const double middle = mean_of(numbers);
  double sum = 0;
  for (std::size_t i = 1; i < numbers.size(); ++i) sum += (numbers[i] - middle) * (numbers[i - 1] - middle);
  const double deviation = deviation_of(numbers);
  return sum / static_cast<double>(numbers.size() - 1) / (deviation * deviation);
}

/// The statistic of Kolmogorov and Smirnov: one number of a thousand sets of true random numbers is above 1.95.
template <typename Distribution>
double kolmogorov(std::vector<double> numbers, const Distribution& cumulated) {
  std::sort(numbers.begin(), numbers.end());
  const auto count = static_cast<double>(numbers.size());
  double most = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const double expected = cumulated(numbers[i]);
    most = std::max({most, expected - static_cast<double>(i) / count, static_cast<double>(i + 1) / count - expected});
  }
  return most * std::sqrt(count);
}

/// A seed or an offset in device memory.
class OpNumber : public OpTensor {
 public:
  explicit OpNumber(std::uint64_t value, aclDataType type = ACL_INT64) : OpTensor(type, {1}) { set(value); }
  void set(std::uint64_t value) const { EXPECT_EQ(aclrtMemcpy(memory(), 8, &value, 8, ACL_MEMCPY_HOST_TO_DEVICE), 0); }
};

}  // namespace aclvk::test
