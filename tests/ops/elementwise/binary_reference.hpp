#pragma once

#include <functional>
#include <vector>

#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_div.h"
#include "aclnnop/aclnn_maximum.h"
#include "aclnnop/aclnn_minimum.h"
#include "aclnnop/aclnn_mul.h"
#include "aclnnop/aclnn_rsub.h"
#include "aclnnop/aclnn_sub.h"
#include "support/op_fixture.hpp"

namespace aclvk::test {

/// What the operators on two tensors mean, on the host.
enum class Meaning { kAdd, kSub, kRsub, kMul, kDiv, kDivTrunc, kDivFloor, kMaximum, kMinimum };

inline Number reference_integer(Meaning meaning, Wide x, Wide y, Wide a, aclDataType type) {
  switch (meaning) {
    case Meaning::kAdd: return wrap(x + a * y, type);
    case Meaning::kSub: return wrap(x - a * y, type);
    case Meaning::kRsub: return wrap(y - a * x, type);
    case Meaning::kMul: return wrap(x * y, type);
    case Meaning::kMaximum: return wrap(x > y ? x : y, type);
    case Meaning::kMinimum: return wrap(x < y ? x : y, type);
    default: break;
  }
  if (y == 0) return Real{0};
  const Wide quotient = x / y;
  const bool below = meaning == Meaning::kDivFloor && quotient * y != x && (x < 0) != (y < 0);
  return wrap(below ? quotient - 1 : quotient, type);
}

inline Number reference_real(Meaning meaning, Real x, Real y, Real a, aclDataType compute) {
  const auto product = [&](Real p, Real q) { return round_real(p * q, compute); };
  switch (meaning) {
    case Meaning::kAdd: return round_real(x + product(a, y), compute);
    case Meaning::kSub: return round_real(x - product(a, y), compute);
    case Meaning::kRsub: return round_real(y - product(a, x), compute);
    case Meaning::kMul: return product(x, y);
    case Meaning::kDiv: return round_real(x / y, compute);
    case Meaning::kDivTrunc: return std::trunc(round_real(x / y, compute));
    case Meaning::kDivFloor: return std::floor(round_real(x / y, compute));
    case Meaning::kMaximum: return std::isnan(x) || std::isnan(y) ? x + y : std::max(x, y);
    default: return std::isnan(x) || std::isnan(y) ? x + y : std::min(x, y);
  }
}

inline Number reference_complex(Meaning meaning, Number x, Number y, Number a) {
  switch (meaning) {
    case Meaning::kAdd: return x + a * y;
    case Meaning::kSub: return x - a * y;
    case Meaning::kRsub: return y - a * x;
    case Meaning::kMul: return x * y;
    default: return x / y;
  }
}

/// The operator on two elements, computed in `promoted`.
inline Number reference(Meaning meaning, Number x, Number y, Number a, aclDataType promoted) {
  if (is_complex(promoted)) return reference_complex(meaning, x, y, a);
  if (is_integer(promoted)) {
    return reference_integer(meaning, static_cast<Wide>(x.real()), static_cast<Wide>(y.real()),
                             static_cast<Wide>(a.real()), promoted);
  }
  const aclDataType compute = promoted == ACL_DOUBLE ? ACL_DOUBLE : ACL_FLOAT;
  const Number result = reference_real(meaning, rounded(x, promoted).real(), rounded(y, promoted).real(),
                                       round_real(a.real(), compute), compute);
  return rounded(result, promoted);
}

/// f32 sums and products are IEEE; integers have one answer. The rest keeps the thresholds of the specification.
inline bool is_exact(Meaning meaning, aclDataType promoted) {
  if (is_integer(promoted)) return true;
  const bool sum_or_product = meaning != Meaning::kDiv && meaning != Meaning::kDivTrunc;
  return promoted == ACL_FLOAT && sum_or_product;
}

/// An operator on two tensors as a test calls it: alpha is ignored by those that have none.
struct TensorOp {
  const char* name;
  Meaning meaning;
  std::function<aclnnStatus(const aclTensor*, const aclTensor*, const aclScalar*, aclTensor*, uint64_t*,
                            aclOpExecutor**)>
      plan;
  Launch launch;
};

inline std::vector<TensorOp> tensor_ops() {
  using T = const aclTensor*;
  using S = const aclScalar*;
  using E = aclOpExecutor**;
  return {
      {"Add", Meaning::kAdd,
       [](T x, T y, S a, aclTensor* z, uint64_t* n, E e) { return aclnnAddGetWorkspaceSize(x, y, a, z, n, e); },
       aclnnAdd},
      {"Sub", Meaning::kSub,
       [](T x, T y, S a, aclTensor* z, uint64_t* n, E e) { return aclnnSubGetWorkspaceSize(x, y, a, z, n, e); },
       aclnnSub},
      {"Rsub", Meaning::kRsub,
       [](T x, T y, S a, aclTensor* z, uint64_t* n, E e) { return aclnnRsubGetWorkspaceSize(x, y, a, z, n, e); },
       aclnnRsub},
      {"Mul", Meaning::kMul,
       [](T x, T y, S, aclTensor* z, uint64_t* n, E e) { return aclnnMulGetWorkspaceSize(x, y, z, n, e); }, aclnnMul},
      {"Div", Meaning::kDiv,
       [](T x, T y, S, aclTensor* z, uint64_t* n, E e) { return aclnnDivGetWorkspaceSize(x, y, z, n, e); }, aclnnDiv},
      {"DivTrunc", Meaning::kDivTrunc,
       [](T x, T y, S, aclTensor* z, uint64_t* n, E e) { return aclnnDivModGetWorkspaceSize(x, y, 1, z, n, e); },
       aclnnDivMod},
      {"DivFloor", Meaning::kDivFloor,
       [](T x, T y, S, aclTensor* z, uint64_t* n, E e) { return aclnnDivModGetWorkspaceSize(x, y, 2, z, n, e); },
       aclnnDivMod},
      {"Maximum", Meaning::kMaximum,
       [](T x, T y, S, aclTensor* z, uint64_t* n, E e) { return aclnnMaximumGetWorkspaceSize(x, y, z, n, e); },
       aclnnMaximum},
      {"Minimum", Meaning::kMinimum,
       [](T x, T y, S, aclTensor* z, uint64_t* n, E e) { return aclnnMinimumGetWorkspaceSize(x, y, z, n, e); },
       aclnnMinimum},
  };
}

/// Whether torch and the specification know the operator for tensors of this dtype.
inline bool takes(Meaning meaning, aclDataType type) {
  const bool division = meaning == Meaning::kDivTrunc || meaning == Meaning::kDivFloor;
  const bool order = meaning == Meaning::kMaximum || meaning == Meaning::kMinimum;
  if (is_complex(type)) return !division && !order;
  if (type == ACL_BOOL) return !division && meaning != Meaning::kSub && meaning != Meaning::kRsub;
  return true;
}

}  // namespace aclvk::test
