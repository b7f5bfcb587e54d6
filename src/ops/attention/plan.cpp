#include "ops/attention/plan.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "ops/attention/combined_mask.hpp"
#include "ops/attention/parameters.hpp"
#include "ops/attention/scales.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

using ParamId = TensorParameters::ParamId;

/// Returns the heads of key where no parameter gives them: a head of key has as many columns as one of query.
std::int64_t heads_of_key(const AttentionPlan& plan) {
  const Shape& shape = plan.tensors[plan.at.key].shape;
  const std::size_t rank = shape.size();
  if (plan.layout == Layout::kBnsd && rank == 4) return shape[1];
  if (plan.layout == Layout::kBsnd && rank == 4) return shape[2];
  if (plan.layout == Layout::kTnd && rank == 3) return shape[1];
  if ((plan.layout == Layout::kNsd || plan.layout == Layout::kNtd) && rank == 3) return shape[0];
  const std::int64_t columns = by_heads(plan.tensors[plan.at.query], "query", plan.layout, plan.heads).shape[3];
  return columns == 0 || rank == 0 ? plan.heads : shape[rank - 1] / columns;
}

void check_heads(AttentionPlan& plan, const AttentionCall& call) {
  check(call.heads > 0, Code::kNnInvalid, "{} is {}; a positive number is expected.", call.heads.name,
        call.heads.value);
  plan.heads = call.heads;
  plan.key_heads = call.key_heads ? *call.key_heads : heads_of_key(plan);
  if (plan.key_heads == 0) plan.key_heads = call.heads;
  check(plan.key_heads > 0 && plan.heads % plan.key_heads == 0, Code::kNnInvalid,
        "query has {} heads and key {}; the first must be a multiple of the second.", plan.heads, plan.key_heads);
}

/// Returns the position of the first token: the first number of an array, 0 without one. Kernels compute distances with
/// 32 bits.
std::int64_t first_of(const IntArrayArg& given) {
  // The distance of two positions, plus the index of a token, stays within int.
  constexpr std::int64_t kMaxPosition = std::int64_t{1} << 29;
  const Lengths numbers(given);
  const std::int64_t first = numbers ? numbers[0] : 0;
  check(first >= -kMaxPosition && first <= kMaxPosition, Code::kNnInvalid,
        "{} has {}; a number from {} to {} is expected.", given.name, first, -kMaxPosition, kMaxPosition);
  return first;
}

void check_training(AttentionPlan& plan, const AttentionCall& call) {
  check(!call.padding_mask, Code::kNnInvalid, "{} is not NULL; the interface reserves it, so NULL is expected.",
        call.padding_mask.name);
  check(call.keep_prob > 0 && call.keep_prob <= 1, Code::kNnInvalid,
        "keepProb is {}; more than 0, at most 1 is expected.", call.keep_prob);
  plan.keep_prob = call.keep_prob;
  check(!plan.drops() || plan.tensors.has(plan.at.drop_mask), Code::kNnInvalid,
        "keepProb is {} and dropMaskOptional is NULL; a mask is expected where keepProb is below 1.", call.keep_prob);
  check(call.position_bias_kind >= 0 && call.position_bias_kind <= 3, Code::kNnInvalid,
        "pseType is {}; expected 0 to 3.", call.position_bias_kind);
  constexpr PositionBias kKinds[] = {PositionBias::kAfterScale, PositionBias::kBeforeScale, PositionBias::kAlibi,
                                     PositionBias::kAlibiSqrt};
  plan.position_bias_kind = kKinds[call.position_bias_kind];
  plan.position_offset = first_of(call.query_start) - first_of(call.key_start);
  const std::string_view layout = call.softmax_layout ? call.softmax_layout : "";
  check(layout.empty() || layout == "same_as_input", Code::kNnInvalid,
        "softmaxOutLayout is \"{}\"; \"\" or \"same_as_input\" is expected.", layout);
}

/// Checks what only some gradients have: scales of quantised inputs, and ends of sequences.
void check_gradient_inputs(const AttentionPlan& plan, const AttentionCall& call, const Lengths& queries,
                           const Lengths& keys) {
  for (const InputArg& scale : call.gradient->scales) {
    check(!scale, Code::kNnInvalid, "{} is given; query has dtype {}, which is not quantised.", scale.name,
          plan.tensors[plan.at.query].dtype);
  }
  check(plan.packed() || queries.count() + keys.count() == 0, Code::kNnInvalid,
        "{} is given and inputLayout is {}; ends of sequences belong to TND.",
        (queries.count() > 0 ? queries : keys).name(), call.layout);
}

