#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"

namespace aclvk::ops {

/// The arguments of products to which a tensor is added: out = beta * self + alpha * (first second). The names appear
/// in error messages.
struct AddedProduct {
  const char* name;
  InputArg self;
  InputArg first;
  InputArg second;
  OutputArg out;  ///< self for an operator in place
};

/// Plans aclnnAddmm (rank 2), aclnnBaddbmm (rank 3) and their forms in place. self broadcasts to the shape of the
/// product.
std::shared_ptr<Executor> plan_addmm(const AddedProduct& handles, std::size_t rank, const ScalarArg& beta,
                                     const ScalarArg& alpha, std::int8_t cube_math_type);
/// Plans aclnnAddbmm and aclnnInplaceAddbmm: the products of a batch are summed.
std::shared_ptr<Executor> plan_addbmm(const AddedProduct& handles, const ScalarArg& beta, const ScalarArg& alpha,
                                      std::int8_t cube_math_type);
/// Plans aclnnAddmv: a matrix times a vector.
std::shared_ptr<Executor> plan_addmv(const AddedProduct& handles, const ScalarArg& beta, const ScalarArg& alpha,
                                     std::int8_t cube_math_type);
/// Plans aclnnAddr and aclnnInplaceAddr: the outer product of two vectors. Scalars that are NULL are 1.
std::shared_ptr<Executor> plan_addr(const AddedProduct& handles, const ScalarArg& beta, const ScalarArg& alpha);
/// Plans aclnnGemm: each factor may be transposed.
std::shared_ptr<Executor> plan_gemm(const AddedProduct& handles, float beta, float alpha, bool transposes_first,
                                    bool transposes_second, std::int8_t cube_math_type);

}  // namespace aclvk::ops
