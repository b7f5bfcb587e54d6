// The operators of this folder.
#include <memory>

#include "ops/args/matmul.hpp"
#include "ops/matmul/formats/fractal.hpp"
#include "ops/matmul/formats/nibbles.hpp"

namespace aclvk::ops {

std::shared_ptr<Executor> plan(const NpuFormatCastArgs& args) {
  return plan_format_cast(args.srcTensor, args.dstTensor);
}
std::shared_ptr<Executor> plan(const TransMatmulWeightArgs& args) { return plan_matmul_weight(args.mmWeightRef); }
std::shared_ptr<Executor> plan(const ConvertWeightToINT4PackArgs& args) {
  return plan_pack_weight(args.weight, args.weightInt4Pack);
}

}  // namespace aclvk::ops