/// Returns the shape of the keys, or values, of all sequences. A list has one tensor for all sequences, or one for
/// each.
Shape check_keys(const AttentionPlan& plan, ParamId param, std::int64_t batch) {
  const TensorParameters& tensors = plan.tensors;
  const auto& members = tensors.list(param);
  const auto count = static_cast<std::int64_t>(members.size());
  check(count == 1 || (count == batch && !plan.is_paged), Code::kNnInvalid,
        "{} is a list of {} tensors for {} sequences; one for all or one for each is expected.", tensors.name(param),
        count, batch);
  Shape shape = key_sizes(plan, members.front(), tensors.name(param));
  for (const Tensor& member : members) {
    const Shape own = key_sizes(plan, member, tensors.name(param));
    check(own[1] == plan.key_heads && own[3] == shape[3] && (count == 1 || own[0] == 1), Code::kNnInvalid,
          "{} has a tensor of shape {}; {} heads of {} columns are expected.", tensors.name(param), member.shape,
          plan.key_heads, shape[3]);
    shape[2] = std::max(shape[2], own[2]);
  }
  return shape;
}

std::int64_t tokens_of(const AttentionPlan& plan, ParamId param, std::size_t member) {
  return key_sizes(plan, plan.tensors.list(param)[member], plan.tensors.name(param))[2];
}

/// Checks that key and value have as many tokens (161002).
void check_members(const AttentionPlan& plan) {
  for (std::size_t i = 0; i < plan.tensors.list(plan.at.key).size(); ++i) {
    const std::int64_t keys = tokens_of(plan, plan.at.key, i);
    const std::int64_t values = tokens_of(plan, plan.at.value, i);
    check(keys == values, Code::kNnInvalid,
          "tensor {} of key has {} tokens and that of value has {}; the same number is expected.", i, keys, values);
  }
}

/// Checks that no sequence has more keys than its list member (161002); without lengths it has all of them.
void fit_members(AttentionPlan& plan, bool has_lengths) {
  for (std::size_t i = 0; i < plan.tensors.list(plan.at.key).size() && plan.tensors.list(plan.at.key).size() > 1; ++i) {
    const std::int64_t most = tokens_of(plan, plan.at.key, i);
    if (!has_lengths) plan.sequences[i].keys = most;
    check(plan.sequences[i].keys <= most, Code::kNnInvalid, "sequence {} has {} keys; its tensor has {}.", i,
          plan.sequences[i].keys, most);
  }
}

/// Checks all shapes and returns the number of sequences and the bounds of queries and keys.
Extent check_shapes(const AttentionPlan& plan, const AttentionCall& call, std::int64_t sequences_of_lengths) {
  const TensorParameters& tensors = plan.tensors;
  const Tensor query = by_heads(tensors[plan.at.query], "query", plan.layout, plan.heads);
  check(query.shape[1] == plan.heads, Code::kNnInvalid, "query has shape {}, which is {} heads; numHeads is {}.",
        tensors[plan.at.query].shape, query.shape[1], plan.heads);
  const bool packed = plan.packed();
  const std::int64_t batch = packed ? sequences_of_lengths : query.shape[0];
  const std::size_t members = tensors.list(plan.at.key).size();
  check(members == tensors.list(plan.at.value).size() && (members == 1 || !packed), Code::kNnInvalid,
        "key has {} tensors and value has {}; the same number is expected, and one tensor for packed sequences (TND).",
        members, tensors.list(plan.at.value).size());
  const Shape key = check_keys(plan, plan.at.key, batch);
  const Shape value = check_keys(plan, plan.at.value, batch);
  check_members(plan);
  check(key[3] == query.shape[3], Code::kNnInvalid, "query has {} columns and key has {}; the same number is expected.",
        query.shape[3], key[3]);
  check(query.shape[3] > 0, Code::kNnInvalid, "query has shape {}; one column at least is expected.",
        tensors[plan.at.query].shape);
  check(key[2] == value[2] && key[0] == value[0], Code::kNnInvalid,
        "key has shape {} and value has shape {}; the same batch and number of tokens are expected.",
        tensors[plan.at.key].shape, tensors[plan.at.value].shape);
  const bool shares = plan.is_paged || packed || tensors.list(plan.at.key).size() > 1 || key[0] == batch;
  check(shares, Code::kNnInvalid, "query has shape {} and key has shape {}; the same number of sequences is expected.",
        tensors[plan.at.query].shape, tensors[plan.at.key].shape);
  check(!call.one_token || query.shape[2] == 1, Code::kNnInvalid,
        "query has shape {}; {} takes one token of each sequence.", tensors[plan.at.query].shape, plan.name);
  const Tensor out = by_heads(tensors[plan.at.out], call.out_name(), plan.result, plan.heads);
  Shape expected = query.shape;
  expected[3] = value[3];
  check(out.shape == expected, Code::kNnInvalid,
        "{} has shape {}, which is {} as (sequences, heads, tokens, columns); {} is expected.", call.out_name(),
        tensors[plan.at.out].shape, out.shape, expected);
  return {batch, query.shape[2], key[2]};
}

