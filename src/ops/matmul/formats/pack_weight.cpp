
#include "base/error.hpp"
#include "matmul/formats/pack_nibbles.args.h"
#include "ops/args/matmul.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/kernel/kernel_builder.hpp"
#include "ops/kernel/operand.hpp"
#include "ops/matmul/formats/fractal.hpp"
#include "ops/matmul/formats/nibbles.hpp"
#include "ops/shape/matrix_view.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

using runtime::Access;

ARGUMENT_STRUCT(PackNibblesArguments, PACK_NIBBLES_ARGUMENTS);
CONSTANT_STRUCT(PackNibblesConstants, PACK_NIBBLES_CONSTANTS);

constexpr const char* kName = "aclnnConvertWeightToINT4Pack";
constexpr std::int64_t kNibblesPerWord = 8;
constexpr DTypeSet kIntegers = {DType::kInt4, DType::kInt32};
constexpr DTypeSet kReals = {DType::kFloat4E2M1, DType::kFloat};

/// The memory order of words: matrix, column of blocks, row, word within the row of a block.
struct WordLayout {
  std::int64_t of_row;
  std::int64_t rows_of_block;
  std::int64_t block_columns;
};

std::int64_t word_count(std::int64_t elements, const Tensor& packed) {
  return is_four_bit(packed.dtype) ? elements / kNibblesPerWord : elements;
}

/// Returns whether words are packed along the columns.
bool words_follow_columns(const Tensor& packed) {
  return is_fractal(packed) ? is_transposed(packed) : is_packed_by_columns(packed);
}

WordLayout word_layout_of(const Tensor& packed) {
  const Shape rows = (words_follow_columns(packed) ? with_swapped_dims(packed) : packed).shape;
  if (!is_fractal(packed)) return {word_count(rows.back(), packed), rows.size() > 1 ? rows[rows.size() - 2] : 1, 1};
  const Shape storage = storage_of(packed);
  const std::size_t batch = storage.size() - 4;
  return {word_count(storage.back(), packed), storage[batch + 1] * storage[batch + 2], storage[batch]};
}

void check_blocks(const Tensor& packed) {
  check_fractal(packed, "weightInt4Pack");
  const bool whole =
      !is_fractal(packed) || !is_four_bit(packed.dtype) || storage_of(packed).back() % kNibblesPerWord == 0;
  check(whole, Code::kNnInvalid,
        "weightInt4Pack has storage shape {}; rows of blocks that consist of whole words (eight 4-bit elements) are "
        "expected.",
        packed.storage);
}

/// Returns the weight as one batch of matrices; a copy in the workspace if its batch has no single stride.
Tensor as_matrices(const Tensor& weight, Staging& staging, Kernels& before) {
  const Tensor rows = with_rank(at_least_one_dim(weight), 3);
  const Shape matrix{rows.shape[rows.shape.size() - 2], rows.shape.back()};
  const Shape shape{element_count(batch_of(rows)), matrix[0], matrix[1]};
  if (const auto merged = reshaped(rows, shape)) return *merged;
  return row_major(shape, rows.dtype, staging.copy(rows, before).address());
}

PackNibblesArguments arguments_of(std::int64_t words, const WordLayout& layout, const Tensor& weight) {
  PackNibblesArguments arguments;
  arguments.words = word(words);
  arguments.words_of_row = word(layout.of_row);
  arguments.rows_of_block = word(layout.rows_of_block);
  arguments.block_columns = word(layout.block_columns);
  arguments.rows = word(weight.shape[1]);
  arguments.columns = word(weight.shape[2]);
  arguments.matrix_stride = word(weight.strides[0]);
  arguments.row_stride = word(weight.strides[1]);
  arguments.column_stride = word(weight.strides[2]);
  return arguments;
}

runtime::Kernel pack_kernel(const Tensor& weight, const Tensor& packed) {
  const WordLayout layout = word_layout_of(packed);
  const std::int64_t words = weight.shape[0] * layout.block_columns * layout.rows_of_block * layout.of_row;
  KernelBuilder kernel(kName, "matmul/formats/pack_nibbles_i32");
  PackNibblesConstants constants;
  constants.kReal = weight.dtype == DType::kFloat ? 1 : 0;
  kernel.add_constants(constants);
  kernel.add_operand(operand_of(kName, weight, Access::kRead));
  kernel.add_operand(packed.address(), static_cast<std::uint64_t>(words) * sizeof(std::uint32_t), Access::kWrite);
  kernel.add_arguments(arguments_of(words, layout, weight));
  kernel.set_threads(static_cast<std::uint64_t>(weight.empty() ? 0 : words));
  return kernel.build();
}

}  // namespace

/// Plans aclnnConvertWeightToINT4Pack: packs the low four bits of INT32, or FLOAT rounded to FLOAT4_E2M1.
std::shared_ptr<Executor> plan(const ConvertWeightToINT4PackArgs& args) {
  TensorParameters tensors;
  const auto from = tensors.input(args.weight);
  const auto to = tensors.output(args.weightInt4Pack);
  tensors.check_dtypes(dtypes_of(kName));
  tensors.check_views();
  const bool is_real = tensors[from].dtype == DType::kFloat;
  check_dtype(tensors[to], "weightInt4Pack", is_real ? kReals : kIntegers);
  check_blocks(tensors[to]);
  check(tensors[from].shape == unpacked_shape("weightInt4Pack", as_words(tensors[to])), Code::kNnInvalid,
        "weight has shape {} and weightInt4Pack, of dtype {}, has shape {}; the same number of 4-bit elements is "
        "expected.",
        tensors[from].shape, tensors[to].dtype, tensors[to].shape);
  return staged_executor(
      {kName, kFractalNz}, tensors, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
        const Tensor& out = *bound[to];
        unpacked_shape("weightInt4Pack", as_words(out));
        check_disjoint(out, "weightInt4Pack", *bound[from], "weight");
        Kernels kernels;
        const Tensor in_order = words_follow_columns(out) ? with_swapped_dims(*bound[from]) : *bound[from];
        kernels.push_back(pack_kernel(as_matrices(in_order, staging, kernels), out));
        return kernels;
      });
}

}  // namespace aclvk::ops
