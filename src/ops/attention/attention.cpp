#include "ops/attention/attention.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "ops/attention/eights.hpp"
#include "ops/attention/flash.hpp"
#include "ops/attention/layout.hpp"
#include "ops/attention/tokens.hpp"
#include "ops/create/fill.hpp"
#include "ops/elementwise/copy.hpp"
#include "ops/operator_dtypes.hpp"
#include "ops/shape/view.hpp"
#include "ops/staged_executor.hpp"

namespace aclvk::ops {
namespace {

using Place = TensorParameters::Place;

constexpr DTypeSet kFactors = {DType::kFloat16, DType::kBfloat16, DType::kFloat};
constexpr DTypeSet kMasks = {DType::kBool, DType::kInt8, DType::kUint8};

/// The tensors of a call.
struct Places {
  Place query;
  Place key;
  Place value;
  Place shift;
  Place mask;
  Place table;
  Place out;
  Place logarithm;
  Place top;
  Place sum;
};

/// What does not change when addresses do.
struct Plan {
  const char* name;
  TensorParameters tensors{};
  Places at{};
  Layout layout{};
  Layout result{};
  std::int64_t heads = 0;
  std::int64_t key_heads = 0;
  double scale = 1;
  bool is_paged = false;
  std::vector<Sequence> sequences{};
  std::optional<Window> window{};
  bool reads_mask = false;
  bool shift_is_scaled = false;
  Statistic statistic = Statistic::kNone;

