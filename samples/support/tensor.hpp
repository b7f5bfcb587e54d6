#pragma once

#include <cstdint>
#include <vector>

#include "check.hpp"

/// Device memory with a row-major tensor.
class Tensor {
 public:
  Tensor(const std::vector<std::int64_t>& shape, aclDataType type = ACL_FLOAT) : bytes_(aclDataTypeSize(type)) {
    for (const std::int64_t size : shape) bytes_ *= static_cast<std::size_t>(size);
    CHECK(aclrtMalloc(&address_, bytes_, ACL_MEM_MALLOC_HUGE_FIRST));
    CHECK(aclrtMemset(address_, bytes_, 0, bytes_));
    tensor_ = view(shape, type);
  }
  Tensor(const std::vector<std::int64_t>& shape, const std::vector<float>& values) : Tensor(shape) {
    CHECK(aclrtMemcpy(address_, bytes_, values.data(), bytes_, ACL_MEMCPY_HOST_TO_DEVICE));
  }
  ~Tensor() {
    aclDestroyTensor(tensor_);
    aclrtFree(address_);
  }
  Tensor(const Tensor&) = delete;
  Tensor& operator=(const Tensor&) = delete;

  operator aclTensor*() const { return tensor_; }

  /// Returns another shape of the same memory, which the caller destroys.
  aclTensor* view(const std::vector<std::int64_t>& shape, aclDataType type = ACL_FLOAT) const {
    std::vector<std::int64_t> strides(shape.size(), 1);
    for (std::size_t i = shape.size(); i-- > 1;) strides[i - 1] = strides[i] * shape[i];
    return aclCreateTensor(shape.data(), shape.size(), type, strides.data(), 0, ACL_FORMAT_ND, shape.data(),
                           shape.size(), address_);
  }

  template <typename T>
  void set(const std::vector<T>& values) {
    CHECK(aclrtMemcpy(address_, bytes_, values.data(), values.size() * sizeof(T), ACL_MEMCPY_HOST_TO_DEVICE));
  }
  template <typename T>
  std::vector<T> get() const {
    std::vector<T> values(bytes_ / sizeof(T));
    CHECK(aclrtMemcpy(values.data(), bytes_, address_, bytes_, ACL_MEMCPY_DEVICE_TO_HOST));
    return values;
  }

 private:
  std::size_t bytes_;
  void* address_ = nullptr;
  aclTensor* tensor_ = nullptr;
};
