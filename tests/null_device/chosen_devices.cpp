// Lets aclvk_null_device_tests use null devices from its first call on, and computes on the host what their only kernel
// would: self + alpha * scalar, as aclnnAdds and aclnnInplaceAdds launch it for contiguous tensors. Captures count on
// it.
#include "null_device/chosen_devices.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/word_copy.hpp"
#include "ops/elementwise/tables.hpp"

namespace aclvk {
namespace {

// The argument block of shaders/common/pointwise.glsl, in bytes: threads, two attributes or one, a scalar.
constexpr std::size_t kAlphaOffset = 4;
constexpr std::size_t kScalarOffset = 20;
// The specialization constants of shaders/common/strided.glsl for three operands.
constexpr std::size_t kAccessModes = 1;
constexpr std::size_t kOperator = 8;
constexpr std::uint32_t kNotLoaded = 3;

bool adds_scalar(const vk::Dispatch& dispatch) {
  const vk::Constants& constants = dispatch.constants;
  return constants.size() > kOperator && constants[kOperator] == static_cast<std::uint32_t>(ops::BinaryOp::kAdd) &&
         (constants[kAccessModes] >> 2 & 3U) == kNotLoaded;
}

template <typename T>
T argument(const vk::Dispatch& dispatch, std::size_t offset) {
  T value{};
  std::memcpy(&value, dispatch.arguments.data() + offset, sizeof(value));
  return value;
}

template <typename T>
void add_scalar(const vk::Dispatch& dispatch) {
  const vk::BufferRange& in = dispatch.operands.front().range;
  const vk::BufferRange& out = dispatch.operands.back().range;
  if (!adds_scalar(dispatch) || in.size != out.size) return;
  const T addend = argument<T>(dispatch, kAlphaOffset) * argument<T>(dispatch, kScalarOffset);
  for (std::uint64_t at = 0; at < out.size; at += sizeof(T)) {
    T element;
    copy_host_bytes(&element, bytes_of(in) + at, sizeof(element));
    element += addend;
    copy_host_bytes(bytes_of(out) + at, &element, sizeof(element));
  }
}

void run(const vk::Dispatch& dispatch) {
  if (dispatch.shader == "elementwise/binary_f32") add_scalar<float>(dispatch);
  if (dispatch.shader == "elementwise/binary_i32") add_scalar<std::int32_t>(dispatch);
  if (dispatch.shader == "elementwise/binary_i64") add_scalar<std::int64_t>(dispatch);
}

// Leaked: the library uses its devices until the process ends.
NullDevices& choose_null_devices() {
  auto* devices = new NullDevices;
  devices->set_implementation(run);
  vk::set_device_source(devices);
  return *devices;
}

NullDevices& chosen = choose_null_devices();

}  // namespace

std::shared_ptr<NullDevice> opened_null_device() { return chosen.find(0); }

}  // namespace aclvk
