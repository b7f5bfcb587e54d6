#include "ops/linalg/matrices.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "linalg/matrices.args.h"
#include "ops/kernel/bounded_loop.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/kernel/kernel_builder.hpp"
#include "ops/kernel/operand.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

ARGUMENT_STRUCT(StepArguments, STEP_ARGUMENTS);
CONSTANT_STRUCT(StepConstants, STEP_CONSTANTS);

constexpr std::int64_t kMaxBytes = std::int64_t{1} << 31;  // of an operand of one kernel
constexpr std::uint64_t kThreadsOfGroup = 64;  // of a work group, where threads are numbered across matrices

std::int64_t bytes_of_matrix(const Tensor& matrices) {
  const std::int64_t elements = matrices.shape[2] > 0 ? matrices.shape[1] * pitch_of(matrices) : 0;
  return elements * static_cast<std::int64_t>(size_of(matrices.dtype));
}

/// Returns how many matrices one kernel takes.
std::int64_t matrices_of_kernel(const MatrixCall& call) {
  std::int64_t most = call.count;
  for (const Tensor* operand : call.operands) {
    const std::int64_t bytes = bytes_of_matrix(*operand);
    check(bytes <= kMaxBytes, Code::kNnInvalid,
          "a matrix of {} has shape ({}, {}) and takes {} bytes; it must not take more than 2 GiB.", call.name,
          operand->shape[1], operand->shape[2], bytes);
    if (bytes > 0) most = std::min(most, kMaxBytes / bytes);
  }
  return most;
}

/// An operand without elements still needs a valid address: make_matrices allocates one element for it.
runtime::Operand operand_of(const Tensor& matrices, std::int64_t first, std::int64_t count) {
  const std::int64_t bytes = bytes_of_matrix(matrices);
  const auto least = static_cast<std::int64_t>(size_of(matrices.dtype));
  return {at_byte_offset(matrices.address(), first * bytes), static_cast<std::uint64_t>(std::max(count * bytes, least)),
          runtime::Access::kReadWrite};
}

runtime::Kernel kernel_for(const MatrixCall& call, MatrixArguments arguments, std::int64_t first, std::int64_t count) {
  KernelBuilder kernel(call.name, call.shaders[static_cast<std::size_t>(class_for(call.dtype, {call.dtype}))]);
  kernel.add_constant_words(call.constants.begin(), call.constants.end());
  for (const Tensor* operand : call.operands) kernel.add_operand(operand_of(*operand, first, count));
  arguments.count = word(count);
  arguments.groups = word(call.groups);
  kernel.add_arguments(arguments);
  const auto matrices = static_cast<std::uint64_t>(count);
  if (call.threads == 0) {
    kernel.set_threads(matrices * static_cast<std::uint64_t>(call.groups), 1);
  } else {
    kernel.set_threads(matrices * static_cast<std::uint64_t>(call.threads), kThreadsOfGroup);
  }
  return kernel.build();
}

}  // namespace

Kernels matrix_kernels(const MatrixCall& call, MatrixArguments arguments) {
  Kernels kernels;
  const std::int64_t most = matrices_of_kernel(call);
  for (std::int64_t first = 0; first < call.count; first += most) {
    kernels.push_back(kernel_for(call, arguments, first, std::min(most, call.count - first)));
  }
  return kernels;
}

std::vector<StepRange> ranges_of_steps(std::int64_t total,
                                       const std::function<std::int64_t(std::int64_t)>& iterations) {
  std::vector<StepRange> ranges;
  // Makes the first step begin a range.
  std::int64_t taken = kMaxIterations;
  for (std::int64_t step = 0; step < total; ++step) {
    const std::int64_t more = iterations(step);
    // A driver may end a thread's loops without notice after 65535 iterations in all (docs/adr/0023).
    if (taken + more > kMaxIterations) {
      ranges.push_back({step, 0});
      taken = 0;
    }
    ++ranges.back().count;
    taken += more;
  }
  return ranges;
}

