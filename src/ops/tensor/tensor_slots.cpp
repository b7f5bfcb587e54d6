#include "ops/tensor/tensor_slots.hpp"

namespace aclvk::ops {

TensorSlots::TensorSlots(std::initializer_list<const Tensor*> tensors) {
  tensors_.reserve(tensors.size());
  for (const Tensor* tensor : tensors) {
    tensors_.push_back(*tensor);
    ends_.push_back(tensors_.size());
  }
}

void TensorSlots::add(const Tensor* first, const Tensor* last) {
  tensors_.insert(tensors_.end(), first, last);
  ends_.push_back(tensors_.size());
}

}  // namespace aclvk::ops
