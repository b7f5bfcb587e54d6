// The operators of this folder.
#include <memory>

#include "ops/args/matmul.hpp"
#include "ops/matmul/quantised/quant.hpp"
#include "ops/matmul/quantised/quant_word.hpp"
#include "ops/matmul/quantised/transposed.hpp"

namespace aclvk::ops {
namespace {

// Operators whose arguments differ in their type alone.

template <typename Args>
std::shared_ptr<Executor> plan_transposed(const Args& args) {
  return plan_transpose_batch_matmul({args.kOperator, args.x1, args.x2, args.bias, args.scale, args.permX1, args.permX2,
                                      args.permY, args.cubeMathType, args.batchSplitFactor, args.out});
}

template <typename Args>
std::shared_ptr<Executor> plan_weight_quant(const Args& args) {
  return plan_weight_quant_matmul({args.kOperator, args.x, args.weight, args.antiquantScale,
                                   args.antiquantOffsetOptional, args.biasOptional, args.antiquantGroupSize, args.y},
                                  {args.quantScaleOptional, args.quantOffsetOptional});
}

template <typename Args>
std::shared_ptr<Executor> plan_row_scaled(const Args& args) {
  return plan_quant_matmul({args.kOperator,
                            args.x1,
                            args.x2,
                            args.bias,
                            args.transposeX1,
                            args.transposeX2,
                            args.out,
                            {args.x2Scale, 1, args.yOffset, args.x1Scale, QuantOrder::kRowScale, args.groupSize},
                            {args.yScale, args.x1Offset, args.x2Offset}});
}

template <typename Args>
std::shared_ptr<Executor> plan_fused(const Args& args) {
  return plan_quant_matmul({args.kOperator,
                            args.x1,
                            args.x2,
                            args.biasOptional,
                            false,
                            false,
                            args.out,
                            {args.x2Scale, 1, {}, args.x1Scale, QuantOrder::kRowScale, args.groupSizeOptional},
                            {args.yScaleOptional, args.x1OffsetOptional, args.x2OffsetOptional, args.yOffsetOptional},
                            args.fusedOpType.handle,
                            args.x3Optional});
}

template <typename Args>
std::shared_ptr<Executor> plan_transposed_quant(const Args& args) {
  return plan_transpose_quant_matmul({args.kOperator, args.x1, args.x2, args.bias, args.x1Scale, args.x2Scale,
                                      args.dtype, args.groupSize, args.permX1, args.permX2, args.permY,
                                      args.batchSplitFactor, args.out});
}

}  // namespace

std::shared_ptr<Executor> plan(const TransposeBatchMatMulArgs& args) { return plan_transposed(args); }
std::shared_ptr<Executor> plan(const TransposeBatchMatMulWeightNzArgs& args) { return plan_transposed(args); }
std::shared_ptr<Executor> plan(const MatmulEmuSplitWeightArgs& args) {
  return plan_split_weight_matmul(args.x, args.wHigh, args.wLow, args.y, args.wLowScale, args.yDtype);
}
std::shared_ptr<Executor> plan(const WeightQuantBatchMatmulV2Args& args) { return plan_weight_quant(args); }
std::shared_ptr<Executor> plan(const WeightQuantBatchMatmulV3Args& args) { return plan_weight_quant(args); }
std::shared_ptr<Executor> plan(const WeightQuantBatchMatmulNzArgs& args) { return plan_weight_quant(args); }
std::shared_ptr<Executor> plan(const WeightQuantBatchMatmulArgs& args) {
  return plan_scalar_quant_matmul(
      {args.x1, args.x2, args.diagonalMatrix, args.addOffset, args.mulScale, args.bias, args.transposeX1,
       args.transposeX2, args.antiquantScale, args.antiquantOffset, args.out},
      {args.deqOffset, args.deqScale});
}
std::shared_ptr<Executor> plan(const QuantMatmulArgs& args) {
  return plan_quant_matmul({args.kOperator,
                            args.x1,
                            args.x2,
                            args.bias,
                            false,
                            false,
                            args.out,
                            {{}, args.deqScale, {}, {}, QuantOrder::kBias}});
}
std::shared_ptr<Executor> plan(const QuantMatmulV2Args& args) {
  return plan_quant_matmul({args.kOperator,
                            args.x1,
                            args.x2,
                            args.bias,
                            args.adjX1,
                            args.adjX2,
                            args.out,
                            {args.deqScale, 1, {}, {}, QuantOrder::kBias}});
}
std::shared_ptr<Executor> plan(const QuantMatmulV3Args& args) {
  return plan_quant_matmul({args.kOperator,
                            args.x1,
                            args.x2,
                            args.bias,
                            args.transposeX1,
                            args.transposeX2,
                            args.out,
                            {args.scale, 1, args.offset}});
}
std::shared_ptr<Executor> plan(const QuantMatmulV4Args& args) {
  return plan_quant_matmul({args.kOperator,
                            args.x1,
                            args.x2,
                            args.bias,
                            args.transposeX1,
                            args.transposeX2,
                            args.out,
                            {args.scale, 1, args.offset, args.pertokenScaleOptional}});
}
std::shared_ptr<Executor> plan(const QuantMatmulV5Args& args) { return plan_row_scaled(args); }
std::shared_ptr<Executor> plan(const QuantMatmulWeightNzArgs& args) { return plan_row_scaled(args); }
std::shared_ptr<Executor> plan(const FusedQuantMatmulArgs& args) { return plan_fused(args); }
std::shared_ptr<Executor> plan(const FusedQuantMatmulWeightNzArgs& args) { return plan_fused(args); }
std::shared_ptr<Executor> plan(const QuantMatmulReduceSumWeightNzArgs& args) {
  return plan_quant_matmul_sum({args.x1, args.x2, args.x1Scale, args.x2Scale, args.transposeX1, args.transposeX2,
                                args.groupSize, args.dims, args.keepDims, args.out},
                               {args.yScale, args.x1Offset, args.x2Offset, args.yOffset, args.bias});
}
std::shared_ptr<Executor> plan(const TransposeQuantBatchMatMulArgs& args) { return plan_transposed_quant(args); }
std::shared_ptr<Executor> plan(const TransposeQuantBatchMatMulWeightNzArgs& args) {
  return plan_transposed_quant(args);
}
std::shared_ptr<Executor> plan(const TransQuantParamV2Args& args) {
  return plan_quant_words(args.kOperator, args.scale, args.offset, 0, args.out);
}
std::shared_ptr<Executor> plan(const TransQuantParamV3Args& args) {
  return plan_quant_words(args.kOperator, args.scale, args.offset, args.roundMode, args.out);
}

}  // namespace aclvk::ops
