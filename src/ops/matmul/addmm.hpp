#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor.hpp"

namespace aclvk::ops {

/// Arguments of products to which a tensor is added: out = beta * self + alpha * (first second). Names are those of
/// their parameters.
struct AddedProduct {
  const char* name;
  const void* self;
  const char* self_name;
  const void* first;
  const char* first_name;
  const void* second;
  const char* second_name;
  const void* out;  ///< self for an in-place operator
  const char* out_name;
};

/// aclnnAddmm (rank 2), aclnnBaddbmm (rank 3) and those in place; self broadcasts to the shape of the product.
std::shared_ptr<Executor> plan_addmm(const AddedProduct& handles, std::size_t rank, const void* beta, const void* alpha,
                                     std::int8_t cube_math_type);
/// aclnnAddbmm, aclnnInplaceAddbmm: the products of a batch are added up.
std::shared_ptr<Executor> plan_addbmm(const AddedProduct& handles, const void* beta, const void* alpha,
                                      std::int8_t cube_math_type);
/// aclnnAddmv: a matrix and a vector.
std::shared_ptr<Executor> plan_addmv(const AddedProduct& handles, const void* beta, const void* alpha,
                                     std::int8_t cube_math_type);
/// aclnnAddr, aclnnInplaceAddr: a column and a row; scalars that are NULL are 1.
std::shared_ptr<Executor> plan_addr(const AddedProduct& handles, const void* beta, const void* alpha);
/// aclnnGemm: matrices that may be transposed.
std::shared_ptr<Executor> plan_gemm(const AddedProduct& handles, float beta, float alpha, bool transposes_first,
                                    bool transposes_second, std::int8_t cube_math_type);

}  // namespace aclvk::ops
