#include "ops/attention/scales.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "ops/index/indexed_kernels.hpp"
#include "ops/matmul/quantised/quant_word.hpp"
#include "ops/matmul/quantised/rescale.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

using BoundTensors = TensorParameters::BoundTensors;
using ParamId = TensorParameters::ParamId;

// keyAntiquantMode and valueAntiquantMode: the dims in which scales differ.
enum Mode : std::int64_t { kChannels, kTokens, kHeads, kTokensOfHeads, kTokensInPages, kTokensOfHeadsInPages };

/// The sizes of keys or values, and of the pages that hold them.
struct Sizes {
  Shape shape;  ///< sequences, heads, tokens, columns
  std::int64_t pages = 0;
  std::int64_t page = 0;
  std::int64_t least = 0;  ///< tokens that need a scale: those of the longest sequence
};

Tensor without_ones(const Tensor& tensor) {
  Tensor view = tensor;
  view.shape = {};
  view.strides = {};
  for (std::size_t i = 0; i < tensor.shape.size(); ++i) {
    if (tensor.shape[i] == 1) continue;
    view.shape.push_back(tensor.shape[i]);
    view.strides.push_back(tensor.strides[i]);
  }
  return view;
}

/// Returns the tensor as a view that broadcasts to `expected`, four dims; dims of size 1 may be missing or extra. With
/// `least`, scales differ by token: there may be more tokens than expected, or fewer, down to `least`.
std::optional<Tensor> with_dims(const Tensor& tensor, const Shape& expected, std::optional<std::int64_t> least) {
  constexpr std::size_t kTokenDim = 2;
  const Tensor given = without_ones(tensor);
  Tensor view = given;
  view.shape = expected;
  view.strides = Shape(expected.size(), 0);
  // Matches the dims from left to right. Invariant: the first `from` dims of `given` belong to the first i
  // expected ones.
  std::size_t from = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const bool is_left = from < given.shape.size();
    const bool counts_tokens = i == kTokenDim && least;
    const auto dims_left = static_cast<std::size_t>(std::count_if(expected.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                                                                  expected.end(), [](auto size) { return size != 1; }));
    // A dim of one expected token may still have more tokens.
    const bool has_more = counts_tokens && given.shape.size() > from + dims_left;
    if (expected[i] == 1 && !has_more) continue;
    if (!is_left) return std::nullopt;
    const std::int64_t size = given.shape[from];
    const bool fits = counts_tokens ? size >= *least : size == expected[i];
    if (!fits) return std::nullopt;
    view.shape[i] = std::min(size, expected[i]);
    view.strides[i] = given.strides[from++];
  }
  return from == given.shape.size() ? std::optional(view) : std::nullopt;
}

/// Returns a view of one number, or of one for each channel: heads and columns, in two dims or in one.
std::optional<Tensor> by_channels(const Tensor& tensor, std::int64_t heads, std::int64_t columns) {
  if (tensor.elements() == 1) return with_dims(tensor, {1, 1, 1, 1}, std::nullopt);
  Tensor given = without_ones(tensor);
  const bool in_one = given.shape.size() == 1 && heads > 1 && given.shape[0] == heads * columns;
  return with_dims(in_one ? unflattened(given, 0, columns) : given, {1, heads, 1, columns}, std::nullopt);
}

bool in_pages(std::int64_t mode) { return mode == kTokensInPages || mode == kTokensOfHeadsInPages; }