std::uint32_t rows_at_once(std::string_view name, std::int64_t rows, std::int64_t passes) {
  constexpr std::int64_t kOverhead = 64;  // iterations outside of the passes
  const std::uint32_t at_once = unroll_factor(passes * rows + kOverhead);
  check(at_once > 0, Code::kFeatureNotSupported, "a matrix of {} has {} rows or columns; up to {} are supported.", name,
        rows, (kMaxIterations * kMaxUnroll - kOverhead) / passes);
  return at_once;
}

void append_steps(Kernels& kernels, MatrixCall call, std::int64_t rows, StepPhases phases,
                  const std::function<std::int64_t(std::int64_t)>& iterations,
                  const std::function<std::int64_t(std::int64_t)>& items) {
  StepArguments arguments;
  arguments.rows = word(rows);
  for (const StepRange& range : ranges_of_steps(rows, iterations)) {
    arguments.first_step = word(range.first);
    arguments.steps = word(range.count);
    // A step that exceeds the limit alone is a range of its own; its parallel phase is divided among work groups,
    // which cannot wait for each other within a kernel.
    const bool split = iterations(range.first) > kMaxIterations;
    for (const std::uint32_t phase :
         split ? std::vector<std::uint32_t>{phases.first, phases.second} : std::vector<std::uint32_t>{0}) {
      StepConstants constants;
      constants.kPhase = phase;
      set_constants(call, constants);
      call.groups = split && phase == phases.parallel ? groups_for(items(range.first)) : 1;
      append(kernels, matrix_kernels(call, arguments));
    }
  }
}

DType computed_in(DType dtype) { return dtype == DType::kFloat16 || dtype == DType::kBfloat16 ? DType::kFloat : dtype; }

std::int64_t matrix_count(const Shape& batch) { return element_count(batch); }

void check_matrices(const TensorParameters& tensors, TensorParameters::ParamId param) {
  check(tensors[param].shape.size() >= 2, Code::kNnInvalid, "{} has shape {}; two dimensions at least are expected.",
        tensors.name(param), tensors[param].shape);
}

void check_squares(const TensorParameters& tensors, TensorParameters::ParamId param) {
  check_matrices(tensors, param);
  check(rows_of(tensors[param]) == columns_of(tensors[param]), Code::kNnInvalid,
        "{} has shape {}; square matrices, the last two dimensions, are expected.", tensors.name(param),
        tensors[param].shape);
}

SquareParameters add_squares(TensorParameters& tensors, const char* name, const InputArg& self, const OutputArg& out) {
  const SquareParameters at{tensors.input(self), tensors.output(out)};
  tensors.check_dtypes(dtypes_of(name));
  check_castable(tensors[at.self].dtype, tensors[at.out].dtype, "the result", "out");
  tensors.check_views();
  check_squares(tensors, at.self);
  return at;
}

Tensor make_matrices(Staging& staging, std::int64_t count, std::int64_t rows, std::int64_t columns, DType dtype,
                     std::int64_t row_alignment) {
  const bool none = count == 0 || rows == 0 || columns == 0;
  const std::int64_t pitch = (columns + row_alignment - 1) / row_alignment * row_alignment;
  Tensor matrices = staging.make(none ? Shape{1, 1, 1} : Shape{count, rows, pitch}, dtype);
  // A view of the columns without their padding.
  matrices.strides = contiguous_strides({count, rows, pitch});
  matrices.shape = {count, rows, columns};
  return matrices;
}

Tensor copy_matrices(std::string_view name, Staging& staging, const Tensor& from, DType dtype, Kernels& kernels,
                     std::int64_t row_alignment) {
  const Tensor matrices =
      make_matrices(staging, matrix_count(batch_of(from)), rows_of(from), columns_of(from), dtype, row_alignment);
  if (!from.empty()) append(kernels, copy_kernels(name, *reshaped(matrices, from.shape), from));
  return matrices;
}

void put_matrices(std::string_view name, const Tensor& to, const Tensor& matrices, Kernels& kernels) {
  if (!to.empty()) append(kernels, copy_kernels(name, to, *reshaped(matrices, to.shape)));
}

}  // namespace aclvk::ops
