#include "ops/tensor/tensor_slots.hpp"

#include <memory>
#include <utility>

namespace aclvk::ops {
namespace {

/// Calls add(TensorPtr) with a copy of each tensor. One allocation has all copies.
template <typename Add>
void copy_each(std::vector<Tensor> tensors, const Add& add) {
  const auto copies = std::make_shared<const std::vector<Tensor>>(std::move(tensors));
  for (const Tensor& copy : *copies) add(TensorPtr(copies, &copy));
}

}  // namespace

TensorSlots::TensorSlots(std::initializer_list<const Tensor*> tensors) {
  if (tensors.size() == 1) {
    add(std::make_shared<const Tensor>(**tensors.begin()));
  } else {
    std::vector<Tensor> values;
    values.reserve(tensors.size());
    for (const Tensor* tensor : tensors) values.push_back(*tensor);
    copy_each(std::move(values), [this](TensorPtr copy) { add(std::move(copy)); });
  }
}

void TensorSlots::add(const Tensor* first, const Tensor* last) {
  const auto count = static_cast<std::size_t>(last - first);
  if (count == 1) return add(std::make_shared<const Tensor>(*first));
  if (count > 1) {
    tensors_.reserve(tensors_.size() + count);
    copy_each({first, last}, [this](TensorPtr copy) { tensors_.push_back(std::move(copy)); });
  }
  ends_.push_back(tensors_.size());
}

void TensorSlots::add(TensorPtr tensor) {
  if (tensor) tensors_.push_back(std::move(tensor));
  ends_.push_back(tensors_.size());
}

void TensorSlots::add(const std::vector<TensorPtr>& tensors) {
  tensors_.append(tensors.data(), tensors.data() + tensors.size());
  ends_.push_back(tensors_.size());
}

void TensorSlots::set_address(std::size_t number, void* address) {
  auto moved = std::make_shared<Tensor>(*tensors_[number]);
  moved->data = address;
  tensors_[number] = std::move(moved);
}

}  // namespace aclvk::ops