/// Returns a view of the scales of a mode; for modes in pages: pages, heads, tokens, 1.
Tensor by_mode(const Tensor& tensor, const char* name, std::int64_t mode, const Sizes& sizes) {
  const std::int64_t batch = sizes.shape[0];
  const std::int64_t heads = sizes.shape[1];
  const std::int64_t tokens = sizes.shape[2];
  const auto find = [&]() -> std::optional<Tensor> {
    switch (mode) {
      case kChannels: return by_channels(tensor, heads, sizes.shape[3]);
      case kTokens: return with_dims(tensor, {batch, 1, tokens, 1}, sizes.least);
      case kHeads: return with_dims(tensor, {1, heads, 1, 1}, std::nullopt);
      case kTokensOfHeads: return with_dims(tensor, {batch, heads, tokens, 1}, sizes.least);
      case kTokensInPages: return with_dims(tensor, {sizes.pages, 1, sizes.page, 1}, sizes.page);
      default: return with_dims(tensor, {sizes.pages, heads, sizes.page, 1}, sizes.page);
    }
  };
  const auto view = find();
  check(view.has_value(), Code::kNnInvalid,
        "{} has shape {}; mode {} expects scales of {} as (sequences, heads, tokens, columns).", name, tensor.shape,
        mode, sizes.shape);
  return *view;
}

/// Returns the part for keys (0) or values (1) of a parameter for both.
Tensor part_of(const Tensor& tensor, const char* name, std::int64_t part) {
  check(!tensor.shape.empty() && tensor.shape[0] == 2, Code::kNnInvalid,
        "{} has shape {}; a first dimension of 2, for keys and for values, is expected.", name, tensor.shape);
  return selected(tensor, 0, part);
}

/// The parameters that may hold the scales of keys, or of values.
struct Source {
  ParamId own;
  ParamId kv;
  std::int64_t own_mode;
  std::int64_t part;
};

Sizes sizes_of(const AttentionPlan& plan, const Shape& shape) {
  Sizes sizes{shape};
  for (const Sequence& sequence : plan.sequences) sizes.least = std::max(sizes.least, sequence.keys - plan.prefix);
  // Packed sequences follow one another in the dim of tokens, so each of its tokens needs a scale.
  if (plan.packed() && !plan.is_paged) sizes.least = shape[2];
  if (!plan.is_paged) return sizes;
  const Shape pages = key_sizes(plan, plan.tensors[plan.at.key], "key");
  sizes.pages = pages[0];
  sizes.page = pages[2];
  return sizes;
}

/// Returns the scales, and their mode, or nothing if the call has none.
std::optional<Tensor> find_scale(const AttentionPlan& plan, const BoundTensors* bound, const Source& source,
                                 const Sizes& sizes, std::int64_t& mode) {
  const TensorParameters& tensors = plan.tensors;
  const auto of = [&](ParamId param) { return bound ? *(*bound)[param] : tensors[param]; };
  if (tensors.has(source.own)) {
    mode = source.own_mode;
    return by_mode(of(source.own), tensors.name(source.own), mode, sizes);
  }
  if (!tensors.has(source.kv)) return std::nullopt;
  mode = plan.kv_mode;
  const char* name = tensors.name(source.kv);
  return by_mode(part_of(of(source.kv), name, source.part), name, mode, sizes);
}

/// Returns the part of the scales that belongs to a list member, with at most its tokens.
Tensor for_member(Tensor tensor, std::size_t member, const Shape& sizes) {
  const auto sequence = static_cast<std::int64_t>(member);
  if (tensor.shape[0] > sizes[0]) tensor = sliced(tensor, 0, sequence, 1);
  return tensor.shape[2] > sizes[2] ? sliced(tensor, 2, 0, sizes[2]) : tensor;
}

struct ScaleRequest {
  const AttentionPlan& plan;
  const BoundTensors& bound;
  const Shape& sizes;
  std::size_t member;
};

std::optional<Tensor> operand_of(const ScaleRequest& call, const Source& source, Staging& staging, Kernels& before) {
  Sizes sizes = sizes_of(call.plan, call.sizes);
  const bool has_members = call.plan.tensors.list(call.plan.at.key).size() > 1;
  // One scale tensor belongs to all members of a list, whose tensors have one sequence each.
  if (has_members) sizes.shape[0] = call.plan.batch();
  if (has_members) sizes.least = 0;
  std::int64_t mode = 0;
  const auto view = find_scale(call.plan, &call.bound, source, sizes, mode);
  if (!view) return std::nullopt;
  if (!in_pages(mode)) return for_member(*view, call.member, call.sizes);
  return gathered_pages(call.plan.name, repeated(*view, 3, 1), *call.bound[call.plan.at.table], staging, before);
}

