#pragma once

#include <cstdint>
#include <string_view>

#include "ops/strided.hpp"
#include "ops/tensor_parameters.hpp"

namespace aclvk::ops {

// Where random numbers come from: Philox by seed, offset and the number of an element, the other half of
// shaders/random/source.glsl. Different offsets have no words in common.

/// What an operator is called with: seed and offset, or tensors that hold them when the work runs. Then the offset is
/// added to that of the tensor.
struct SourceHandles {
  bool in_memory = false;
  const void* seed_tensor = nullptr;
  const void* offset_tensor = nullptr;
  std::uint64_t seed = 0;
  std::uint64_t offset = 0;
};
template <typename Number>
SourceHandles given_source(Number seed, Number offset) {
  return {false, nullptr, nullptr, static_cast<std::uint64_t>(seed), static_cast<std::uint64_t>(offset)};
}
template <typename Number>
SourceHandles source_in_memory(const void* seed_tensor, const void* offset_tensor, Number offset) {
  return {true, seed_tensor, offset_tensor, 0, static_cast<std::uint64_t>(offset)};
}

/// A source in a run.
struct Source {
  const Tensor* seed_tensor = nullptr;
  const Tensor* offset_tensor = nullptr;
  std::uint64_t seed = 0;
  std::uint64_t offset = 0;
};

/// The parameters of an operator that say where its numbers come from.
class SourceParameters {
 public:
  SourceParameters(TensorParameters& tensors, const SourceHandles& handles);
  /// Seed and offset are single integers of 64 bits (161002).
  void check(const TensorParameters& tensors) const;
  Source in(const TensorParameters::BoundTensors& bound) const;

 private:
  const SourceHandles handles_;
  TensorParameters::ParamId seed_ = TensorParameters::ParamId::kNone;
  TensorParameters::ParamId offset_ = TensorParameters::ParamId::kNone;
};

/// A call of a shader that includes source.glsl, up to operands 0 and 1 and the constants and arguments of the source.
/// The lanes count the elements of a shape in row-major order. Lives as long as its call.
struct SourceCall {
  SourceCall(const char* name, std::string_view shader, const Source& source, DType promoted, const Tensor& out);
  SourceCall(const SourceCall&) = delete;
  SourceCall& operator=(const SourceCall&) = delete;

  const Shape numbers;  ///< the steps of lanes that count
  const Shape none;     ///< those of lanes that stay where they are
  const Tensor any;  ///< stands in for an operand that there is not: what is given needs no memory, every operand some
  StridedCall call;
};

}  // namespace aclvk::ops
