#pragma once

#include <cstdint>

#include "ops/executor/operator.hpp"
#include "ops/kernel/staging.hpp"
#include "ops/matmul/products/equation.hpp"
#include "runtime/context/execution.hpp"

namespace aclvk::ops {

/// A tensor and the distinct labels of its dims.
struct Labelled {
  Tensor tensor;
  Labels labels;
};

/// A set of labels, one bit each.
using LabelSet = std::uint64_t;
LabelSet set_of(const Labels& labels);

/// Records the steps of an einsum: sums and products of labelled tensors. Intermediate results live in the workspace.
class Contraction {
 public:
  Contraction(const char* name, Staging& staging, runtime::Execution execution)
      : name_(name), staging_(staging), execution_(execution) {}

  /// Returns the sum over all labels that are not in `kept`; the tensor itself if there are none.
  Labelled sum(const Labelled& tensor, LabelSet kept);
  /// Returns the product of both, summed over the labels that are not in `kept`.
  Labelled multiply(const Labelled& first, const Labelled& second, LabelSet kept);
  /// Write the result to `out`, whose labels are those that are kept.
  void sum_into(const Labelled& out, const Labelled& tensor);
  void multiply_into(const Labelled& out, const Labelled& first, const Labelled& second);

  /// Hands over the kernels recorded so far.
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