Source key_scale(const AttentionPlan& plan) { return {plan.at.key_scale, plan.at.kv_scale, plan.key_mode, 0}; }
Source key_offset(const AttentionPlan& plan) { return {plan.at.key_offset, plan.at.kv_offset, plan.key_mode, 0}; }
Source value_scale(const AttentionPlan& plan) { return {plan.at.value_scale, plan.at.kv_scale, plan.value_mode, 1}; }
Source value_offset(const AttentionPlan& plan) { return {plan.at.value_offset, plan.at.kv_offset, plan.value_mode, 1}; }

/// Returns whether an INT8 query has scales for products instead of scales of its own.
bool scales_products(const AttentionPlan& plan) {
  return plan.tensors[plan.at.query].dtype == DType::kInt8 && !plan.tensors.has(plan.at.query_scale);
}

std::optional<Tensor> one_number(const AttentionPlan& plan, const BoundTensors& bound, ParamId param) {
  if (!plan.tensors.has(param)) return std::nullopt;
  return with_dims(float_scale(*bound[param]), {1, 1, 1, 1}, std::nullopt);
}

/// Returns a view of scales for each head of each query token.
Tensor scale_by_query_rows(const AttentionPlan& plan, const Tensor& tensor, const char* name) {
  const Tensor query = by_heads(plan.tensors[plan.at.query], "query", plan.layout, plan.heads);
  const Shape expected{query.shape[0], query.shape[1], query.shape[2], 1};
  const Layout layout = plan.layout == Layout::kBsh ? Layout::kBsnd : plan.layout;
  const std::size_t rank = layout == Layout::kBsnd || layout == Layout::kBnsd ? 4 : 3;
  const std::size_t dims = tensor.shape.size();
  const Tensor whole = dims + 1 == rank ? repeated(tensor, dims, 1) : tensor;
  const bool fits = whole.shape.size() == rank && whole.shape[rank - 1] == 1 &&
                    by_heads(whole, name, layout, plan.heads).shape == expected;
  check(fits, Code::kNnInvalid, "{} has shape {}; the shape of query, {}, without its columns is expected.", name,
        tensor.shape, plan.tensors[plan.at.query].shape);
  return by_heads(whole, name, layout, plan.heads);
}

void check_products(const AttentionPlan& plan, const AttentionCall& call) {
  const TensorParameters& tensors = plan.tensors;
  const AttentionParameters& at = plan.at;
  const DType query = tensors[at.query].dtype;
  const bool has_all = tensors.has(at.score_scale) && tensors.has(at.weight_scale) && tensors.has(at.sum_scale);
  check(!scales_products(plan) || has_all, Code::kNnInvalid,
        "query has dtype INT8; deqScale1, quantScale1 and deqScale2, or dequantScaleQuery, are expected.");
  for (const ParamId param : {at.score_scale, at.weight_scale, at.sum_scale, at.query_scale}) {
    if (!tensors.has(param)) continue;
    check(query == DType::kInt8, Code::kNnInvalid, "{} is given and query has dtype {}; INT8 is expected.",
          tensors.name(param), query);
    check(param == at.query_scale || tensors[param].elements() == 1, Code::kNnInvalid,
          "{} has shape {}; one number is expected.", tensors.name(param), tensors[param].shape);
  }
  if (!tensors.has(at.query_scale)) return;
  check(call.query_mode == 3, Code::kNnInvalid,
        "queryQuantMode is {}; 3, a scale for each head of each token, is expected beside {}.", call.query_mode,
        tensors.name(at.query_scale));
  scale_by_query_rows(plan, tensors[at.query_scale], tensors.name(at.query_scale));
}

