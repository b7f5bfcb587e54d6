// The operators of this folder.
#include <memory>

#include "ops/args/sort.hpp"
#include "ops/sort/sort.hpp"
#include "ops/sort/unique.hpp"

namespace aclvk::ops {

// Every sort is stable, so `stable` has no effect.
std::shared_ptr<Executor> plan(const SortArgs& args) {
  return plan_sort(args.kOperator, args.self, args.dim, args.descending, true, args.valuesOut, args.indicesOut);
}
std::shared_ptr<Executor> plan(const ArgsortArgs& args) {
  return plan_sort(args.kOperator, args.self, args.dim, args.descending, false, {}, args.out);
}
std::shared_ptr<Executor> plan(const TopkArgs& args) {
  return plan_topk(args.self, args.k, args.dim, args.largest, args.valuesOut, args.indicesOut);
}
std::shared_ptr<Executor> plan(const KthvalueArgs& args) {
  return plan_kth_value({args.kOperator, args.self, args.dim, args.keepdim, args.valuesOut, args.indicesOut}, args.k);
}
std::shared_ptr<Executor> plan(const MedianArgs& args) {
  return plan_median(args.kOperator, false, args.self, args.valuesOut);
}
std::shared_ptr<Executor> plan(const NanMedianArgs& args) {
  return plan_median(args.kOperator, true, args.self, args.out);
}
std::shared_ptr<Executor> plan(const MedianDimArgs& args) {
  return plan_median_dim({args.kOperator, args.self, args.dim, args.keepDim, args.valuesOut, args.indicesOut}, false);
}
std::shared_ptr<Executor> plan(const NanMedianDimArgs& args) {
  return plan_median_dim({args.kOperator, args.self, args.dim, args.keepDim, args.valuesOut, args.indicesOut}, true);
}
// The results are sorted always, so `sorted` has no effect.
std::shared_ptr<Executor> plan(const UniqueArgs& args) {
  return plan_unique({args.kOperator, args.self, args.returnInverse, false, args.valueOut, args.inverseOut, {}});
}
std::shared_ptr<Executor> plan(const Unique2Args& args) {
  return plan_unique({args.kOperator, args.self, args.returnInverse, args.returnCounts, args.valueOut, args.inverseOut,
                      args.countsOut});
}
std::shared_ptr<Executor> plan(const UniqueDimArgs& args) {
  return plan_unique_dim(
      {args.kOperator, args.self, args.returnInverse, true, args.valueOut, args.inverseOut, args.countsOut}, args.dim);
}
std::shared_ptr<Executor> plan(const UniqueConsecutiveArgs& args) {
  return plan_unique_consecutive({args.kOperator, args.self, args.returnInverse, args.returnCounts, args.valueOut,
                                  args.inverseOut, args.countsOut},
                                 args.dim);
}

}  // namespace aclvk::ops
