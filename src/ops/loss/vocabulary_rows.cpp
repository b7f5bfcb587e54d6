#include "ops/loss/vocabulary_rows.hpp"

#include <algorithm>
#include <array>

#include "ops/elementwise/pointwise.hpp"
#include "ops/elementwise/tables.hpp"
#include "ops/kernel/grid.hpp"
#include "ops/matmul/products/gemm.hpp"
#include "ops/shape/matrix_view.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

using runtime::Access;

constexpr std::int64_t kBytesAtOnce = std::int64_t{1} << 28;
constexpr std::int64_t kSamplesOfThread = 8;

runtime::Operand operand_of(const Tensor& tensor, Access access) {
  const ByteSpan span = span_of(tensor);
  return {tensor.address(), span.end - span.begin, access};
}

bool is_wide(const Tensor& tensor) { return size_of(tensor.dtype) == 8; }

/// Returns one number a row as a column that broadcasts along the row.
Tensor as_column(const Tensor& numbers) { return repeated(numbers, numbers.shape.size(), 1); }

std::uint32_t low_word(std::int64_t value) { return static_cast<std::uint32_t>(value); }
std::uint32_t high_word(std::int64_t value) {
  return static_cast<std::uint32_t>(static_cast<std::uint64_t>(value) >> 32);
}

}  // namespace

std::int64_t samples_at_once(std::int64_t samples, std::int64_t classes) {
  const std::int64_t row = std::max<std::int64_t>(classes, 1) * 4;
  const std::int64_t most = std::max<std::int64_t>(kBytesAtOnce / row / 8 * 8, 8);
  return std::min(samples, most);
}

Tensor samples_of(const Tensor& tensor, std::int64_t first, std::int64_t count) {
  return sliced(tensor, 0, first, count);
}

Kernels logit_kernels(const char* name, const Tensor& input, const Tensor& weight, const Tensor& logits,
                      Staging& staging, runtime::Execution execution) {
  return gemm_kernels({name, input, with_swapped_dims(weight), std::nullopt, logits}, staging, execution);
}

Kernels subtract_max_kernels(const char* name, const Tensor& from, const Tensor& largest, const Tensor& to) {
  const Tensor column = as_column(largest);
  return pointwise_kernels(name, row_of(BinaryOp::kSub), DType::kFloat, {&from, &column}, to, {{1}});
}

Kernels exponential_kernels(const char* name, const Tensor& x) {
  return pointwise_kernels(name, row_of(UnaryOp::kExp), DType::kFloat, {&x}, x);
}

Kernels divide_kernels(const char* name, const Tensor& from, const Tensor& sum, const Tensor& to) {
  const Tensor column = as_column(sum);
  return pointwise_kernels(name, row_of(BinaryOp::kDiv), DType::kFloat, {&from, &column}, to);
}

Kernels multiply_kernels(const char* name, const Tensor& from, const Tensor& factor, const Tensor& to) {
  const Tensor column = as_column(factor);
  return pointwise_kernels(name, row_of(BinaryOp::kMul), DType::kFloat, {&from, &column}, to);
}

runtime::Kernel target_kernel(const char* name, const TargetTensors& tensors, Vocabulary vocabulary) {
  const std::int64_t samples = tensors.rows->shape[0];
  const double one = 1;
  const auto mask_word = Scalar(&one, DType::kDouble).to_element(tensors.mask->dtype)[0];
  runtime::Kernel kernel;
  kernel.name = name;
  kernel.shader = "loss/vocabulary_bits";
  kernel.constants = {is_wide(*tensors.target) ? 1U : 0U, is_wide(*tensors.target_offsets) ? 1U : 0U,
                      tensors.mask->dtype == DType::kUint8 ? 1U : 0U};
  // The mask is read, too: a byte is merged into its 32-bit word.
  kernel.operands = {operand_of(*tensors.target, Access::kRead), operand_of(*tensors.rows, Access::kRead),
                     operand_of(*tensors.target_offsets, Access::kWrite), operand_of(*tensors.mask, Access::kReadWrite),
                     operand_of(*tensors.predicted, Access::kWrite)};
  kernel.arguments = runtime::argument_bytes(std::array<std::uint32_t, 7>{
      low_word(samples), low_word(tensors.rows->shape[1]), low_word(vocabulary.first), high_word(vocabulary.first),
      low_word(vocabulary.last), high_word(vocabulary.last), mask_word});
  kernel.groups = row_of_groups(static_cast<std::uint64_t>((samples + kSamplesOfThread - 1) / kSamplesOfThread));
  return kernel;
}

runtime::Kernel subtract_target_kernel(const char* name, const Tensor& rows, const Tensor& gradient,
                                       const Tensor& target_offsets, const Tensor& mask, std::int64_t first) {
  runtime::Kernel kernel;
  kernel.name = name;
  kernel.shader = "loss/vocabulary_gradient_f32";
  kernel.constants = {is_wide(target_offsets) ? 1U : 0U};
  kernel.operands = {operand_of(rows, Access::kReadWrite), operand_of(gradient, Access::kRead),
                     operand_of(target_offsets, Access::kRead), operand_of(mask, Access::kRead)};
  kernel.arguments = runtime::argument_bytes(
      std::array<std::uint32_t, 3>{low_word(rows.shape[0]), low_word(rows.shape[1]), low_word(first)});
  kernel.groups = row_of_groups(static_cast<std::uint64_t>(rows.shape[0]));
  return kernel;
}

}  // namespace aclvk::ops
