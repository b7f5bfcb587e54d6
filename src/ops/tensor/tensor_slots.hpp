#pragma once

#include <cstddef>
#include <initializer_list>
#include <vector>

#include "base/inline_vector.hpp"
#include "ops/tensor/tensor.hpp"

namespace aclvk::ops {

/// An in-place parameter: an input slot and an output slot, which always get the same address. An output that merely
/// has the address of an input is a parameter of its own.
struct UpdatedSlots {
  std::size_t input;
  std::size_t output;
};

/// Copies of the tensors of an operator's parameters, in order. Each slot is a parameter: one tensor, a list, or none
/// for an optional parameter that is NULL.
class TensorSlots {
 public:
  TensorSlots() = default;
  /// One slot for each tensor.
  TensorSlots(std::initializer_list<const Tensor*> tensors);
  /// Reserves memory for so many tensors.
  void reserve(std::size_t tensors) { tensors_.reserve(tensors); }
  /// Appends a slot with the tensors from `first` up to `last`.
  void add(const Tensor* first, const Tensor* last);

  /// The number of slots.
  std::size_t size() const { return ends_.size(); }
  /// The number of tensors of a slot.
  std::size_t count(std::size_t slot) const { return ends_[slot] - start(slot); }
  const Tensor& tensor(std::size_t slot, std::size_t index) const { return tensors_[start(slot) + index]; }
  Tensor& tensor(std::size_t slot, std::size_t index) { return tensors_[start(slot) + index]; }
  /// The tensors of all slots, in order.
  const std::vector<Tensor>& all() const { return tensors_; }
  std::vector<Tensor>& all() { return tensors_; }

 private:
  std::size_t start(std::size_t slot) const { return slot == 0 ? 0 : ends_[slot - 1]; }

  std::vector<Tensor> tensors_;        // of all slots, in order
  InlineVector<std::size_t, 4> ends_;  // the end of each slot in tensors_
};

}  // namespace aclvk::ops
