// The operators of this folder.
#include <memory>

#include "ops/args/index.hpp"
#include "ops/index/compaction.hpp"
#include "ops/index/embedding_bag.hpp"
#include "ops/index/embedding_gradient.hpp"
#include "ops/index/gather.hpp"
#include "ops/index/grouped_bias.hpp"
#include "ops/index/quant_scatter.hpp"
#include "ops/index/repeat_interleave.hpp"
#include "ops/index/scatter.hpp"
#include "ops/index/scatter_rows.hpp"
#include "ops/index/search.hpp"

namespace aclvk::ops {

std::shared_ptr<Executor> plan(const GroupedBiasAddGradArgs& args) {
  return plan_grouped_bias_gradient(args.kOperator, args.gradY, args.groupIdxOptional, 0, args.out);
}
std::shared_ptr<Executor> plan(const GroupedBiasAddGradV2Args& args) {
  return plan_grouped_bias_gradient(args.kOperator, args.gradY, args.groupIdxOptional, args.groupIdxType, args.out);
}
std::shared_ptr<Executor> plan(const GatherV2Args& args) {
  return plan_gather_v2({args.kOperator, args.self, args.dim, args.index, 0, args.out});
}
// `mode` chooses between implementations that give the same result.
std::shared_ptr<Executor> plan(const GatherV3Args& args) {
  return plan_gather_v2({args.kOperator, args.self, args.dim, args.index, args.batchDims, args.out});
}
// scaleGradByFreq and sparse concern the gradient only.
std::shared_ptr<Executor> plan(const EmbeddingBagArgs& args) {
  return plan_embedding_bag({args.weight, args.indices, args.offsets, args.perSampleWeights, args.output,
                             args.offset2bag, args.bagSize, args.maxIndices},
                            {args.mode, args.includeLastOffset, args.paddingIdx});
}
// A paddingIdx of -1 is none: the parameter has no sign.
std::shared_ptr<Executor> plan(const EmbeddingDenseBackwardArgs& args) {
  return plan_embedding_gradient({args.kOperator, args.grad, args.indices, static_cast<std::int64_t>(args.numWeights),
                                  static_cast<std::int64_t>(args.paddingIdx), args.scaleGradByFreq, args.out});
}
std::shared_ptr<Executor> plan(const EmbeddingDenseGradArgs& args) {
  return plan_embedding_gradient(
      {args.kOperator, args.grad, args.indices, args.numWeights, args.paddingIdx, args.scaleGradByFreq, args.y});
}
std::shared_ptr<Executor> plan(const ScatterArgs& args) {
  return plan_scatter(ScatterHandles{args.kOperator, args.self, args.dim, args.index, args.src, {}, args.out, false},
                      args.reduce);
}
std::shared_ptr<Executor> plan(const ScatterValueArgs& args) {
  return plan_scatter(ScatterHandles{args.kOperator, args.self, args.dim, args.index, {}, args.value, args.out, false},
                      args.reduce);
}
std::shared_ptr<Executor> plan(const ScatterAddArgs& args) {
  return plan_scatter(ScatterHandles{args.kOperator, args.self, args.dim, args.index, args.src, {}, args.out, false},
                      1);
}
std::shared_ptr<Executor> plan(const ScatterReduceArgs& args) {
  return plan_scatter_reduce(
      ScatterHandles{args.kOperator, args.self, args.dim, args.index, args.src, {}, args.out, false}, args.reduce,
      args.includeSelf);
}
std::shared_ptr<Executor> plan(const InplaceScatterArgs& args) {
  return plan_scatter(ScatterHandles{args.kOperator, args.selfRef.read(), args.dim, args.index, args.src, {}, {}, true},
                      args.reduce);
}
std::shared_ptr<Executor> plan(const InplaceScatterValueArgs& args) {
  return plan_scatter(
      ScatterHandles{args.kOperator, args.selfRef.read(), args.dim, args.index, {}, args.value, {}, true}, args.reduce);
}
std::shared_ptr<Executor> plan(const InplaceScatterReduceArgs& args) {
  return plan_scatter_reduce(
      ScatterHandles{args.kOperator, args.selfRef.read(), args.dim, args.index, args.src, {}, {}, true}, args.reduce,
      args.includeSelf);
}
std::shared_ptr<Executor> plan(const IndexAddArgs& args) {
  return plan_index_add({args.kOperator, args.self, args.dim, args.index, args.source, args.out, false}, args.alpha);
}
// `mode` chooses between implementations that give the same result.
std::shared_ptr<Executor> plan(const IndexAddV2Args& args) {
  return plan_index_add({args.kOperator, args.self, args.dim, args.index, args.source, args.out, false}, args.alpha);
}
std::shared_ptr<Executor> plan(const IndexCopyArgs& args) {
  return plan_index_copy({args.kOperator, args.selfRef.read(), args.dim, args.index, args.source,
                          renamed(args.outRef.written(), "out"), false});
}
std::shared_ptr<Executor> plan(const InplaceIndexCopyArgs& args) {
  return plan_index_copy({args.kOperator, args.selfRef.read(), args.dim, args.index, args.source, {}, true});
}
std::shared_ptr<Executor> plan(const IndexFillArgs& args) {
  return plan_index_fill({args.kOperator, args.self, args.dim, args.index, {}, args.out, false}, args.value);
}
std::shared_ptr<Executor> plan(const InplaceIndexFillArgs& args) {
  return plan_index_fill({args.kOperator, args.selfRef.read(), args.dim, args.index, {}, {}, true}, args.value);
}
std::shared_ptr<Executor> plan(const IndexFillTensorArgs& args) {
  return plan_index_fill_array({args.kOperator, args.self, args.dim, {}, {}, args.out, false}, args.index, args.value);
}
std::shared_ptr<Executor> plan(const InplaceIndexFillTensorArgs& args) {
  return plan_index_fill_array({args.kOperator, args.selfRef.read(), args.dim, {}, {}, {}, true}, args.index,
                               args.value);
}
std::shared_ptr<Executor> plan(const TfScatterAddArgs& args) {
  return plan_row_scatter(args.kOperator, Combination::kAdd, args.varRef, args.indices, args.updates);
}
std::shared_ptr<Executor> plan(const ScatterMulArgs& args) {
  return plan_row_scatter(args.kOperator, Combination::kMultiply, args.varRef, args.indices, args.updates);
}
std::shared_ptr<Executor> plan(const ScatterDivArgs& args) {
  return plan_row_scatter(args.kOperator, Combination::kDivide, args.varRef, args.indices, args.updates);
}
std::shared_ptr<Executor> plan(const ScatterMaxArgs& args) {
  return plan_row_scatter(args.kOperator, Combination::kMaximum, args.varRef, args.indices, args.updates);
}
std::shared_ptr<Executor> plan(const ScatterMinArgs& args) {
  return plan_row_scatter(args.kOperator, Combination::kMinimum, args.varRef, args.indices, args.updates);
}
std::shared_ptr<Executor> plan(const InplaceScatterUpdateArgs& args) {
  return plan_scatter_update(args.data, args.indices, args.updates, args.axis);
}
std::shared_ptr<Executor> plan(const InplaceQuantScatterArgs& args) {
  return plan_quant_scatter({args.kOperator, args.selfRef, args.indices, args.updates, args.quantScales,
                             args.quantZeroPoints, args.axis, args.quantAxis, args.reduction});
}
std::shared_ptr<Executor> plan(const InplaceQuantScatterV2Args& args) {
  return plan_quant_scatter_v2({args.kOperator, args.selfRef, args.indices, args.updates, args.quantScales,
                                args.quantZeroPoints, args.axis, args.quantAxis, args.reduction},
                               args.roundMode.handle);
}
std::shared_ptr<Executor> plan(const ScatterListArgs& args) {
  return plan_scatter_list(
      {args.varRef, args.indice, args.updates, args.maskOptional, args.reduceOptional.handle, args.axis});
}
std::shared_ptr<Executor> plan(const SearchSortedArgs& args) {
  return plan_search(
      {args.kOperator, args.sortedSequence, args.self, {}, args.outInt32, args.right, args.sorter, args.out});
}
std::shared_ptr<Executor> plan(const SearchSortedsArgs& args) {
  return plan_search(
      {args.kOperator, args.sortedSequence, {}, args.self, args.outInt32, args.right, args.sorter, args.out});
}
// assumeUnique has no effect: it lets other implementations skip work.
std::shared_ptr<Executor> plan(const IsInTensorScalarArgs& args) {
  return plan_is_in(args.kOperator, args.element, args.testElement, false, args.invert, args.out);
}
std::shared_ptr<Executor> plan(const IsInScalarTensorArgs& args) {
  return plan_is_in(args.kOperator, args.testElements, args.element, true, args.invert, args.out);
}
std::shared_ptr<Executor> plan(const RepeatInterleaveIntArgs& args) {
  return plan_repeat_interleave_int({args.kOperator, args.self, false, 0, args.outputSize, args.out}, args.repeats);
}
std::shared_ptr<Executor> plan(const RepeatInterleaveIntWithDimArgs& args) {
  return plan_repeat_interleave_int({args.kOperator, args.self, true, args.dim, args.outputSize, args.out},
                                    args.repeats);
}
std::shared_ptr<Executor> plan(const RepeatInterleaveArgs& args) {
  return plan_repeat_interleave({args.kOperator, args.self, false, 0, args.outputSize, args.out}, args.repeats);
}
std::shared_ptr<Executor> plan(const RepeatInterleaveWithDimArgs& args) {
  return plan_repeat_interleave({args.kOperator, args.self, true, args.dim, args.outputSize, args.out}, args.repeats);
}
std::shared_ptr<Executor> plan(const NonzeroArgs& args) {
  return plan_nonzero(args.kOperator, args.self, false, args.out);
}
std::shared_ptr<Executor> plan(const NonzeroV2Args& args) {
  return plan_nonzero(args.kOperator, args.self, true, args.out);
}

}  // namespace aclvk::ops