void check_pages(AttentionPlan& plan, const AttentionCall& call, Extent& extent) {
  const TensorParameters& tensors = plan.tensors;
  const Tensor& table = tensors[plan.at.table];
  check(table.shape.size() == 2 && table.shape[0] == extent.sequences, Code::kNnInvalid,
        "{} has shape {}; a row for each of {} sequences is expected.", tensors.name(plan.at.table), table.shape,
        extent.sequences);
  check(call.block_size == extent.keys, Code::kNnInvalid, "blockSize is {}; the pages of key have {} tokens.",
        call.block_size, extent.keys);
  check(static_cast<bool>(call.key_lengths), Code::kNnInvalid,
        "{} is NULL; with a blockTable the number of keys of each sequence is expected.", call.key_lengths.name);
  check(!tensors[plan.at.key].empty(), Code::kNnInvalid, "key has shape {}; one page at least is expected.",
        tensors[plan.at.key].shape);
  extent.keys = table.shape[1] * call.block_size;
}

/// Checks the shapes of softmax statistics: (sequences, heads, tokens, n) or, packed, (tokens, heads, n). n is 1 for a
/// log-sum-exp and 8, equal copies, for maxima and sums.
void check_stats(const AttentionPlan& plan, const Extent& extent) {
  const std::int64_t times = plan.stats_kind == SoftmaxStats::kMaxAndSum ? 8 : 1;
  const Shape expected = plan.packed() ? Shape{extent.queries, plan.heads, times}
                                       : Shape{extent.sequences, plan.heads, extent.queries, times};
  for (const ParamId param : stats_of(plan)) {
    plan.tensors.check_shape(param, expected, "the rows need");
  }
}

/// Checks that gradients have the shapes of their tensors.
void check_gradients(const AttentionPlan& plan) {
  const TensorParameters& tensors = plan.tensors;
  const AttentionParameters& at = plan.at;
  const std::pair<ParamId, ParamId> pairs[] = {
      {at.result, at.out},       {at.dq, at.query}, {at.dq_rope, at.query_rope}, {at.dk, at.key},
      {at.dk_rope, at.key_rope}, {at.dv, at.value}, {at.dsink, at.sink}};
  for (const auto& [param, of] : pairs) {
    if (!tensors.has(param)) continue;
    check(tensors.has(of) && tensors[param].shape == tensors[of].shape, Code::kNnInvalid,
          "{} has shape {}; it must be that of {}{}.", tensors.name(param), tensors[param].shape, tensors.name(of),
          tensors.has(of) ? fmt::format(", {}", tensors[of].shape) : ", which is NULL");
  }
}

/// Checks ropes: both or none, with all dims but the columns equal to those of query and key.
void check_ropes(const AttentionPlan& plan) {
  const TensorParameters& tensors = plan.tensors;
  check(tensors.has(plan.at.query_rope) == tensors.has(plan.at.key_rope), Code::kNnInvalid,
        "only one of queryRope and keyRope is NULL; both or none are expected.");
  if (!tensors.has(plan.at.query_rope)) return;
  check(tensors.list(plan.at.key).size() == 1, Code::kNnInvalid,
        "key is a list of {} tensors and keyRope is one; one tensor for all sequences is expected.",
        tensors.list(plan.at.key).size());
  const Shape query = by_heads(tensors[plan.at.query], "query", plan.layout, plan.heads).shape;
  const Shape key = key_sizes(plan, tensors[plan.at.key], "key");
  const Shape of_query =
      by_heads(tensors[plan.at.query_rope], tensors.name(plan.at.query_rope), plan.layout, plan.heads).shape;
  const Shape of_key = key_sizes(plan, tensors[plan.at.key_rope], tensors.name(plan.at.key_rope));
  const auto has_rows_of = [](const Shape& rope, const Shape& of) {
    return rope[0] == of[0] && rope[1] == of[1] && rope[2] == of[2];
  };
  check(has_rows_of(of_query, query) && has_rows_of(of_key, key) && of_query[3] == of_key[3], Code::kNnInvalid,
        "queryRope has shape {} and keyRope {}; the same number of columns, and the other dimensions of query and key, "
        "are expected.",
        tensors[plan.at.query_rope].shape, tensors[plan.at.key_rope].shape);
}

