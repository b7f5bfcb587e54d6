#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "ops/operator.hpp"
#include "ops/shape/matrix_view.hpp"
#include "ops/staging.hpp"
#include "ops/tensor_parameters.hpp"

namespace aclvk::ops {

// What decompositions share: they work on contiguous copies of their matrices, in the dtype that they compute in
// (shaders/linalg/matrices.glsl), and copy results to where they belong.

/// A kernel on matrices that lie one after the other.
struct MatrixCall {
  std::string_view name;  ///< the operator's; a string literal
  ClassShaders shaders;
  DType dtype;
  std::int64_t count = 0;  ///< of matrices
  std::int64_t rows = 0;   ///< the three are the kernel's
  std::int64_t columns = 0;
  std::int64_t width = 0;
  std::int64_t threads = 0;  ///< of a matrix; 0: groups
  std::int64_t groups = 1;   ///< of a matrix that has no threads of its own
  std::int64_t first = 0;    ///< of the kernel's steps, where it takes some of them only
  std::int64_t steps = 0;
  std::int64_t from = 0;                  ///< a column
  std::int64_t pitch = 0;                 ///< elements from row to row of another operand than that of `columns`
  std::vector<const Tensor*> operands{};  ///< the first dim is that of matrices
  InlineVector<std::uint32_t, 4> constants{};
};

/// One kernel, or several where matrices take more than 2 GiB. None for no matrices or threads.
Kernels matrix_kernels(const MatrixCall& call);

struct Steps {
  std::int64_t first = 0;
  std::int64_t count = 0;
};
/// Steps 0 to total - 1, of which each takes turns(step), in ranges of few enough turns; one step at least.
std::vector<Steps> ranges_of_steps(std::int64_t total, const std::function<std::int64_t(std::int64_t)>& turns);

/// How many rows a turn takes in kernels whose threads go along them, `looks` times: kUnroll of
/// common/bounded_loop.glsl.
std::uint32_t rows_at_once(std::string_view name, std::int64_t rows, std::int64_t looks);
/// The turns of one such loop.
constexpr std::int64_t turns_along(std::int64_t rows, std::uint32_t at_once) { return rows / at_once + 2; }

/// How many threads a group of shaders/linalg has.
constexpr std::int64_t kThreadsOfMatrix = 32;
/// Their groups for so many rows or columns, one at least.
constexpr std::int64_t groups_for(std::int64_t items) {
  return items <= kThreadsOfMatrix ? 1 : (items + kThreadsOfMatrix - 1) / kThreadsOfMatrix;
}

/// Adds the kernels of steps with two parts, of which the one that takes long is `wide` and may have several groups.
/// The constant 0 says which part a kernel has: 0 is both.
struct TwoParts {
  std::uint32_t first;
  std::uint32_t second;
  std::uint32_t wide;
};
void append_steps(Kernels& kernels, MatrixCall call, std::int64_t total, TwoParts parts,
                  const std::function<std::int64_t(std::int64_t)>& turns,
                  const std::function<std::int64_t(std::int64_t)>& items);

/// 16-bit floats compute in float.
DType computed_in(DType dtype);

/// Of a tensor of rank two or more.
inline std::int64_t rows_of(const Tensor& tensor) { return tensor.shape[tensor.shape.size() - 2]; }
inline std::int64_t columns_of(const Tensor& tensor) { return tensor.shape[tensor.shape.size() - 1]; }
/// The number of matrices of a batch.
std::int64_t matrix_count(const Shape& batch);

/// Two or more dims (161002); a square has as many rows as columns.
void check_matrices(const TensorParameters& tensors, TensorParameters::ParamId place);
void check_squares(const TensorParameters& tensors, TensorParameters::ParamId place);

/// A place for matrices in the workspace: (count, rows, columns). Rows begin at multiples of `line` elements.
Tensor make_matrices(Staging& staging, std::int64_t count, std::int64_t rows, std::int64_t columns, DType dtype,
                     std::int64_t line = 1);
/// The same, with what `from` has. The kernels that copy are added.
Tensor copy_matrices(std::string_view name, Staging& staging, const Tensor& from, DType dtype, Kernels& kernels,
                     std::int64_t line = 1);
/// Elements from row to row of such matrices.
inline std::int64_t pitch_of(const Tensor& matrices) { return matrices.strides[1]; }
/// Adds the kernels that copy matrices to where they belong, with its dtype and strides.
void put_matrices(std::string_view name, const Tensor& to, const Tensor& matrices, Kernels& kernels);

}  // namespace aclvk::ops
