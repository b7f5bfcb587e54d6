#pragma once

#include <string_view>

#include "ops/linalg/matrices.hpp"
#include "runtime/device/execution.hpp"

namespace aclvk::ops {

/// What an operator is making its kernels with.
struct Work {
  std::string_view name;  ///< the operator's; a string literal
  runtime::Execution execution;
  Staging& staging;
  Kernels& kernels;
};

struct Triangle {
  bool upper = false;
  bool unit = false;  ///< the diagonal is 1, whatever is there
};

/// Whether matrices are decomposed and solved in blocks, whose products are most of the work: real ones with so many
/// rows. Rows of their matrices begin at multiples of kPanelWidth elements.
bool use_blocked(std::int64_t rows, DType dtype);
constexpr std::int64_t kPanelWidth = 16;
inline std::int64_t row_alignment_for(std::int64_t rows, DType dtype) {
  return use_blocked(rows, dtype) ? kPanelWidth : 1;
}

/// Adds the kernels of x = a^-1 x for triangular matrices.
void substitute(const Work& work, const Tensor& a, Triangle triangle, const Tensor& x);

/// The same with the part of real a that has rows and columns `first` to `first + size`, and those rows of columns
/// `from` to `from + width` of x.
struct Block {
  std::int64_t first = 0;
  std::int64_t size = 0;
  std::int64_t from = 0;
  std::int64_t width = 0;
};
void substitute_block(const Work& work, const Tensor& a, Triangle triangle, const Tensor& x, const Block& block);

/// Rows `first` to `first + rows` and columns `from` to `from + columns`.
Tensor submatrix(const Tensor& matrices, std::int64_t first, std::int64_t rows, std::int64_t from,
                 std::int64_t columns);
/// Adds the kernels of to = a b, and of to -= a b.
void make_product(const Work& work, const Tensor& to, const Tensor& a, const Tensor& b);
void subtract_product(const Work& work, const Tensor& to, const Tensor& a, const Tensor& b);
/// The next multiple of kPanelWidth.
constexpr std::int64_t padded_size(std::int64_t size) { return (size + kPanelWidth - 1) / kPanelWidth * kPanelWidth; }
/// The first of two halves: a multiple of kPanelWidth.
constexpr std::int64_t first_half(std::int64_t size) { return padded_size(size / 2); }

}  // namespace aclvk::ops
