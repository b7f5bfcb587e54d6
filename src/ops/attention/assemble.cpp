#include "ops/attention/assemble.hpp"

#include "base/error.hpp"
#include "ops/attention/scales.hpp"
#include "ops/create/fill.hpp"
#include "ops/kernel/access.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/matmul/formats/nibbles.hpp"
#include "ops/matmul/quantised/rescale.hpp"
#include "ops/quant/quantize.hpp"
#include "ops/shape/matrix_view.hpp"
#include "ops/tensor/dtype_sets.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

using BoundTensors = TensorParameters::BoundTensors;
using ParamId = TensorParameters::ParamId;

// Dims of a tensor by heads: sequences, heads, tokens, columns.
constexpr std::size_t kTokens = 2;
constexpr std::size_t kColumns = 3;

/// Checks that 4-bit integers are packed along the columns (161002). A transposed tensor packs them along the tokens.
void check_words(const Tensor& tensor, const char* name) {
  check(!is_transposed(tensor), Code::kNnInvalid,
        "{} has shape {} and strides {}; words of eight 4-bit elements along the last dimension are expected.", name,
        tensor.shape, tensor.strides);
}

/// Builds tensors in the workspace out of several operands.
class Assembly {
 public:
  Assembly(const AttentionPlan& plan, Staging& staging, Kernels& before)
      : plan_(plan), staging_(staging), before_(before) {}

  /// Returns a tensor of `shape` whose columns are padded with zeros to a multiple of 8.
  Tensor make(Shape shape, DType dtype) {
    const std::int64_t columns = shape[kColumns];
    shape[kColumns] = (columns + kVec8 - 1) / kVec8 * kVec8;
    const Tensor tensor = staging_.make(shape, dtype);
    if (shape[kColumns] != columns) append(before_, fill_kernels(plan_.name, tensor, {}));
    return tensor;
  }

  /// Writes `from`, dequantised if it has scales, to `to`. `from` broadcasts over sequences.
  void write(const Tensor& to, const Tensor& from, const KeyScales& scales) {
    if (!scales.scale) return append(before_, copy_kernels(plan_.name, to, from));
    const Tensor reals = as_reals(from);
    const auto* offset = scales.offset ? &*scales.offset : nullptr;
    append(before_, scales.second_scale
                        ? rescale_kernels(plan_.name, reals, &*scales.scale, &*scales.second_scale, nullptr, to)
                        : dequantize_kernels(plan_.name, reals, offset, &*scales.scale, to));
  }

  /// Returns the tensor `name` with 4-bit integers unpacked to INT8.
  Tensor unpack(const Tensor& tensor, const char* name) {
    unpacked_shape(name, tensor);  // throws with the parameter's name; the copy below has none
    if (tensor.dtype == DType::kInt32) check_words(tensor, name);
    return unpacked(plan_.name, tensor, staging_, before_);
  }

  /// Returns keys or values with the dims sequences, heads, tokens, columns: pages gathered, 4-bit integers unpacked.
  Tensor unpacked_keys(const Tensor& tensor, const char* name, const Tensor* table) {
    if (!table) return keys_by_heads(plan_, unpack(tensor, name), name);
    // Gathers before it unpacks, so that the copy through the block table moves half a byte for each number.
    const Tensor pages = pages_by_heads(as_words(tensor, name), name, plan_.key_heads);
    return unpack(gathered_pages(plan_.name, pages, *table, staging_, before_), name);
  }

  Staging& staging() { return staging_; }
  Kernels& before() { return before_; }

 private:
  /// Converts 8-bit floats to FLOAT, because dequantize_kernels() reads no 8-bit floats.
  Tensor as_reals(const Tensor& tensor) {
    if (!kFloat8s.contains(tensor.dtype)) return tensor;
    const Tensor reals = staging_.make(tensor.shape, DType::kFloat);
    append(before_, copy_kernels(plan_.name, reals, tensor));
    return reals;
  }

  /// Returns a view of INT4 as INT32, so that gathering pages moves eight numbers at once.
  static Tensor as_words(const Tensor& tensor, const char* name) {
    if (tensor.dtype != DType::kInt4) return tensor;
    check_words(tensor, name);
    Shape shape = unpacked_shape(name, tensor);
    shape.back() /= kVec8;
    return row_major(shape, DType::kInt32, tensor.address());
  }

  const AttentionPlan& plan_;
  Staging& staging_;
  Kernels& before_;
};

Tensor columns_of(const Tensor& tensor, std::int64_t first, std::int64_t count) {
  return sliced(tensor, kColumns, first, count);
}

/// Writes the leading tokens, as many as have scales of their own.
void write_own(Assembly& assembly, const Tensor& to, const Tensor& from, const KeyScales& scales) {
  // Tokens past those with a scale belong to no sequence, so no kernel reads them.
  std::int64_t tokens = from.shape[kTokens];
  const auto fit = [&](const std::optional<Tensor>& scale) {
    if (scale && scale->shape[kTokens] > 1) tokens = std::min(tokens, scale->shape[kTokens]);
  };
  fit(scales.scale);
  fit(scales.offset);
  assembly.write(sliced(to, kTokens, 0, tokens), sliced(from, kTokens, 0, tokens), scales);
}

