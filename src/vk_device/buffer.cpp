#include "vk_device/buffer.hpp"

#include "base/config.hpp"
#include "base/error.hpp"
#include "vk_device/buffer_impl.hpp"
#include "vk_device/vk_error.hpp"

namespace aclvk::vk {
namespace {

using Flag = ::vk::MemoryPropertyFlagBits;
using Flags = ::vk::MemoryPropertyFlags;

constexpr Flags kMappable = Flag::eHostVisible | Flag::eHostCoherent;
constexpr auto kHostHandle = ::vk::ExternalMemoryHandleTypeFlagBits::eHostAllocationEXT;

// Device memory that the host can write directly saves the staging copy, but only where the whole memory is like that
// (integrated, CPU, resizable BAR): the classic 256 MiB window of a discrete GPU would fill up at once.
std::optional<std::uint32_t> device_type(const Gpu& gpu, std::uint32_t bits) {
  const auto plain = gpu.find_memory_type(bits, Flag::eDeviceLocal, {});
  const auto both = gpu.find_memory_type(bits, Flag::eDeviceLocal | kMappable, {});
  if (!both || !plain || gpu.heap_bytes(*both) < gpu.heap_bytes(*plain) / 10 * 9) return plain;
  return both;
}

std::optional<std::uint32_t> memory_type(const Gpu& gpu, MemoryUse use, std::uint32_t bits) {
  if (use == MemoryUse::kDevice) return device_type(gpu, bits);
  return gpu.find_memory_type(bits, kMappable, Flag::eHostCached);
}

void check_limits(const Gpu& gpu, std::uint64_t bytes) {
  const Limits& limits = gpu.limits();
  check(bytes <= limits.buffer, Code::kMemoryAllocation,
        "{} bytes are asked for; a buffer of {} has at most {} (maxBufferSize).", bytes, gpu.info().name,
        limits.buffer);
  check(bytes <= limits.allocation, Code::kMemoryAllocation,
        "{} bytes are asked for; an allocation of {} has at most {} (maxMemoryAllocationSize).", bytes, gpu.info().name,
        limits.allocation);
}

}  // namespace

std::uint64_t BufferRange::address() const { return buffer->address() + offset; }

std::byte* BufferRange::mapped() const { return buffer->mapped() ? buffer->mapped() + offset : nullptr; }

std::uint64_t BufferRange::pointer() const {
  return buffer->on_host() ? reinterpret_cast<std::uintptr_t>(mapped()) : address();
}

Buffer::Buffer(std::shared_ptr<const Gpu> gpu, MemoryUse use, std::uint64_t bytes)
    : gpu_(std::move(gpu)), bytes_(bytes), on_host_(use == MemoryUse::kHost) {
  check_limits(*gpu_, bytes);
  create(false);
  const auto needed = buffer_.getMemoryRequirements();
  const auto type = memory_type(*gpu_, use, needed.memoryTypeBits);
  check(type.has_value(), Code::kMemoryAllocation, "{} has no memory type for {} bytes.", gpu_->info().name, bytes);
  bind(*type, needed.size, nullptr);

  const bool visible = gpu_->find_memory_type(1U << *type, kMappable, {}).has_value();
  if (!visible || (use == MemoryUse::kDevice && !config().host_visible)) return;
  mapped_ =
      guarded([&] { return static_cast<std::byte*>(memory_.mapMemory(0, VK_WHOLE_SIZE)); }, "mapping {} bytes", bytes);
}

Buffer::Buffer(std::shared_ptr<const Gpu> gpu, void* pages, std::uint64_t bytes)
    : gpu_(std::move(gpu)), bytes_(bytes), mapped_(static_cast<std::byte*>(pages)), on_host_(true) {
  check_limits(*gpu_, bytes);
  create(true);
  const auto importable = guarded([&] { return gpu_->device().getMemoryHostPointerPropertiesEXT(kHostHandle, pages); },
                                  "importing host memory");
  const auto needed = buffer_.getMemoryRequirements();
  const auto type = gpu_->find_memory_type(importable.memoryTypeBits & needed.memoryTypeBits, kMappable, {});
  check(type && needed.size <= bytes, Code::kFeatureNotSupported, "{} can not import {} bytes of host memory at {}.",
        gpu_->info().name, bytes, pages);
  const ::vk::ImportMemoryHostPointerInfoEXT import(kHostHandle, pages);
  bind(*type, bytes, &import);
}

void Buffer::create(bool imported) {
  using Usage = ::vk::BufferUsageFlagBits;
  constexpr auto kUsage = Usage::eStorageBuffer | Usage::eTransferSrc | Usage::eTransferDst | Usage::eIndirectBuffer |
                          Usage::eShaderDeviceAddress;
  const ::vk::ExternalMemoryBufferCreateInfo external(kHostHandle);
  ::vk::BufferCreateInfo info({}, bytes_, kUsage, ::vk::SharingMode::eExclusive);
  if (imported) info.pNext = &external;
  gpu_->note_created();
  buffer_ = guarded([&] { return ::vk::raii::Buffer(gpu_->device(), info); }, "creating a buffer of {} bytes", bytes_);
}

void Buffer::bind(std::uint32_t type, std::uint64_t bytes, const void* extension) {
  const ::vk::MemoryAllocateFlagsInfo flags(::vk::MemoryAllocateFlagBits::eDeviceAddress, 0, extension);
  const ::vk::MemoryAllocateInfo info(bytes, type, &flags);
  guarded(
      [&] {
        memory_ = ::vk::raii::DeviceMemory(gpu_->device(), info);
        buffer_.bindMemory(*memory_, 0);
      },
      "allocating {} bytes on {}", bytes, gpu_->info().name);
  address_ = gpu_->device().getBufferAddress(*buffer_);
}

std::uint64_t device_heap_bytes(const Gpu& gpu) {
  const auto type = device_type(gpu, ~0U);
  return type ? gpu.heap_bytes(*type) : 0;
}

}  // namespace aclvk::vk
