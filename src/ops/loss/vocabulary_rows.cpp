#include "ops/loss/vocabulary_rows.hpp"

#include <algorithm>

#include "loss/vocabulary.args.h"
#include "loss/vocabulary_gradient.args.h"
#include "ops/elementwise/pointwise.hpp"
#include "ops/elementwise/tables.hpp"
#include "ops/kernel/kernel_builder.hpp"
#include "ops/matmul/products/gemm.hpp"
#include "ops/shape/matrix_view.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

using runtime::Access;

ARGUMENT_STRUCT(VocabularyArguments, VOCABULARY_ARGUMENTS);
CONSTANT_STRUCT(VocabularyConstants, VOCABULARY_CONSTANTS);
ARGUMENT_STRUCT(VocabularyGradientArguments, VOCABULARY_GRADIENT_ARGUMENTS);
CONSTANT_STRUCT(VocabularyGradientConstants, VOCABULARY_GRADIENT_CONSTANTS);

// Limits the workspace for the logits of a chunk; a smaller buffer makes more products, of fewer rows.
constexpr std::int64_t kBytesAtOnce = std::int64_t{1} << 28;
// Eight samples share a byte of the bit mask, so no two threads write one byte.
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
  // A chunk has a multiple of eight samples, so that its mask begins at a byte.
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
  // The element that marks a target outside of the shard is 1 in the dtype of the mask.
  const auto mask_word = Scalar(&one, DType::kDouble).to_element(tensors.mask->dtype)[0];
  KernelBuilder kernel(name, "loss/vocabulary_bits");
  VocabularyConstants constants;
  constants.kWideTargets = is_wide(*tensors.target);
  constants.kWideOffsets = is_wide(*tensors.target_offsets);
  constants.kBits = tensors.mask->dtype == DType::kUint8;
  kernel.add_constants(constants);
  kernel.add_operand(operand_of(*tensors.target, Access::kRead));
  kernel.add_operand(operand_of(*tensors.rows, Access::kRead));
  kernel.add_operand(operand_of(*tensors.target_offsets, Access::kWrite));
  // The mask is read, too: a byte is merged into its 32-bit word.
  kernel.add_operand(operand_of(*tensors.mask, Access::kReadWrite));
  kernel.add_operand(operand_of(*tensors.predicted, Access::kWrite));
  VocabularyArguments arguments;
  arguments.samples = word(samples);
  arguments.classes = word(tensors.rows->shape[1]);
  arguments.start_low = low_word(vocabulary.first);
  arguments.start_high = high_word(vocabulary.first);
  arguments.end_low = low_word(vocabulary.last);
  arguments.end_high = high_word(vocabulary.last);
  arguments.mask_word = mask_word;
  kernel.add_arguments(arguments);
  kernel.set_threads(static_cast<std::uint64_t>((samples + kSamplesOfThread - 1) / kSamplesOfThread));
  return kernel.build();
}

runtime::Kernel subtract_target_kernel(const char* name, const Tensor& rows, const Tensor& gradient,
                                       const Tensor& target_offsets, const Tensor& mask, std::int64_t first) {
  KernelBuilder kernel(name, "loss/vocabulary_gradient_f32");
  VocabularyGradientConstants constants;
  constants.kWideOffsets = is_wide(target_offsets);
  kernel.add_constants(constants);
  kernel.add_operand(operand_of(rows, Access::kReadWrite));
  kernel.add_operand(operand_of(gradient, Access::kRead));
  kernel.add_operand(operand_of(target_offsets, Access::kRead));
  kernel.add_operand(operand_of(mask, Access::kRead));
  VocabularyGradientArguments arguments;
  arguments.samples = word(rows.shape[0]);
  arguments.classes = word(rows.shape[1]);
  arguments.first = word(first);
  kernel.add_arguments(arguments);
  kernel.set_threads(static_cast<std::uint64_t>(rows.shape[0]));
  return kernel.build();
}

}  // namespace aclvk::ops
