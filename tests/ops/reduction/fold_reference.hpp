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

/// What the reductions to one value mean, on the host.
enum class Folded { kSum, kNansum, kMean, kProd, kMax, kMin, kAll, kAny, kLogSum };

inline Number fold_integers(Folded folded, const std::vector<Number>& x, aclDataType type) {
  Wide sum = 0;
  Wide product = 1;
  for (const Number value : x) {
    sum += static_cast<Wide>(value.real());
    product = static_cast<Wide>(wrap(product * static_cast<Wide>(value.real()), ACL_INT64));
  }
  if (folded == Folded::kProd) return wrap(product, type);
  if (folded == Folded::kMean) return wrap(x.empty() ? 0 : sum / static_cast<Wide>(x.size()), type);
  return wrap(sum, type);
}

inline Number fold_ordered(Folded folded, const std::vector<Number>& x) {
  Real best = x.front().real();
  for (const Number value : x) {
    const Real real = value.real();
    if (std::isnan(best)) break;
    const bool better = folded == Folded::kMax ? real > best : real < best;
    if (better || std::isnan(real)) best = real;
  }
  return best;
}

/// The reduction of some elements in `type`.
inline Number fold_reference(Folded folded, const std::vector<Number>& x, aclDataType type) {
  const auto is_true = [](Number value) { return value != Number(0); };
  if (folded == Folded::kAll) return Real(std::all_of(x.begin(), x.end(), is_true));
  if (folded == Folded::kAny) return Real(std::any_of(x.begin(), x.end(), is_true));
  if (folded == Folded::kMax || folded == Folded::kMin) return fold_ordered(folded, x);
  if (is_integer(type)) return fold_integers(folded, x, type);
  Number sum = 0;
  Number product = 1;
  for (const Number value : x) {
    const bool skipped = folded == Folded::kNansum && std::isnan(value.real());
    if (!skipped) sum += value;
    product *= value;
  }
  if (folded == Folded::kProd) return product;
  if (folded == Folded::kMean) return sum / Real(x.size());
  return folded == Folded::kLogSum ? Number(std::log(sum.real())) : sum;
}

/// What an operator under test is called with. Each takes what it has parameters for.
struct FoldCall {
  const aclTensor* self;
  const aclIntArray* dims;
  bool keep;
  aclDataType type;
  aclTensor* out;
  uint64_t* size;
  aclOpExecutor** executor;
};

struct FoldCase {
  const char* name;
  Folded folded;
  bool has_dims;
  std::function<aclnnStatus(const FoldCall&)> plan;
  Launch launch;
};

// clang-format off
#define CALLED_WITH(function, ...) \
  [](const FoldCall& c) { return function##GetWorkspaceSize(c.self, __VA_ARGS__, c.size, c.executor); }, function

inline const std::vector<FoldCase>& fold_cases() {
  static const std::vector<FoldCase> cases = {
      {"ReduceSum", Folded::kSum, true, CALLED_WITH(aclnnReduceSum, c.dims, c.keep, c.type, c.out)},
      {"ReduceNansum", Folded::kNansum, true, CALLED_WITH(aclnnReduceNansum, c.dims, c.keep, c.type, c.out)},
      {"Mean", Folded::kMean, true, CALLED_WITH(aclnnMean, c.dims, c.keep, c.type, c.out)},
      {"MeanV2", Folded::kMean, true, CALLED_WITH(aclnnMeanV2, c.dims, c.keep, false, c.out)},
      {"Prod", Folded::kProd, false, CALLED_WITH(aclnnProd, c.type, c.out)},
      {"Amax", Folded::kMax, true, CALLED_WITH(aclnnAmax, c.dims, c.keep, c.out)},
      {"Amin", Folded::kMin, true, CALLED_WITH(aclnnAmin, c.dims, c.keep, c.out)},
      {"Max", Folded::kMax, false, CALLED_WITH(aclnnMax, c.out)},
      {"Min", Folded::kMin, false, CALLED_WITH(aclnnMin, c.out)},
      {"MaxV2", Folded::kMax, true, CALLED_WITH(aclnnMaxV2, c.dims, c.keep, false, c.out)},
      {"All", Folded::kAll, true, CALLED_WITH(aclnnAll, c.dims, c.keep, c.out)},
      {"Any", Folded::kAny, true, CALLED_WITH(aclnnAny, c.dims, c.keep, c.out)},
      {"ReduceLogSum", Folded::kLogSum, true, CALLED_WITH(aclnnReduceLogSum, c.dims, c.keep, false, c.out)}};
  return cases;
}
// clang-format on

inline bool is_truth(Folded folded) { return folded == Folded::kAll || folded == Folded::kAny; }

inline bool takes(Folded folded, aclDataType type) {
  if (folded == Folded::kLogSum) return is_floating(type) && type != ACL_DOUBLE;
  return !is_complex(type) || folded == Folded::kSum || folded == Folded::kNansum || folded == Folded::kMean ||
         folded == Folded::kProd;
}

}  // namespace aclvk::test
