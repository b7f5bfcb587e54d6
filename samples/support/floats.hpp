#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "check.hpp"

/// Device memory for floats, with a one-dimensional tensor.
class Floats {
 public:
  explicit Floats(const std::vector<float>& values) : bytes_(values.size() * sizeof(float)) {
    CHECK(aclrtMalloc(&address_, bytes_, ACL_MEM_MALLOC_HUGE_FIRST));
    const std::int64_t shape = static_cast<std::int64_t>(values.size());
    const std::int64_t stride = 1;
    tensor_ = aclCreateTensor(&shape, 1, ACL_FLOAT, &stride, 0, ACL_FORMAT_ND, &shape, 1, address_);
    set(values);
  }
  ~Floats() {
    aclDestroyTensor(tensor_);
    aclrtFree(address_);
  }
  Floats(const Floats&) = delete;
  Floats& operator=(const Floats&) = delete;

  aclTensor* tensor() const { return tensor_; }
  void* address() const { return address_; }
  std::size_t bytes() const { return bytes_; }

  void set(const std::vector<float>& values) {
    CHECK(aclrtMemcpy(address_, bytes_, values.data(), bytes_, ACL_MEMCPY_HOST_TO_DEVICE));
  }
  std::string text() const {
    std::vector<float> values(bytes_ / sizeof(float));
    CHECK(aclrtMemcpy(values.data(), bytes_, address_, bytes_, ACL_MEMCPY_DEVICE_TO_HOST));
    std::string text;
    for (const float value : values) {
      char number[32];
      std::snprintf(number, sizeof(number), " %g", static_cast<double>(value));
      text += number;
    }
    return text.substr(1);
  }

 private:
  std::size_t bytes_ = 0;
  void* address_ = nullptr;
  aclTensor* tensor_ = nullptr;
};

/// An aclScalar of type float.
class Scalar {
 public:
  explicit Scalar(float value) : scalar_(aclCreateScalar(&value, ACL_FLOAT)) {}
  ~Scalar() { aclDestroyScalar(scalar_); }
  Scalar(const Scalar&) = delete;
  Scalar& operator=(const Scalar&) = delete;
  operator const aclScalar*() const { return scalar_; }

 private:
  aclScalar* scalar_ = nullptr;
};
