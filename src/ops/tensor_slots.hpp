#pragma once

#include <cstddef>
#include <initializer_list>
#include <vector>

#include "base/inline_vector.hpp"
#include "ops/tensor.hpp"

namespace aclvk::ops {

/// A parameter that the operator reads and writes: a slot of the inputs and one of the outputs, whose tensors move
/// together. (An output that merely has the address of an input is a parameter of its own.)
struct UpdatedSlots {
  std::size_t input;
  std::size_t output;
};

/// The parameters of an operator that stand for tensors, in order: each for one, for a list, or for none (an optional
/// one left out). Holds copies of the tensors.
class TensorSlots {
 public:
  TensorSlots() = default;
  /// Parameters that are one tensor each.
  TensorSlots(std::initializer_list<const Tensor*> tensors);
  /// Room for so many tensors.
  void reserve(std::size_t tensors) { tensors_.reserve(tensors); }
  /// One more parameter, a list.
  void add(const Tensor* first, const Tensor* last);

  /// The number of parameters.
  std::size_t size() const { return ends_.size(); }
  /// The number of tensors of a parameter.
  std::size_t count(std::size_t slot) const { return ends_[slot] - start(slot); }
  const Tensor& tensor(std::size_t slot, std::size_t index) const { return tensors_[start(slot) + index]; }
  Tensor& tensor(std::size_t slot, std::size_t index) { return tensors_[start(slot) + index]; }
  /// The tensors of all parameters, one after the other.
  const std::vector<Tensor>& all() const { return tensors_; }
  std::vector<Tensor>& all() { return tensors_; }

 private:
  std::size_t start(std::size_t slot) const { return slot == 0 ? 0 : ends_[slot - 1]; }

  std::vector<Tensor> tensors_;        // of all parameters, one after the other
  InlineVector<std::size_t, 4> ends_;  // of each parameter in tensors_
};

}  // namespace aclvk::ops
