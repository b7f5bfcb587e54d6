#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "acl/acl.h"
#include "aclnn/acl_meta.h"
#include "aclvk/aclvk.h"

// The library's side: the public interface, as programs use it.
namespace acl {

/// Throws std::runtime_error with the library's message unless the code is 0.
void check(int code, const char* call);
#define ACL_CHECK(call) ::acl::check(call, #call)

/// Initializes the library and opens device 0 during its lifetime.
class Session {
 public:
  Session();
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const aclvkDeviceInfo& device() const { return device_; }
  /// Returns how often the library has called vkQueueSubmit2.
  std::uint64_t submissions() const;

 private:
  aclvkDeviceInfo device_{};
};

/// An aclrtStream.
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

/// A contiguous tensor that owns its memory. Every 32-bit word is `word`.
class Tensor {
 public:
  using Shape = std::vector<std::int64_t>;

  Tensor(const Shape& shape, float word, aclDataType type = ACL_FLOAT);
  Tensor(std::size_t elements, float word, aclDataType type = ACL_FLOAT)
      : Tensor(Shape{static_cast<std::int64_t>(elements)}, word, type) {}
  ~Tensor();
  Tensor(const Tensor&) = delete;
  Tensor& operator=(const Tensor&) = delete;

  aclTensor* get() const { return tensor_; }
  void* memory() const { return memory_; }
  const Shape& shape() const { return shape_; }
  aclDataType type() const { return type_; }

 private:
  Shape shape_;
  aclDataType type_;
  void* memory_ = nullptr;
  aclTensor* tensor_ = nullptr;
};

/// A transposed view of a matrix, which must outlive it.
class Transposed {
 public:
  explicit Transposed(const Tensor& matrix);
  ~Transposed();
  Transposed(const Transposed&) = delete;
  Transposed& operator=(const Transposed&) = delete;

  aclTensor* get() const { return tensor_; }

 private:
  aclTensor* tensor_ = nullptr;
};

/// An aclIntArray.
class Ints {
 public:
  explicit Ints(const std::vector<std::int64_t>& values) : array_(aclCreateIntArray(values.data(), values.size())) {}
  ~Ints() { aclDestroyIntArray(array_); }
  Ints(const Ints&) = delete;
  Ints& operator=(const Ints&) = delete;

  aclIntArray* get() const { return array_; }

 private:
  aclIntArray* array_;
};

/// An aclScalar of type float.
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

/// The first phase of an operator with its operands bound, and the second phase.
using Plan = std::function<aclnnStatus(std::uint64_t* bytes, aclOpExecutor** executor)>;
using Run = aclnnStatus (*)(void* workspace, std::uint64_t bytes, aclOpExecutor* executor, aclrtStream stream);

/// A captured model of one operator, repeated `times` times, with its workspace.
class Operator {
 public:
  Operator(const Plan& plan, Run run, std::size_t times = 1);
  ~Operator();
  Operator(const Operator&) = delete;
  Operator& operator=(const Operator&) = delete;

  void replay() const { model_->run(stream_); }
  void wait() const { stream_.wait(); }

 private:
  Stream stream_;
  void* workspace_ = nullptr;
  std::optional<Model> model_;
};

}  // namespace acl