/// Checks the shared prefix and lengthens all sequences by it.
void check_prefix(AttentionPlan& plan, const AttentionCall& call, Extent& extent) {
  const TensorParameters& tensors = plan.tensors;
  check(tensors.has(plan.at.key_prefix) == tensors.has(plan.at.value_prefix), Code::kNnInvalid,
        "only one of keySharedPrefix and valueSharedPrefix is NULL; both or none are expected.");
  if (!tensors.has(plan.at.key_prefix)) return;
  check(!plan.packed() && !plan.is_padded(), Code::kNnInvalid,
        "keySharedPrefix is given; it is supported in layouts with a batch dimension, without padding.");
  const auto sizes = [&](ParamId param) {
    const Tensor& tensor = tensors[param];
    const Tensor view = by_heads(tensor, tensors.name(param), plan.layout, plan.key_heads);
    return Shape{view.shape[0], view.shape[1], view.shape[2], view.shape[3] * numbers_of(tensor)};
  };
  const Shape keys = sizes(plan.at.key_prefix);
  const Shape values = sizes(plan.at.value_prefix);
  const std::int64_t columns = key_sizes(plan, tensors[plan.at.key], "key")[3];
  const std::int64_t value_columns = key_sizes(plan, tensors[plan.at.value], "value")[3];
  check(
      keys == Shape{1, plan.key_heads, keys[2], columns} && values == Shape{1, plan.key_heads, keys[2], value_columns},
      Code::kNnInvalid,
      "keySharedPrefix has shape {} and valueSharedPrefix {}; one sequence with the heads and columns of key and "
      "value is expected.",
      tensors[plan.at.key_prefix].shape, tensors[plan.at.value_prefix].shape);
  const Lengths length(call.prefix_length);
  plan.prefix = length ? length[0] : keys[2];
  check((!length || length.count() == 1) && plan.prefix >= 0 && plan.prefix <= keys[2], Code::kNnInvalid,
        "actualSharedPrefixLen has {} numbers, the first is {}; one number from 0 to {} is expected.", length.count(),
        plan.prefix, keys[2]);
  for (Sequence& sequence : plan.sequences) sequence.keys += plan.prefix;
  extent.keys += plan.prefix;
}

void check_padding(AttentionPlan& plan, const Extent& extent) {
  if (!plan.is_padded()) return;
  const TensorParameters& tensors = plan.tensors;
  check(!plan.is_paged && !plan.packed() && tensors.list(plan.at.key).size() == 1, Code::kNnInvalid,
        "queryPaddingSize or kvPaddingSize is given; it is supported for sequences that are the batch of one tensor: "
        "no pages, no list, not TND.");
  for (const ParamId param : {plan.at.query_padding, plan.at.key_padding}) {
    if (tensors.has(param)) {
      check(tensors[param].elements() == 1, Code::kNnInvalid, "{} has shape {}; one number is expected.",
            tensors.name(param), tensors[param].shape);
    }
  }
  if (tensors.has(plan.at.query_padding)) {
    align_last(plan.sequences, &Sequence::first_query, &Sequence::queries, extent.queries);
  }
  if (tensors.has(plan.at.key_padding)) {
    align_last(plan.sequences, &Sequence::first_key, &Sequence::keys, extent.keys);
  }
}

/// Checks ALiBi slopes: one for each head, shared by sequences or not.
void check_alibi_slopes(const AttentionPlan& plan, const Extent& extent) {
  const Shape& shape = plan.tensors[plan.at.position_bias].shape;
  const bool fits = shape == Shape{plan.heads} || shape == Shape{extent.sequences, plan.heads};
  check(fits, Code::kNnInvalid, "{} has shape {}; with this pseType a slope for each of {} heads is expected.",
        plan.tensors.name(plan.at.position_bias), shape, plan.heads);
}

