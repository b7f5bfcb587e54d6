#pragma once

#include <cstdint>

#include "aclnnop/aclnn_add.h"
#include "program/objects.hpp"

namespace endurance {

/// Throws unless the two are equal: "cells of stream 2 hold 7; 8 is expected."
void expect(std::int64_t value, std::int64_t expected, const char* what);

/// An int32 scalar.
class Number {
 public:
  explicit Number(std::int32_t value) : scalar_(aclCreateScalar(&value, ACL_INT32)) {}
  ~Number() { aclDestroyScalar(scalar_); }
  Number(const Number&) = delete;
  Number& operator=(const Number&) = delete;

  aclScalar* get() const { return scalar_; }

 private:
  aclScalar* scalar_;
};

/// Eight equal integers in device memory, which kernels count in.
class Counter {
 public:
  Counter() : tensor_(std::size_t{8}, 0.0F, ACL_INT32) {}

  /// All += by, one kernel.
  void add(std::int32_t by, aclrtStream stream) const;
  /// All = those of `in` + by, one kernel.
  void set(const Counter& in, std::int32_t by, aclrtStream stream) const;
  /// What they are now. Throws unless they are equal.
  std::int32_t value() const;

  aclTensor* tensor() const { return tensor_.get(); }
  void* memory() const { return tensor_.memory(); }
  static constexpr std::size_t kBytes = 8 * sizeof(std::int32_t);

 private:
  const acl::Tensor tensor_;
};

}  // namespace endurance
