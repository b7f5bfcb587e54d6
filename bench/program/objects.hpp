#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "acl/acl.h"
#include "aclnn/acl_meta.h"
#include "aclvk/aclvk.h"

// The other side: what a program does through the public interface.
namespace acl {

/// Throws std::runtime_error with the library's sentence unless the code is 0.
void check(int code, const char* call);
#define ACL_CHECK(call) ::acl::check(call, #call)

/// aclInit and device 0, for as long as it lives.
class Session {
 public:
  Session();
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const aclvkDeviceInfo& device() const { return device_; }
  std::uint64_t submissions() const;

 private:
  aclvkDeviceInfo device_{};
};

class Stream {
 public:
  Stream();
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  operator aclrtStream() const { return stream_; }
  void wait() const;

 private:
  aclrtStream stream_ = nullptr;
};

/// A contiguous tensor of one dimension with memory of its own, every 32-bit word filled with `word`.
class Tensor {
 public:
  Tensor(std::size_t elements, float word, aclDataType type = ACL_FLOAT);
  ~Tensor();
  Tensor(const Tensor&) = delete;
  Tensor& operator=(const Tensor&) = delete;

  aclTensor* get() const { return tensor_; }
  void* memory() const { return memory_; }

 private:
  void* memory_ = nullptr;
  aclTensor* tensor_ = nullptr;
};

class Scalar {
 public:
  explicit Scalar(float value);
  ~Scalar();
  Scalar(const Scalar&) = delete;
  Scalar& operator=(const Scalar&) = delete;

  aclScalar* get() const { return scalar_; }

 private:
  aclScalar* scalar_ = nullptr;
};

/// A captured model.
class Model {
 public:
  explicit Model(aclmdlRI model) : model_(model) {}
  ~Model();
  Model(Model&& other) noexcept : model_(std::exchange(other.model_, nullptr)) {}
  Model& operator=(Model&&) = delete;

  void run(aclrtStream stream) const;

 private:
  aclmdlRI model_;
};

}  // namespace acl