void check_visibility(AttentionPlan& plan, const AttentionCall& call) {
  const bool has_mask = plan.tensors.has(plan.at.mask);
  const Visibility visible = visibility_of(call.sparse_mode, call.before, call.after, has_mask);
  check(visible.edge == Edge::kNone || plan.packed(), Code::kNnInvalid,
        "sparseMode is {}; it is supported for packed sequences (TND).", call.sparse_mode);
  if (visible.has_prefix) {
    check(call.prefix.name != nullptr, Code::kNnInvalid, "sparseMode is {}; {} has no prefix.", call.sparse_mode,
          plan.name);
    const Lengths prefix(call.prefix);
    check(prefix.count() == plan.batch(), Code::kNnInvalid,
          "sparseMode is {} and {} has {} numbers; one for each of {} sequences is expected.", call.sparse_mode,
          call.prefix.name, prefix.count(), plan.batch());
    for (std::size_t i = 0; i < plan.sequences.size(); ++i) {
      check(prefix[i] >= 0, Code::kNnInvalid, "{} has {}; 0 or more is expected.", call.prefix.name, prefix[i]);
      plan.sequences[i].visible_prefix = std::min(prefix[i], plan.sequences[i].keys);
    }
  }
  plan.reads_mask = visible.reads_mask;
  plan.ranges = ranges_of(visible, plan.sequences);
}

/// Returns whether the position bias has rows for the last queries only: queries are more than its rows, and mask or
/// mode hide the keys after a query.
bool is_bias_of_last_rows(const AttentionPlan& plan, const AttentionCall& call) {
  const Shape& shape = plan.tensors[plan.at.position_bias].shape;
  const bool hides = call.sparse_mode == 2 || call.sparse_mode == 3 || (call.sparse_mode == 0 && plan.reads_mask);
  std::int64_t queries = 0;
  for (const Sequence& sequence : plan.sequences) queries = std::max(queries, sequence.queries);
  return call.takes_last_rows && hides && shape.size() == 4 && shape[2] == kLastRows && queries > kLastRows;
}

/// Checks a bias of (sequences or 1, heads, kLastRows, keys). Its last row belongs to the last query or, packed, to the
/// last of as many queries as it has keys.
void check_bias_of_last_rows(AttentionPlan& plan, const Extent& extent) {
  const Shape& shape = plan.tensors[plan.at.position_bias].shape;
  std::int64_t keys = 0;
  for (const Sequence& sequence : plan.sequences) keys = std::max(keys, sequence.keys);
  check((shape[0] == 1 || shape[0] == extent.sequences) && shape[1] == plan.heads && shape[3] >= keys, Code::kNnInvalid,
        "{} has shape {}; {} or 1 sequences, {} heads, {} queries and at least {} keys are expected.",
        plan.tensors.name(plan.at.position_bias), shape, extent.sequences, plan.heads, kLastRows, keys);
  plan.bias_of_last_rows = true;
  plan.position_offset = (plan.packed() ? shape[3] : extent.queries) - kLastRows;
}

/// Checks that mask and position bias have an element for each pair; with padding, for pairs of padding as well.
void check_all_pairs(AttentionPlan& plan, const AttentionCall& call, const Extent& extent) {
  const std::vector<Sequence> whole{{0, extent.queries, 0, extent.keys}};
  const auto& sequences = plan.is_padded() ? whole : plan.sequences;
  if (plan.reads_mask) check_pairs(plan.tensors, plan.at.mask, plan.heads, sequences, extent);
  if (!plan.tensors.has(plan.at.position_bias)) return;
  const bool has_alibi =
      plan.position_bias_kind == PositionBias::kAlibi || plan.position_bias_kind == PositionBias::kAlibiSqrt;
  if (has_alibi) check_alibi_slopes(plan, extent);
  if (has_alibi) return;
  if (is_bias_of_last_rows(plan, call)) return check_bias_of_last_rows(plan, extent);
  check_pairs(plan.tensors, plan.at.position_bias, plan.heads, sequences, extent);
}

