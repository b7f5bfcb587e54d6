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

/// The tensors of an operator's parameters, in order. Each slot is a parameter: one tensor, a list, or none for an
/// optional parameter that is NULL. A tensor never changes, so slots share it with the program's handle and with each
/// other; set_address() exchanges it for a copy.
class TensorSlots {
 public:
  TensorSlots() = default;
  /// One slot for each tensor, which is copied.
  TensorSlots(std::initializer_list<const Tensor*> tensors);
  /// Reserves memory for so many tensors.
  void reserve(std::size_t tensors) { tensors_.reserve(tensors); }
  /// Appends a slot with copies of the tensors from `first` up to `last`.
  void add(const Tensor* first, const Tensor* last);
  /// Appends a slot with this tensor; with none for null.
  void add(TensorPtr tensor);
  /// Appends a slot with these tensors, none of which is null.
  void add(const std::vector<TensorPtr>& tensors);

  /// The number of slots.
  std::size_t size() const { return ends_.size(); }
  /// The number of tensors of a slot.
  std::size_t count(std::size_t slot) const { return ends_[slot] - start(slot); }
  const Tensor& tensor(std::size_t slot, std::size_t index) const { return *tensors_[number_of(slot, index)]; }

  // Tensors of all slots, numbered from 0 in their order.

  std::size_t tensors() const { return tensors_.size(); }
  std::size_t number_of(std::size_t slot, std::size_t index) const { return start(slot) + index; }
  const Tensor& tensor(std::size_t number) const { return *tensors_[number]; }
  /// Gives a tensor another address, in this slot only.
  void set_address(std::size_t number, void* address);

 private:
  std::size_t start(std::size_t slot) const { return slot == 0 ? 0 : ends_[slot - 1]; }

  InlineVector<TensorPtr, 2> tensors_;
  InlineVector<std::size_t, 4> ends_;  // the end of each slot in tensors_
};

}  // namespace aclvk::ops
