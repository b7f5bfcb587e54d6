#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"
#include "ops/kernel/staging.hpp"
#include "ops/reduction/reduction.hpp"

namespace aclvk::ops {

/// The handles of p-norm operators. Names are those of their parameters.
struct NormHandles {
  InputArg self{};
  ScalarArg exponent{};
  IntArrayArg dims{};
  bool keep = false;
  std::optional<int> dtype{};
  OutputArg out{};
};

/// aclnnNorm, aclnnLinalgVectorNorm.
std::shared_ptr<Executor> plan_norm(const char* name, const NormHandles& handles);

/// The row of norm.def for an exponent.
std::uint32_t row_of_norm(double exponent);

/// The norm of all elements of a tensor, as a step of an operator. Dtypes have been checked.
Reduction norm_of_all(const char* name, const Scalar& exponent, const Tensor& self, const Tensor& out);

/// aclnnRenorm and, with self as out, aclnnInplaceRenorm: slices along `dim` whose p-norm exceeds max_norm are scaled
/// down to it.
std::shared_ptr<Executor> plan_renorm(const char* name, const InputArg& self, const ScalarArg& exponent,
                                      std::int64_t dim, const ScalarArg& max_norm, const OutputArg& out);

/// The tensors of a renorm that is a step of another operator.
struct Renorm {
  double exponent;
  double max_norm;
  DimMask along;
};
Kernels renorm_kernels(const char* name, const Renorm& call, const Tensor& self, const Tensor& out, Staging& staging);

}  // namespace aclvk::ops