/// Returns the scales of a prefix: those of the first sequence and token, which belong to no single token.
KeyScales for_prefix(const KeyScales& scales) {
  KeyScales shared = scales;
  for (std::optional<Tensor>* scale : {&shared.scale, &shared.offset, &shared.second_scale}) {
    if (!*scale) continue;
    for (const std::size_t dim : {std::size_t{0}, kTokens}) {
      if ((*scale)->shape[dim] > 1) *scale = sliced(**scale, dim, 0, 1);
    }
  }
  return shared;
}

Tensor with_prefix(const AttentionPlan& plan, const BoundTensors& bound, ParamId prefix, const Tensor& from,
                   const KeyScales& scales, std::int64_t rope_columns, Assembly& assembly) {
  const std::int64_t columns = from.shape[kColumns];
  Shape shape = from.shape;
  shape[kTokens] += plan.prefix;
  shape[kColumns] += rope_columns;
  const Tensor all = assembly.make(shape, plan.computes_in);
  const Tensor own_columns = columns_of(all, 0, columns);
  if (plan.tensors.has(prefix)) {
    const char* name = plan.tensors.name(prefix);
    const Tensor first = by_heads(assembly.unpack(*bound[prefix], name), name, plan.layout, plan.key_heads);
    assembly.write(sliced(own_columns, kTokens, 0, plan.prefix), sliced(first, kTokens, 0, plan.prefix),
                   for_prefix(scales));
  }
  write_own(assembly, sliced(own_columns, kTokens, plan.prefix, from.shape[kTokens]), from, scales);
  return all;
}

}  // namespace

Tensor assembled_query(const AttentionPlan& plan, const BoundTensors& bound, Staging& staging, Kernels& before) {
  Assembly assembly(plan, staging, before);
  const auto by_head = [&](ParamId param) {
    return by_heads(*bound[param], plan.tensors.name(param), plan.layout, plan.heads);
  };
  const bool has_rope = plan.tensors.has(plan.at.query_rope);
  const Tensor query = by_head(plan.at.query);
  Shape shape = query.shape;
  if (has_rope) shape[kColumns] += by_head(plan.at.query_rope).shape[kColumns];
  const Tensor all = assembly.make(shape, plan.computes_in);
  assembly.write(columns_of(all, 0, query.shape[kColumns]), query, scales_of_query(plan, bound));
  if (has_rope) {
    const Tensor rope = by_head(plan.at.query_rope);
    assembly.write(columns_of(all, query.shape[kColumns], rope.shape[kColumns]), rope, {});
  }
  return all;
}

Tensor assembled_keys(const AttentionPlan& plan, const BoundTensors& bound, std::size_t member, Staging& staging,
                      Kernels& before) {
  Assembly assembly(plan, staging, before);
  const Tensor* table = bound[plan.at.table];
  const Tensor from = assembly.unpacked_keys(bound.of_list(plan.at.key, member), "key", table);
  const KeyScales scales = scales_of_keys(plan, bound, from.shape, member, staging, before);
  if (!plan.tensors.has(plan.at.key_rope)) {
    return with_prefix(plan, bound, plan.at.key_prefix, from, scales, 0, assembly);
  }
  const Tensor rope = assembly.unpacked_keys(*bound[plan.at.key_rope], plan.tensors.name(plan.at.key_rope), table);
  const std::int64_t columns = rope.shape[kColumns];
  const Tensor all = with_prefix(plan, bound, plan.at.key_prefix, from, scales, columns, assembly);
  const Tensor rope_columns_view = columns_of(all, from.shape[kColumns], columns);
  if (plan.tensors.has(plan.at.key_prefix))
    // The prefix has no rope: its rope columns add 0 to a score.
    append(before, fill_kernels(plan.name, sliced(rope_columns_view, kTokens, 0, plan.prefix), {}));
  assembly.write(sliced(rope_columns_view, kTokens, plan.prefix, from.shape[kTokens]), rope,
                 scales_of_key_rope(plan, bound, columns));
  return all;
}

Tensor assembled_values(const AttentionPlan& plan, const BoundTensors& bound, std::size_t member, Staging& staging,
                        Kernels& before) {
  Assembly assembly(plan, staging, before);
  const Tensor from = assembly.unpacked_keys(bound.of_list(plan.at.value, member), "value", bound[plan.at.table]);
  const KeyScales scales = scales_of_values(plan, bound, from.shape, member, staging, before);
  return with_prefix(plan, bound, plan.at.value_prefix, from, scales, 0, assembly);
}

Tensor assembled_out(const AttentionPlan& plan, const Tensor& out, const BoundTensors& bound, Staging& staging,
                     Kernels& before) {
  Assembly assembly(plan, staging, before);
  const Tensor all = assembly.make(out.shape, DType::kFloat);
  // Tokens of no sequence stay 0, which is quantised to the rounded offset (docs/adr/0010). make() has filled a
  // padded tensor already.
  if (all.shape == out.shape) append(before, fill_kernels(plan.name, all, {}));
  const KeyScales scales = scales_of_out(plan, bound, out.shape[kColumns]);
  const Tensor result = columns_of(all, 0, out.shape[kColumns]);
  staging.finish_with(
      quantize_kernels(plan.name, {&result, &out, &*scales.scale, scales.offset ? &*scales.offset : nullptr}));
  return all;
}

}  // namespace aclvk::ops
