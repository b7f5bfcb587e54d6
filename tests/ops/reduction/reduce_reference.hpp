#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "aclnnop/aclnn_all.h"
#include "aclnnop/aclnn_amax.h"
#include "aclnnop/aclnn_amin.h"
#include "aclnnop/aclnn_any.h"
#include "aclnnop/aclnn_max.h"
#include "aclnnop/aclnn_max_v2.h"
#include "aclnnop/aclnn_mean.h"
#include "aclnnop/aclnn_min.h"
#include "aclnnop/aclnn_prod.h"
#include "aclnnop/aclnn_reduce_log_sum.h"
#include "aclnnop/aclnn_reduce_nansum.h"
#include "aclnnop/aclnn_reduce_sum.h"
#include "support/reduced.hpp"

namespace aclvk::test {

/// The reductions, for the reference on the host.
enum class ReduceKind { kSum, kNansum, kMean, kProd, kMax, kMin, kAll, kAny, kLogSum };

inline Number reduce_integers(ReduceKind kind, const std::vector<Number>& x, aclDataType type) {
  Wide sum = 0;
  Wide product = 1;
  for (const Number value : x) {
    sum += static_cast<Wide>(value.real());
    product = static_cast<Wide>(wrap(product * static_cast<Wide>(value.real()), ACL_INT64));
  }
  if (kind == ReduceKind::kProd) return wrap(product, type);
  if (kind == ReduceKind::kMean) return wrap(x.empty() ? 0 : sum / static_cast<Wide>(x.size()), type);
  return wrap(sum, type);
}

inline Number reduce_ordered(ReduceKind kind, const std::vector<Number>& x) {
  Real best = x.front().real();
  for (const Number value : x) {
    const Real real = value.real();
    if (std::isnan(best)) break;
    const bool better = kind == ReduceKind::kMax ? real > best : real < best;
    if (better || std::isnan(real)) best = real;
  }
  return best;
}

/// Returns the reduction of elements in `type`.
inline Number reduce_reference(ReduceKind kind, const std::vector<Number>& x, aclDataType type) {
  const auto is_true = [](Number value) { return value != Number(0); };
  if (kind == ReduceKind::kAll) return Real(std::all_of(x.begin(), x.end(), is_true));
  if (kind == ReduceKind::kAny) return Real(std::any_of(x.begin(), x.end(), is_true));
  if (kind == ReduceKind::kMax || kind == ReduceKind::kMin) return reduce_ordered(kind, x);
  if (is_integer(type)) return reduce_integers(kind, x, type);
  Number sum = 0;
  Number product = 1;
  for (const Number value : x) {
    const bool skipped = kind == ReduceKind::kNansum && std::isnan(value.real());
    if (!skipped) sum += value;
    product *= value;
  }
  if (kind == ReduceKind::kProd) return product;
  if (kind == ReduceKind::kMean) return sum / Real(x.size());
  return kind == ReduceKind::kLogSum ? Number(std::log(sum.real())) : sum;
}

/// The arguments of an operator under test. Each operator uses those that it has parameters for.
struct ReduceCall {
  const aclTensor* self;
  const aclIntArray* dims;
  bool keep;
  aclDataType type;
  aclTensor* out;
  uint64_t* size;
  aclOpExecutor** executor;
};

struct ReduceCase {
  const char* name;
  ReduceKind kind;
  bool has_dims;
  std::function<aclnnStatus(const ReduceCall&)> plan;
  Launch launch;
};

// clang-format off
#define CALLED_WITH(function, ...) \
  [](const ReduceCall& c) { return function##GetWorkspaceSize(c.self, __VA_ARGS__, c.size, c.executor); }, function

inline const std::vector<ReduceCase>& reduce_cases() {
  static const std::vector<ReduceCase> cases = {
      {"ReduceSum", ReduceKind::kSum, true, CALLED_WITH(aclnnReduceSum, c.dims, c.keep, c.type, c.out)},
      {"ReduceNansum", ReduceKind::kNansum, true, CALLED_WITH(aclnnReduceNansum, c.dims, c.keep, c.type, c.out)},
      {"Mean", ReduceKind::kMean, true, CALLED_WITH(aclnnMean, c.dims, c.keep, c.type, c.out)},
      {"MeanV2", ReduceKind::kMean, true, CALLED_WITH(aclnnMeanV2, c.dims, c.keep, false, c.out)},
      {"Prod", ReduceKind::kProd, false, CALLED_WITH(aclnnProd, c.type, c.out)},
      {"Amax", ReduceKind::kMax, true, CALLED_WITH(aclnnAmax, c.dims, c.keep, c.out)},
      {"Amin", ReduceKind::kMin, true, CALLED_WITH(aclnnAmin, c.dims, c.keep, c.out)},
      {"Max", ReduceKind::kMax, false, CALLED_WITH(aclnnMax, c.out)},
      {"Min", ReduceKind::kMin, false, CALLED_WITH(aclnnMin, c.out)},
      {"MaxV2", ReduceKind::kMax, true, CALLED_WITH(aclnnMaxV2, c.dims, c.keep, false, c.out)},
      {"All", ReduceKind::kAll, true, CALLED_WITH(aclnnAll, c.dims, c.keep, c.out)},
      {"Any", ReduceKind::kAny, true, CALLED_WITH(aclnnAny, c.dims, c.keep, c.out)},
      {"ReduceLogSum", ReduceKind::kLogSum, true, CALLED_WITH(aclnnReduceLogSum, c.dims, c.keep, false, c.out)}};
  return cases;
}
// clang-format on

inline bool is_truth(ReduceKind kind) { return kind == ReduceKind::kAll || kind == ReduceKind::kAny; }

inline bool takes(ReduceKind kind, aclDataType type) {
  if (kind == ReduceKind::kLogSum) return is_floating(type) && type != ACL_DOUBLE;
  return !is_complex(type) || kind == ReduceKind::kSum || kind == ReduceKind::kNansum || kind == ReduceKind::kMean ||
         kind == ReduceKind::kProd;
}

}  // namespace aclvk::test