/// Decides which operands the kernel reads in place and which are assembled in the workspace.
void choose_staging(AttentionPlan& plan) {
  const TensorParameters& tensors = plan.tensors;
  const DType query = tensors[plan.at.query].dtype;
  const bool has_rope = tensors.has(plan.at.query_rope);
  const bool same_ropes =
      !has_rope || (tensors[plan.at.query_rope].dtype == query && tensors[plan.at.key_rope].dtype == query);
  const bool is_real = query != DType::kInt8 && !plan.is_quantised() && same_ropes;
  plan.computes_in = is_real ? query : DType::kFloat;
  plan.assembles_query = has_rope || plan.computes_in != query;
  // Pages of five dims hold their columns in blocks, which are no rows of vec8s.
  const auto in_parts = [&](ParamId param) { return plan.is_paged && tensors[param].shape.size() == 5; };
  plan.assembles_keys = has_rope || tensors.has(plan.at.key_prefix) || plan.computes_in != tensors[plan.at.key].dtype ||
                        in_parts(plan.at.key) || in_parts(plan.at.value);
}

std::vector<Sequence> sequences_for(const AttentionPlan& plan, const AttentionCall& call, const Lengths& queries,
                                    const Lengths& keys, const Extent& extent) {
  if (plan.packed()) return packed_sequences(queries, keys, extent, plan.is_paged);
  // The interface has one query per sequence in a decoding step and ignores lengths of queries.
  const bool one_query = call.has_lists() && extent.queries == 1;
  if (one_query) return sequences_of(Lengths({nullptr, queries.name()}), keys, extent);
  return sequences_of(queries, call.same_lengths && !keys ? queries : keys, extent);
}

}  // namespace

Tensor keys_by_heads(const AttentionPlan& plan, const Tensor& tensor, const char* name) {
  if (!plan.is_paged) return by_heads(tensor, name, plan.layout, plan.key_heads);
  return by_heads(tensor, name, tensor.shape.size() == 4 ? Layout::kBnsd : Layout::kBsh, plan.key_heads);
}

Tensor pages_by_heads(const Tensor& tensor, const char* name, std::int64_t heads) {
  // Five dims are pages, heads, blocks of columns, tokens, and the columns of a block.
  if (tensor.shape.size() == 5) return permuted(tensor, {0, 1, 3, 2, 4});
  return repeated(by_heads(tensor, name, tensor.shape.size() == 4 ? Layout::kBnsd : Layout::kBsh, heads), 3, 1);
}

Shape key_sizes(const AttentionPlan& plan, const Tensor& tensor, const char* name) {
  const std::int64_t numbers = numbers_of(tensor);
  if (!plan.is_paged) {
    Shape shape = keys_by_heads(plan, tensor, name).shape;
    shape[3] *= numbers;
    return shape;
  }
  const Shape pages = pages_by_heads(tensor, name, plan.key_heads).shape;
  return {pages[0], pages[1], pages[2], pages[3] * pages[4] * numbers};
}

AttentionPlan checked_plan(const AttentionCall& call) {
  AttentionPlan plan{call.name};
  plan.stats_kind = call.stats_kind;
  read_tensors(plan, call);
  const Lengths queries({call.query_lengths.handle, "actualSeqLengths"});
  const Lengths keys(call.key_lengths);
  plan.layout = layout_of(call.layout);
  plan.result = result_layout_of(call.layout);
  plan.is_paged = plan.tensors.has(plan.at.table);
  plan.scale = call.scale;
  plan.kv_mode = call.kv.mode;
  plan.key_mode = call.keys.mode;
  plan.value_mode = call.values.mode;
  check_dtypes(plan);
  check_heads(plan, call);
  check_training(plan, call);
  if (call.gradient) check_gradient_inputs(plan, call, queries, keys);
  check(!plan.packed() || (queries && keys), Code::kNnInvalid,
        "inputLayout is TND, and actualSeqLengths or {} is NULL; both have the ends of the sequences.",
        call.key_lengths.name);
  Extent extent = check_shapes(plan, call, queries.count());
  if (plan.is_paged) check_pages(plan, call, extent);
  plan.sequences = sequences_for(plan, call, queries, keys, extent);
  fit_members(plan, static_cast<bool>(keys));
  check_ropes(plan);
  check_scales(plan, call, extent);
  // Lengthens sequences, so the checks of scales, which belong to own tokens only, come before it and those of
  // masks after it.
  check_prefix(plan, call, extent);
  check_padding(plan, extent);
  check_visibility(plan, call);
  check_all_pairs(plan, call, extent);
  check_drop_mask(plan);
  plan.tensors.check_shape(plan.at.sink, {plan.heads}, "a score for each head takes");
  check_stats(plan, extent);
  check_gradients(plan);
  choose_staging(plan);
  return plan;
}

}  // namespace aclvk::ops
