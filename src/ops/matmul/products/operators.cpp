// The operators of this folder.
#include <memory>

#include "ops/args/matmul.hpp"
#include "ops/matmul/products/addmm.hpp"
#include "ops/matmul/products/fused.hpp"
#include "ops/matmul/products/lora.hpp"
#include "ops/matmul/products/matmul.hpp"

namespace aclvk::ops {
namespace {

// Operators whose arguments differ in their type alone.

template <typename Args>
std::shared_ptr<Executor> plan_scaled_sum(const Args& args) {
  return plan_addmm({args.kOperator, args.self, args.mat1, args.mat2, args.out}, 2, args.beta, args.alpha,
                    args.cubeMathType);
}

}  // namespace

std::shared_ptr<Executor> plan(const MatmulArgs& args) {
  return plan_matmul(args.kOperator, args.self, args.mat2, args.out, args.cubeMathType);
}
std::shared_ptr<Executor> plan(const MatmulWeightNzArgs& args) {
  return plan_matmul(args.kOperator, args.self, args.mat2, args.out, args.cubeMathType);
}
std::shared_ptr<Executor> plan(const MmArgs& args) {
  return plan_ranked_matmul(args.kOperator, 2, args.self, args.mat2, args.out, args.cubeMathType);
}
std::shared_ptr<Executor> plan(const BatchMatMulArgs& args) {
  return plan_ranked_matmul(args.kOperator, 3, args.self, args.mat2, args.out, args.cubeMathType);
}
std::shared_ptr<Executor> plan(const BatchMatMulWeightNzArgs& args) {
  return plan_ranked_matmul(args.kOperator, 3, args.self, args.mat2, args.out, args.cubeMathType);
}
std::shared_ptr<Executor> plan(const AddmmArgs& args) { return plan_scaled_sum(args); }
std::shared_ptr<Executor> plan(const AddmmWeightNzArgs& args) { return plan_scaled_sum(args); }
std::shared_ptr<Executor> plan(const InplaceAddmmArgs& args) {
  return plan_addmm({args.kOperator, args.selfRef.read(), args.mat1, args.mat2, args.selfRef.written()}, 2, args.beta,
                    args.alpha, args.cubeMathType);
}
std::shared_ptr<Executor> plan(const BaddbmmArgs& args) {
  return plan_addmm({args.kOperator, args.self, args.batch1, args.batch2, args.out}, 3, args.beta, args.alpha,
                    args.cubeMathType);
}
std::shared_ptr<Executor> plan(const InplaceBaddbmmArgs& args) {
  return plan_addmm({args.kOperator, args.selfRef.read(), args.batch1, args.batch2, args.selfRef.written()}, 3,
                    args.beta, args.alpha, args.cubeMathType);
}
std::shared_ptr<Executor> plan(const AddbmmArgs& args) {
  return plan_addbmm({args.kOperator, args.self, args.batch1, args.batch2, args.out}, args.beta, args.alpha,
                     args.cubeMathType);
}
std::shared_ptr<Executor> plan(const InplaceAddbmmArgs& args) {
  return plan_addbmm({args.kOperator, args.selfRef.read(), args.batch1, args.batch2, args.selfRef.written()}, args.beta,
                     args.alpha, args.cubeMathType);
}
std::shared_ptr<Executor> plan(const AddmvArgs& args) {
  return plan_addmv({args.kOperator, args.self, args.mat, args.vec, args.out}, args.beta, args.alpha,
                    args.cubeMathType);
}
std::shared_ptr<Executor> plan(const AddrArgs& args) {
  return plan_addr({args.kOperator, args.self, args.vec1, args.vec2, args.out}, args.betaOptional, args.alphaOptional);
}
std::shared_ptr<Executor> plan(const InplaceAddrArgs& args) {
  return plan_addr({args.kOperator, args.selfRef.read(), args.vec1, args.vec2, args.selfRef.written()},
                   args.betaOptional, args.alphaOptional);
}
std::shared_ptr<Executor> plan(const GemmArgs& args) {
  return plan_gemm({args.kOperator, args.C, args.A, args.B, args.out}, args.beta, args.alpha, args.transA != 0,
                   args.transB != 0, args.cubeMathType);
}
std::shared_ptr<Executor> plan(const AddLoraArgs& args) {
  return plan_add_lora({args.y, args.x, args.weightB, args.indices, args.weightAOptional, args.layerIdx, args.scale,
                        args.yOffset, args.ySliceSize, args.out});
}

}  // namespace aclvk::ops
