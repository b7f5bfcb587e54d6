#pragma once

#include <cstdint>
#include <string_view>

#include "ops/executor/tensor_parameters.hpp"
#include "ops/kernel/strided.hpp"

namespace aclvk::ops {

// The source of random numbers: Philox, keyed by the seed, with the offset and the element's index as the counter.
// Different offsets yield disjoint streams of words. The host's half of shaders/random/source.glsl.

/// Seed and offset as the caller passes them: numbers, or tensors that are read when the kernel runs. Then the number
/// `offset` is added to the tensor's.
struct SourceHandles {
  bool in_memory = false;
  InputArg seed_tensor{};
  InputArg offset_tensor{};
  std::uint64_t seed = 0;
  std::uint64_t offset = 0;
};
template <typename Number>
SourceHandles given_source(Number seed, Number offset) {
  return {false, {}, {}, static_cast<std::uint64_t>(seed), static_cast<std::uint64_t>(offset)};
}
template <typename Number>
SourceHandles source_in_memory(const InputArg& seed_tensor, const InputArg& offset_tensor, Number offset) {
  return {true, seed_tensor, offset_tensor, 0, static_cast<std::uint64_t>(offset)};
}

/// The seed and the offset of a run.
struct Source {
  const Tensor* seed_tensor = nullptr;
  const Tensor* offset_tensor = nullptr;
  std::uint64_t seed = 0;
  std::uint64_t offset = 0;
};

/// The parameters of an operator for its random source.
class SourceParameters {
 public:
  SourceParameters(TensorParameters& tensors, const SourceHandles& handles);
  /// Throws 161002 unless seed and offset are single 64-bit integers.
  void check(const TensorParameters& tensors) const;
  Source in(const TensorParameters::BoundTensors& bound) const;

 private:
  const SourceHandles handles_;
  TensorParameters::ParamId seed_ = TensorParameters::ParamId::kNone;
  TensorParameters::ParamId offset_ = TensorParameters::ParamId::kNone;
};

/// Builds the call of a shader that includes source.glsl: operands 0 and 1, and the constants and arguments of the
/// source. Lanes are linear indices of a shape. The call refers to this object.
struct SourceCall {
  SourceCall(const char* name, std::string_view shader, const Source& source, DType promoted, const Tensor& out);
  SourceCall(const SourceCall&) = delete;
  SourceCall& operator=(const SourceCall&) = delete;

  const Shape numbers;  ///< the steps of lanes that are linear indices
  const Shape none;     ///< steps of 0
  const Tensor any;     ///< replaces an operand whose value is given on the host: each operand needs memory
  StridedCall call;
};

}  // namespace aclvk::ops