  bool packed() const { return layout == Layout::kTnd; }
};

void read_tensors(Plan& plan, const AttentionCall& call) {
  TensorParameters& tensors = plan.tensors;
  Places& at = plan.at;
  at.query = tensors.input(call.query, "query");
  at.key = call.has_lists ? tensors.input_list(call.key, "key") : tensors.input(call.key, "key");
  at.value = call.has_lists ? tensors.input_list(call.value, "value") : tensors.input(call.value, "value");
  at.shift = tensors.optional_input(call.shift, call.shift_name);
  at.mask = tensors.optional_input(call.mask, call.mask_name);
  at.table = tensors.optional_input(call.block_table, call.block_table_name);
  at.out = tensors.output(call.out, call.out_name);
  if (call.statistic == Statistic::kLogarithm) at.logarithm = tensors.output(call.logarithm_out, "softmaxLse");
  if (call.statistic == Statistic::kTopAndSum) {
    at.top = tensors.output(call.top_out, "softmaxMaxOut");
    at.sum = tensors.output(call.sum_out, "softmaxSumOut");
  }
}

/// The places of the statistics that the call asks for.
std::vector<Place> statistics_of(const Plan& plan) {
  switch (plan.statistic) {
    case Statistic::kLogarithm: return {plan.at.logarithm};
    case Statistic::kTopAndSum: return {plan.at.top, plan.at.sum};
    default: return {};
  }
}

void check_dtypes(const Plan& plan) {
  const TensorParameters& tensors = plan.tensors;
  const Tensor& query = tensors[plan.at.query];
  check_dtype(query, "query", kFactors);
  check(dtypes_of(plan.name).inputs.contains(query.dtype), Code::kNnInvalid, "query has dtype {}; {} does not take it.",
        query.dtype, plan.name);
  for (const Place place : {plan.at.key, plan.at.value}) {
    for (const Tensor& member : tensors.list(place)) check_same_dtype(member, tensors.name(place), query, "query");
  }
  if (tensors.has(plan.at.shift)) check_dtype(tensors[plan.at.shift], tensors.name(plan.at.shift), kFactors);
  if (tensors.has(plan.at.mask)) check_dtype(tensors[plan.at.mask], tensors.name(plan.at.mask), kMasks);
  if (tensors.has(plan.at.table)) {
    check_dtype(tensors[plan.at.table], tensors.name(plan.at.table), {DType::kInt32, DType::kInt64});
  }
  check_same_dtype(tensors[plan.at.out], tensors.name(plan.at.out), query, "query");
  for (const Place place : statistics_of(plan)) check_dtype(tensors[place], tensors.name(place), {DType::kFloat});
  tensors.check_views();
}

/// The heads of key where only its shape tells: it has as many columns as those of query.
std::int64_t heads_of_key(const Plan& plan) {
  const Shape& shape = plan.tensors[plan.at.key].shape;
  const std::size_t rank = shape.size();
  if (plan.layout == Layout::kBnsd && rank == 4) return shape[1];
  if (plan.layout == Layout::kBsnd && rank == 4) return shape[2];
  if (plan.layout == Layout::kTnd && rank == 3) return shape[1];
  if (plan.layout == Layout::kNsd && rank == 3) return shape[0];
  const std::int64_t columns = by_heads(plan.tensors[plan.at.query], "query", plan.layout, plan.heads).shape[3];
  return columns == 0 || rank == 0 ? plan.heads : shape[rank - 1] / columns;
}

void check_heads(Plan& plan, const AttentionCall& call) {
  check(call.heads > 0, Code::kNnInvalid, "{} is {}; a positive number is expected.", call.heads_name, call.heads);
  plan.heads = call.heads;
  plan.key_heads = call.key_heads ? *call.key_heads : heads_of_key(plan);
  if (plan.key_heads == 0) plan.key_heads = call.heads;
  check(plan.key_heads > 0 && plan.heads % plan.key_heads == 0, Code::kNnInvalid,
        "query has {} heads and key {}; the first is a multiple of the second.", plan.heads, plan.key_heads);
}

/// Weights are never dropped, as with a keepProb of 1.
void check_training(const AttentionCall& call) {
  check(call.kept > 0 && call.kept <= 1, Code::kNnInvalid, "keepProb is {}; more than 0, at most 1 is expected.",
        call.kept);
  check(call.kept == 1, Code::kFeatureNotSupported, "keepProb is {}; only 1 is built yet.", call.kept);
  const bool known = call.shift_kind >= 0 && call.shift_kind <= 3;
  check(call.shift_kind == 0 || call.shift_kind == 1, known ? Code::kFeatureNotSupported : Code::kNnInvalid,
        "pseType is {}; 0 and 1 are built.", call.shift_kind);
}

/// Keys or values as sequences, heads, tokens, columns; of pages: pages, heads, tokens of one, columns.
Tensor keys_by_heads(const Plan& plan, const Tensor& tensor, const char* name) {
  if (!plan.is_paged) return by_heads(tensor, name, plan.layout, plan.key_heads);
  return by_heads(tensor, name, tensor.shape.size() == 4 ? Layout::kBnsd : Layout::kBsh, plan.key_heads);
}

/// The keys, or values, of all sequences as shapes say; a list has a tensor for each sequence, or one for all.
Shape check_keys(const Plan& plan, Place place, std::int64_t batch) {
  const TensorParameters& tensors = plan.tensors;
  const auto& members = tensors.list(place);
  const auto count = static_cast<std::int64_t>(members.size());
  check(count == 1 || (count == batch && !plan.is_paged), Code::kNnInvalid,
        "{} is a list of {} tensors for {} sequences; one for all or one for each is expected.", tensors.name(place),
        count, batch);
  Shape shape = keys_by_heads(plan, members.front(), tensors.name(place)).shape;
  for (const Tensor& member : members) {
    const Shape own = keys_by_heads(plan, member, tensors.name(place)).shape;
    check(own[1] == plan.key_heads && own[3] == shape[3] && (count == 1 || own[0] == 1), Code::kNnInvalid,
          "{} has a tensor of shape {}; {} heads of {} columns are expected.", tensors.name(place), member.shape,
          plan.key_heads, shape[3]);
    shape[2] = std::max(shape[2], own[2]);
  }
  return shape;
}

std::int64_t tokens_of(const Plan& plan, Place place, std::size_t member) {
  return keys_by_heads(plan, plan.tensors.list(place)[member], plan.tensors.name(place)).shape[2];
}

/// That each key has a value (161002).
void check_members(const Plan& plan) {
  for (std::size_t i = 0; i < plan.tensors.list(plan.at.key).size(); ++i) {
    const std::int64_t keys = tokens_of(plan, plan.at.key, i);
    const std::int64_t values = tokens_of(plan, plan.at.value, i);
    check(keys == values, Code::kNnInvalid,
          "tensor {} of key has {} tokens and that of value has {}; each key has a value.", i, keys, values);
  }
}

/// That no sequence has more keys than its own tensor (161002); without a length it has all of them.
void fit_members(Plan& plan, bool has_lengths) {
  for (std::size_t i = 0; i < plan.tensors.list(plan.at.key).size() && plan.tensors.list(plan.at.key).size() > 1; ++i) {
    const std::int64_t most = tokens_of(plan, plan.at.key, i);
    if (!has_lengths) plan.sequences[i].keys = most;
    check(plan.sequences[i].keys <= most, Code::kNnInvalid, "sequence {} has {} keys; its tensor has {}.", i,
          plan.sequences[i].keys, most);
  }
}

/// The number of sequences, their most queries and keys.
Extent check_shapes(const Plan& plan, const AttentionCall& call, std::int64_t sequences_of_lengths) {
  const TensorParameters& tensors = plan.tensors;
  const Tensor query = by_heads(tensors[plan.at.query], "query", plan.layout, plan.heads);
  check(query.shape[1] == plan.heads, Code::kNnInvalid, "query has shape {}; numHeads is {}.",
        tensors[plan.at.query].shape, plan.heads);
  const bool packed = plan.packed();
  const std::int64_t batch = packed ? sequences_of_lengths : query.shape[0];
  const std::size_t members = tensors.list(plan.at.key).size();
  check(members == tensors.list(plan.at.value).size() && (members == 1 || !packed), Code::kNnInvalid,
        "key has {} tensors and value has {}; as many are expected, and one where sequences follow each other.",
        members, tensors.list(plan.at.value).size());
  const Shape key = check_keys(plan, plan.at.key, batch);
  const Shape value = check_keys(plan, plan.at.value, batch);
  check_members(plan);
  check(key[3] == query.shape[3], Code::kNnInvalid, "query has {} columns and key has {}; they meet each other.",
        query.shape[3], key[3]);
  check(query.shape[3] > 0, Code::kNnInvalid, "query has shape {}; it has no columns.", tensors[plan.at.query].shape);
  check(key[2] == value[2] && key[0] == value[0], Code::kNnInvalid,
        "key has shape {} and value has shape {}; each key has a value.", tensors[plan.at.key].shape,
        tensors[plan.at.value].shape);
  const bool shares = plan.is_paged || packed || tensors.list(plan.at.key).size() > 1 || key[0] == batch;
  check(shares, Code::kNnInvalid, "query has shape {} and key has shape {}; as many sequences are expected.",
        tensors[plan.at.query].shape, tensors[plan.at.key].shape);
  check(!call.one_token || query.shape[2] == 1, Code::kNnInvalid,
        "query has shape {}; {} takes one token of each sequence.", tensors[plan.at.query].shape, plan.name);
  const Tensor out = by_heads(tensors[plan.at.out], call.out_name, plan.result, plan.heads);
  Shape expected = query.shape;
  expected[3] = value[3];
  check(out.shape == expected, Code::kNnInvalid,
        "{} has shape {}, which is {} of sequences, heads, tokens and columns; {} is expected.", call.out_name,
        tensors[plan.at.out].shape, out.shape, expected);
  return {batch, query.shape[2], key[2]};
}

void check_pages(Plan& plan, const AttentionCall& call, Extent& extent) {
  const TensorParameters& tensors = plan.tensors;
  const Tensor& table = tensors[plan.at.table];
  check(table.shape.size() == 2 && table.shape[0] == extent.sequences, Code::kNnInvalid,
        "{} has shape {}; a row for each of {} sequences is expected.", tensors.name(plan.at.table), table.shape,
        extent.sequences);
  check(call.block_size == extent.keys, Code::kNnInvalid, "blockSize is {}; the pages of key have {} tokens.",
        call.block_size, extent.keys);
  check(call.key_lengths != nullptr, Code::kNnInvalid, "{} is NULL; with pages it tells how many keys there are.",
        call.key_lengths_name);
  check(!tensors[plan.at.key].empty(), Code::kNnInvalid, "key has shape {}; there are no pages.",
        tensors[plan.at.key].shape);
  extent.keys = table.shape[1] * call.block_size;
}

/// A number for each row: (sequences, heads, tokens, 1) or, packed, (tokens, heads, 1). Of tops and sums eight, all the
/// same.
void check_statistics(const Plan& plan, const Extent& extent) {
  const std::int64_t times = plan.statistic == Statistic::kTopAndSum ? 8 : 1;
  const Shape expected = plan.packed() ? Shape{extent.queries, plan.heads, times}
                                       : Shape{extent.sequences, plan.heads, extent.queries, times};
  for (const Place place : statistics_of(plan)) {
    plan.tensors.check_shape(place, expected, "the rows need");
  }
}

Tensor for_all_sequences(Tensor tensor, std::int64_t sequences, bool packed) {
  if (!packed) return tensor;
  tensor.strides[0] = 0;
  tensor.shape[0] = sequences;
  return tensor;
}

/// The tensors of a run, in eights.
struct Ready {
  Tensor query;
  std::vector<Tensor> keys;
  std::vector<Tensor> values;
  Tensor out;
  std::optional<Tensor> mask;
  std::optional<Tensor> shift;
  std::optional<Tensor> statistics;
  std::optional<Tensor> table;
};

/// A statistic as sequences, heads, tokens and what a row has.
Tensor by_rows(const Plan& plan, const Tensor& tensor) {
  return plan.packed() ? repeated(permuted(tensor, {1, 0, 2}), 0, 1) : tensor;
}

/// Where the kernel writes it: to the logarithms, or pairs of which the tops and the sums are copies.
std::optional<Tensor> make_statistics(const Plan& plan, const TensorParameters::Now& now, Staging& staging,
                                      Kernels& before) {
  if (plan.statistic == Statistic::kNone) return std::nullopt;
  if (plan.statistic == Statistic::kLogarithm) return selected(by_rows(plan, *now[plan.at.logarithm]), 3);
  Shape shape = by_rows(plan, *now[plan.at.top]).shape;
  shape[3] = 2;
  const Tensor pairs = staging.make(shape, DType::kFloat);
  append(before, fill_kernels(plan.name, pairs, {}));  // also for tokens that belong to no sequence
  for (const auto& [place, part] : {std::pair{plan.at.top, 0}, std::pair{plan.at.sum, 1}}) {
    staging.finish_with(copy_kernels(plan.name, by_rows(plan, *now[place]), sliced(pairs, 3, part, 1)));
  }
  return selected(pairs, 3);
}

Ready make_ready(const Plan& plan, const TensorParameters::Now& now, Staging& staging, Kernels& before) {
  const bool packed = plan.packed();
  const auto batch = static_cast<std::int64_t>(plan.sequences.size());
  const auto in_eights = [&](const Tensor& tensor) { return read_in_eights(plan.name, tensor, staging, before); };
  const auto members = [&](Place place) {
    std::vector<Tensor> all;
    for (std::size_t i = 0; i < plan.tensors.list(place).size(); ++i) {
      const Tensor one = in_eights(keys_by_heads(plan, now.of_list(place, i), plan.tensors.name(place)));
      all.push_back(for_all_sequences(one, batch, packed && !plan.is_paged));
    }
    return all;
  };
  const Tensor query = in_eights(by_heads(*now[plan.at.query], "query", plan.layout, plan.heads));
  const Tensor out = by_heads(*now[plan.at.out], plan.tensors.name(plan.at.out), plan.result, plan.heads);
  Ready ready{for_all_sequences(query, batch, packed),
              members(plan.at.key),
              members(plan.at.value),
              for_all_sequences(write_in_eights(plan.name, out, staging, before), batch, packed),
              {},
              {},
              {},
              {}};
  const Shape pairs{batch, plan.heads, query.shape[2], 1};
  if (plan.reads_mask) ready.mask = over_pairs(in_eights(*now[plan.at.mask]), pairs);
  if (now[plan.at.shift]) ready.shift = over_pairs(in_eights(*now[plan.at.shift]), pairs);
  if (plan.is_paged) ready.table = staging.read(*now[plan.at.table]);
  const auto statistics = make_statistics(plan, now, staging, before);
  if (statistics) ready.statistics = for_all_sequences(*statistics, batch, packed);
  return ready;
}

/// The sequences that share member `member` of the lists.
Attention attention_for(const Plan& plan, const Ready& ready, std::size_t member) {
  const bool alone = ready.keys.size() > 1;
  const auto own = [&](const Tensor& tensor) {
    return alone ? sliced(tensor, 0, static_cast<std::int64_t>(member), 1) : tensor;
  };
  Attention attention{plan.name, own(ready.query), ready.keys[member], ready.values[member], own(ready.out)};
  attention.sequences = alone ? std::vector<Sequence>{plan.sequences[member]} : plan.sequences;
  attention.scale = plan.scale;
  attention.window = plan.window;
  if (ready.mask) attention.mask = own(*ready.mask);
  if (ready.shift) attention.shift = own(*ready.shift);
  if (plan.is_paged) attention.table = ready.table;
  attention.shift_is_scaled = plan.shift_is_scaled;
  attention.statistic = plan.statistic;
  if (ready.statistics) attention.statistics = own(*ready.statistics);
  return attention;
}

Kernels kernels_for(const Plan& plan, const TensorParameters::Now& now, Staging& staging) {
  if (plan.statistic == Statistic::kTopAndSum)
    check_apart(*now[plan.at.top], "softmaxMaxOut", *now[plan.at.sum], "softmaxSumOut");
  for (const Place place : statistics_of(plan)) {
    check_apart(*now[plan.at.out], plan.tensors.name(plan.at.out), *now[place], plan.tensors.name(place));
  }
  for (const Place place : {plan.at.query, plan.at.key, plan.at.value, plan.at.shift}) {
    for (std::size_t i = 0; i < plan.tensors.list(place).size(); ++i) {
      check_apart(*now[plan.at.out], plan.tensors.name(plan.at.out), now.of_list(place, i), plan.tensors.name(place));
    }
  }
  Kernels kernels;
  const Ready ready = make_ready(plan, now, staging, kernels);
  for (std::size_t member = 0; member < ready.keys.size(); ++member) {
    append(kernels, attention_kernels(attention_for(plan, ready, member), runtime::execution()));
  }
  return kernels;
}

}  // namespace

std::shared_ptr<Executor> plan_attention(const AttentionCall& call, const std::vector<LeftOut>& left_out) {
  Plan plan{call.name};
  plan.statistic = call.statistic;
  read_tensors(plan, call);
  const Lengths queries(call.query_lengths, "actualSeqLengths");
  const Lengths keys(call.key_lengths, call.key_lengths_name);
  plan.layout = layout_of(call.layout);
  plan.result = result_layout_of(call.layout);
  plan.is_paged = plan.tensors.has(plan.at.table);
  plan.scale = call.scale;
  plan.shift_is_scaled = call.shift_kind == 1;
  check_left_out(call.name, left_out);
  check_dtypes(plan);
  check_heads(plan, call);
  check_training(call);
  const bool packed = plan.packed();
  check(!packed || (queries && keys), Code::kNnInvalid,
        "inputLayout is TND; actualSeqLengths and {} tell where sequences end.", call.key_lengths_name);
  Extent extent = check_shapes(plan, call, queries.count());
  if (plan.is_paged) check_pages(plan, call, extent);
  plan.sequences = packed ? packed_sequences(queries, keys, extent, plan.is_paged)
                          : sequences_of(queries, call.same_lengths && !keys ? queries : keys, extent);
  fit_members(plan, static_cast<bool>(keys));
  const Visibility visible = visibility_of(call.sparse_mode, call.before, call.behind, plan.tensors.has(plan.at.mask));
  plan.window = visible.window;
  plan.reads_mask = visible.reads_mask;
  if (plan.reads_mask) check_pairs(plan.tensors, plan.at.mask, plan.heads, plan.sequences, extent);
  if (plan.tensors.has(plan.at.shift)) check_pairs(plan.tensors, plan.at.shift, plan.heads, plan.sequences, extent);
  check_statistics(plan, extent);
  return staged_executor(call.name, plan.tensors, [plan](const TensorParameters::Now& now, Staging& staging) {
    return kernels_for(plan, now, staging);
  });
}

}  // namespace aclvk::ops