void check_modes(const AttentionPlan& plan) {
  check(plan.kv_mode == kChannels || plan.kv_mode == kTokens, Code::kNnInvalid,
        "antiquantMode is {}; expected 0 (channels) or 1 (tokens).", plan.kv_mode);
  for (const std::int64_t mode : {plan.key_mode, plan.value_mode}) {
    check(mode != 6, Code::kFeatureNotSupported,
          "an antiquant mode is 6 (a scale for groups of columns); the size of the groups is not documented for these "
          "dtypes, so 0 to 5 are supported.");
    check(mode >= kChannels && mode <= kTokensOfHeadsInPages, Code::kNnInvalid,
          "an antiquant mode is {}; expected 0 to 5.", mode);
    check(!in_pages(mode) || plan.is_paged, Code::kNnInvalid,
          "an antiquant mode is {}, whose scales are in pages, and blockTable is NULL; the modes 0 to 3 need none.",
          mode);
  }
}

void check_quantised(const AttentionPlan& plan, const Extent& extent) {
  const TensorParameters& tensors = plan.tensors;
  const AttentionParameters& at = plan.at;
  const DType keys = tensors[at.key].dtype;
  const bool reads = plan.is_quantised() || tensors.has(at.query_scale);
  for (const ParamId param :
       {at.kv_scale, at.kv_offset, at.key_scale, at.key_offset, at.value_scale, at.value_offset}) {
    check(reads || !tensors.has(param), Code::kNnInvalid,
          "{} is given and key has dtype {}; quantised keys are expected with it.",
          tensors.has(param) ? tensors.name(param) : "", keys);
  }
  if (!reads) return;
  check(tensors.has(at.kv_scale) || (tensors.has(at.key_scale) && tensors.has(at.value_scale)), Code::kNnInvalid,
        "key has dtype {}; antiquantScale, or keyAntiquantScale and valueAntiquantScale, are expected.", keys);
  check_modes(plan);
  const std::int64_t batch = plan.packed() && !plan.is_paged ? 1 : extent.sequences;
  const auto check_factor = [&](ParamId factor, const Source& scale, const Source& offset) {
    const std::int64_t columns = key_sizes(plan, tensors[factor], tensors.name(factor))[3];
    const Sizes sizes = sizes_of(plan, {batch, plan.key_heads, extent.keys, columns});
    std::int64_t mode = 0;
    find_scale(plan, nullptr, scale, sizes, mode);
    find_scale(plan, nullptr, offset, sizes, mode);
  };
  check_factor(at.key, key_scale(plan), key_offset(plan));
  check_factor(at.value, value_scale(plan), value_offset(plan));
}

void check_rope_scale(const AttentionPlan& plan) {
  const TensorParameters& tensors = plan.tensors;
  const ParamId rope = plan.at.key_rope;
  const ParamId scale = plan.at.key_rope_scale;
  const bool is_quantised = tensors.has(rope) && tensors[rope].dtype == DType::kInt8;
  check(is_quantised == tensors.has(scale), Code::kNnInvalid,
        "keyRope is {} and keyRopeAntiquantScale is {}; a scale is expected for INT8, and for no other dtype.",
        tensors.has(rope) ? fmt::to_string(tensors[rope].dtype) : "NULL", tensors.has(scale) ? "given" : "NULL");
  if (!is_quantised) return;
  const std::int64_t columns = key_sizes(plan, tensors[rope], tensors.name(rope))[3];
  check(by_channels(tensors[scale], plan.key_heads, columns).has_value(), Code::kNnInvalid,
        "{} has shape {}; one number, or one for each of {} heads and {} columns, is expected.", tensors.name(scale),
        tensors[scale].shape, plan.key_heads, columns);
}

