#pragma once

#include <cstdint>

#include "ops/matmul/equation.hpp"
#include "ops/operator.hpp"
#include "ops/staging.hpp"
#include "runtime/device/execution.hpp"

namespace aclvk::ops {

/// A tensor whose dims have labels, each another one.
struct Labelled {
  Tensor tensor;
  Labels labels;
};

/// Some labels, a bit each.
using LabelSet = std::uint64_t;
LabelSet set_of(const Labels& labels);

/// Makes sums of products of labelled tensors: the steps of an einsum. What it makes on the way is in the workspace.
class Contraction {
 public:
  Contraction(const char* name, Staging& staging, runtime::Execution execution)
      : name_(name), staging_(staging), execution_(execution) {}

  /// The sum over all labels that are not kept; the tensor itself where there are none.
  Labelled sum(const Labelled& tensor, LabelSet kept);
  /// The product of both, summed over what is not kept.
  Labelled multiply(const Labelled& first, const Labelled& second, LabelSet kept);
  /// The same into `out`, which has the labels that are kept.
  void sum_into(const Labelled& out, const Labelled& tensor);
  void multiply_into(const Labelled& out, const Labelled& first, const Labelled& second);

  Kernels take() { return std::move(kernels_); }

 private:
  Labelled make(const Labels& labels, const std::vector<const Labelled*>& sizes);
  Tensor grouped(const Labelled& tensor, const std::vector<Labels>& groups);

  const char* name_;
  Staging& staging_;
  runtime::Execution execution_;
  Kernels kernels_;
};

}  // namespace aclvk::ops
