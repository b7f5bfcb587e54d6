#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string_view>
#include <vector>

#include "ops/executor/operator.hpp"
#include "ops/executor/tensor_parameters.hpp"
#include "ops/kernel/declare.hpp"
#include "ops/kernel/staging.hpp"
#include "ops/shape/matrix_view.hpp"

namespace aclvk::ops {

// The frame of decompositions. They work on row-major copies of their matrices in the workspace, (count, rows,
// columns), in the dtype in which they compute, and copy results to the outputs. shaders/linalg/matrices.glsl is the
// shaders' half.

/// One kernel on a batch of matrices that are contiguous in the workspace. Its sizes are the arguments of its shader.
struct MatrixCall {
  std::string_view name;  ///< the operator's; a string literal
  ClassShaders shaders;
  DType dtype;
  std::int64_t count = 0;                 ///< matrices of the batch
  std::int64_t threads = 0;               ///< of a matrix; 0: the kernel has `groups` work groups for a matrix instead
  std::int64_t groups = 1;                ///< work groups of a matrix, where threads is 0
  std::vector<const Tensor*> operands{};  ///< each (count, rows, columns)
  InlineVector<std::uint32_t, 4> constants{};
};

/// The argument block of kernels on matrices (shaders/linalg/matrices.args.h). Each kernel has a struct with names for
/// its own words, made by ARGUMENT_STRUCT.
struct MatrixArguments {
  using Block = ArgumentBlock;
  std::uint32_t count;
  std::array<std::uint32_t, 5> own;
  std::uint32_t groups;
  std::array<std::uint32_t, 2> more_own;
};

/// Returns one kernel, or several where an operand takes more than 2 GiB. No matrices or no threads give no kernel.
/// Sets `count` and `groups` of the arguments.
Kernels matrix_kernels(const MatrixCall& call, MatrixArguments arguments);

/// Returns the kernels of a shader with the arguments `Arguments`.
template <typename Arguments>
Kernels matrix_kernels(const MatrixCall& call, const Arguments& arguments) {
  static_assert(sizeof(Arguments) == sizeof(MatrixArguments) &&
                    offsetof(Arguments, count) == offsetof(MatrixArguments, count) &&
                    offsetof(Arguments, groups) == offsetof(MatrixArguments, groups),
                "Lists of shaders/linalg have nine words, with count and groups at the offsets of MatrixArguments.");
  MatrixArguments words{};
  std::memcpy(&words, &arguments, sizeof(words));
  return matrix_kernels(call, words);
}

/// Consecutive steps of a decomposition that one kernel does.
struct StepRange {
  std::int64_t first = 0;
  std::int64_t count = 0;
};
/// Cuts steps 0 to total - 1 into ranges, one for each kernel, whose loops stay below the limit of iterations of a
/// thread. Step i takes iterations(i) of them. A range has at least one step.
std::vector<StepRange> ranges_of_steps(std::int64_t total, const std::function<std::int64_t(std::int64_t)>& iterations);

/// Returns the unroll factor of LOOP_OVER for `passes` passes of a thread over the rows, so that its loops stay
/// below the limit of iterations. 207000 for more rows than the largest factor allows.
std::uint32_t rows_at_once(std::string_view name, std::int64_t rows, std::int64_t passes);
/// The iterations of one such pass over `rows`.
constexpr std::int64_t iterations_along(std::int64_t rows, std::uint32_t at_once) { return rows / at_once + 2; }

/// Threads of a work group of most shaders in shaders/linalg.
constexpr std::int64_t kThreadsOfMatrix = 32;
/// Returns how many such work groups `items` rows or columns take; at least one.
constexpr std::int64_t groups_for(std::int64_t items) {
  return items <= kThreadsOfMatrix ? 1 : (items + kThreadsOfMatrix - 1) / kThreadsOfMatrix;
}

/// Adds the kernels of a decomposition of squares, with a step for each of its `rows`, whose steps have two phases with
/// a barrier between them; the arguments are STEP_ARGUMENTS. A step that fits in one work group does both phases in one
/// kernel (constant 0 is 0). A longer step is two kernels, one a phase, and phase `parallel` is spread over several
/// work groups: work groups cannot wait for each other inside a kernel.
struct StepPhases {
  std::uint32_t first;
  std::uint32_t second;
  std::uint32_t parallel;
};
void append_steps(Kernels& kernels, MatrixCall call, std::int64_t rows, StepPhases phases,
                  const std::function<std::int64_t(std::int64_t)>& iterations,
                  const std::function<std::int64_t(std::int64_t)>& items);

/// Returns the dtype in which decompositions compute: float for 16-bit floats, else the dtype itself.
DType computed_in(DType dtype);

/// The sizes of the last two dims; the rank is two or more.
inline std::int64_t rows_of(const Tensor& tensor) { return tensor.shape[tensor.shape.size() - 2]; }
inline std::int64_t columns_of(const Tensor& tensor) { return tensor.shape[tensor.shape.size() - 1]; }
/// Returns the number of matrices of a batch.
std::int64_t matrix_count(const Shape& batch);

/// 161002 unless the parameter has two dims or more, or its last two dims are equal.
void check_matrices(const TensorParameters& tensors, TensorParameters::ParamId param);
void check_squares(const TensorParameters& tensors, TensorParameters::ParamId param);

/// The parameters of an operator that has one result for square matrices.
struct SquareParameters {
  TensorParameters::ParamId self;
  TensorParameters::ParamId out;
};
/// Adds the parameters and checks all but the shape of `out`.
SquareParameters add_squares(TensorParameters& tensors, const char* name, const InputArg& self, const OutputArg& out);

/// Allocates (count, rows, columns) in the workspace. The row stride is a multiple of `row_alignment` elements.
Tensor make_matrices(Staging& staging, std::int64_t count, std::int64_t rows, std::int64_t columns, DType dtype,
                     std::int64_t row_alignment = 1);
/// Allocates matrices like `from` and adds the kernels that copy `from` to them.
Tensor copy_matrices(std::string_view name, Staging& staging, const Tensor& from, DType dtype, Kernels& kernels,
                     std::int64_t row_alignment = 1);
/// The row stride of such matrices, in elements.
inline std::int64_t pitch_of(const Tensor& matrices) { return matrices.strides[1]; }
/// Adds the kernels that copy matrices to the output `to`, with its dtype and strides.
void put_matrices(std::string_view name, const Tensor& to, const Tensor& matrices, Kernels& kernels);

}  // namespace aclvk::ops