void check_out(const AttentionPlan& plan) {
  const TensorParameters& tensors = plan.tensors;
  const std::int64_t columns = key_sizes(plan, tensors[plan.at.value], "value")[3];
  check(tensors.has(plan.at.out_scale) || !tensors.has(plan.at.out_offset), Code::kNnInvalid,
        "{} is given without a scale.", tensors.has(plan.at.out_offset) ? tensors.name(plan.at.out_offset) : "");
  for (const ParamId param : {plan.at.out_scale, plan.at.out_offset}) {
    if (!tensors.has(param)) continue;
    check(by_channels(tensors[param], plan.heads, columns).has_value(), Code::kNnInvalid,
          "{} has shape {}; one number, or one for each of {} heads and {} columns, is expected.", tensors.name(param),
          tensors[param].shape, plan.heads, columns);
  }
}

}  // namespace

void check_scales(const AttentionPlan& plan, const AttentionCall& call, const Extent& extent) {
  check_products(plan, call);
  check_quantised(plan, extent);
  check_rope_scale(plan);
  check_out(plan);
}

KeyScales scales_of_keys(const AttentionPlan& plan, const BoundTensors& bound, const Shape& sizes, std::size_t member,
                         Staging& staging, Kernels& before) {
  const ScaleRequest call{plan, bound, sizes, member};
  return {operand_of(call, key_scale(plan), staging, before), operand_of(call, key_offset(plan), staging, before)};
}

KeyScales scales_of_values(const AttentionPlan& plan, const BoundTensors& bound, const Shape& sizes, std::size_t member,
                           Staging& staging, Kernels& before) {
  if (scales_products(plan)) {
    return {one_number(plan, bound, plan.at.sum_scale), std::nullopt, one_number(plan, bound, plan.at.weight_scale)};
  }
  const ScaleRequest call{plan, bound, sizes, member};
  return {operand_of(call, value_scale(plan), staging, before), operand_of(call, value_offset(plan), staging, before)};
}

KeyScales scales_of_query(const AttentionPlan& plan, const BoundTensors& bound) {
  if (!plan.tensors.has(plan.at.query_scale)) return {one_number(plan, bound, plan.at.score_scale)};
  return {scale_by_query_rows(plan, *bound[plan.at.query_scale], "dequantScaleQuery")};
}

KeyScales scales_of_key_rope(const AttentionPlan& plan, const BoundTensors& bound, std::int64_t columns) {
  if (!plan.tensors.has(plan.at.key_rope_scale)) return {};
  return {by_channels(*bound[plan.at.key_rope_scale], plan.key_heads, columns)};
}

KeyScales scales_of_out(const AttentionPlan& plan, const BoundTensors& bound, std::int64_t columns) {
  KeyScales scales{by_channels(*bound[plan.at.out_scale], plan.heads, columns)};
  if (plan.tensors.has(plan.at.out_offset)) {
    scales.offset = by_channels(*bound[plan.at.out_offset], plan.heads, columns);
  }
  return scales;
}

Tensor gathered_pages(const char* name, const Tensor& pages, const Tensor& table, Staging& staging, Kernels& before) {
  const std::int64_t batch = table.shape[0];
  const std::int64_t blocks = table.shape[1];
  const std::int64_t heads = pages.shape[1];
  const std::int64_t page = pages.shape[2];
  const Tensor all = staging.make({batch, heads, blocks, page, pages.shape[3], pages.shape[4]}, pages.dtype);
  // A gather along the dim of pages: (sequence, block) selects the page, the other dims keep their strides.
  const Shape steps{0, pages.strides[1], 0, pages.strides[2], pages.strides[3], pages.strides[4]};
  Tensor index = table;
  index.shape = {batch, 1, blocks, 1, 1, 1};
  index.strides = {table.strides[0], 0, table.strides[1], 0, 0, 0};
  append(before, gather_kernels({name, &pages, &steps, &index, &all, {pages.shape[0], pages.strides[0], false}}));
  return row_major({batch, heads, blocks * page, pages.shape[3] * pages.shape[4]}, pages.dtype, all.address());
}

}  // namespace aclvk::ops
