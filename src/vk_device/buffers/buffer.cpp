#include "vk_device/buffers/buffer.hpp"

#include "base/config.hpp"
#include "base/error.hpp"
#include "vk_device/buffers/buffer_impl.hpp"
#include "vk_device/buffers/registered_memory.hpp"
#include "vk_device/gpu/vk_error.hpp"

namespace aclvk::vk {
namespace {

void check_buffer_limit(const Gpu& gpu, std::uint64_t bytes) {
  check(bytes <= gpu.limits().max_buffer, Code::kMemoryAllocation,
        "{} bytes are asked for; a buffer of {} has at most {} (maxBufferSize).", bytes, gpu.info().name,
        gpu.limits().max_buffer);
}

}  // namespace

std::uint64_t BufferRange::address() const { return buffer->address() + offset; }

std::byte* BufferRange::mapped() const { return buffer->mapped() ? buffer->mapped() + offset : nullptr; }

bool is_registered_host_memory(const BufferRange& range) { return range.buffer->registered(); }

std::uint64_t BufferRange::pointer() const {
  return buffer->on_host() ? reinterpret_cast<std::uintptr_t>(mapped()) : address();
}

VulkanBuffer::VulkanBuffer(std::shared_ptr<const Gpu> gpu, MemoryUse use, std::uint64_t bytes)
    : Buffer(bytes, use == MemoryUse::kHost ? Owner::kHost : Owner::kDevice), gpu_(std::move(gpu)) {
  check_buffer_limit(*gpu_, bytes);
  check_allocation_limit(*gpu_, bytes);
  // The handle types of a buffer and of its memory must agree, so the permit precedes both.
  ExportPermit permit = use == MemoryUse::kDevice ? acquire_export_permit(*gpu_) : nullptr;
  create({}, permit ? kFileHandle : Handle{});
  const auto needed = buffer_.getMemoryRequirements();
  const auto type = memory_type_for(*gpu_, use, needed.memoryTypeBits);
  check(type.has_value(), Code::kMemoryAllocation, "{} has no memory type for {} bytes.", gpu_->info().name, bytes);
  bind({*gpu_, *type, needed.size, std::move(permit)});
  map_if_wanted(use);
}

VulkanBuffer::VulkanBuffer(std::shared_ptr<const Gpu> gpu, void* pages, std::uint64_t bytes)
    : Buffer(bytes, Owner::kProgram), gpu_(std::move(gpu)) {
  set_mapped(static_cast<std::byte*>(pages));
  import(pages);
}

VulkanBuffer::VulkanBuffer(std::shared_ptr<const Gpu> gpu, void* pages, std::uint64_t bytes,
                           std::shared_ptr<const void> addresses)
    : Buffer(bytes, Owner::kDevice), gpu_(std::move(gpu)), addresses_(std::move(addresses)) {
  import(pages);
  check(address() == reinterpret_cast<std::uintptr_t>(pages), Code::kFeatureNotSupported,
        "{} gives memory at {} the device address {:#x}; reserved addresses have to be the same on both sides.",
        gpu_->info().name, pages, address());
  if (config().host_visible) set_mapped(static_cast<std::byte*>(pages));
}

VulkanBuffer::VulkanBuffer(std::shared_ptr<const Gpu> gpu, File file, const SharedRange& shared)
    : Buffer(shared.buffer_bytes, Owner::kDevice), gpu_(std::move(gpu)) {
  create({}, kFileHandle);
  const auto needed = buffer_.getMemoryRequirements();
  const bool fits = shared.memory_type < 32 && (needed.memoryTypeBits & 1U << shared.memory_type) != 0 &&
                    needed.size <= shared.memory_bytes;
  check(fits, Code::kParamInvalid, "Memory of type {} with {} bytes holds no buffer of {} bytes on {}.",
        shared.memory_type, shared.memory_bytes, shared.buffer_bytes, gpu_->info().name);
  bind({*gpu_, static_cast<std::uint32_t>(shared.memory_type), shared.memory_bytes, std::move(file)});
  map_if_wanted(MemoryUse::kDevice);
}

VulkanBuffer::VulkanBuffer(std::shared_ptr<const Gpu> gpu, SparseBytes bytes, std::shared_ptr<const void> retained)
    : Buffer(bytes.count, Owner::kDevice), gpu_(std::move(gpu)), addresses_(std::move(retained)) {
  check_buffer_limit(*gpu_, bytes.count);
  // A sparse buffer has an address before memory is bound to it; other buffers get theirs in bind().
  create(gpu_->limits().sparse_flags, gpu_->limits().exports_sparse ? kFileHandle : Handle{});
  set_address(gpu_->device().getBufferAddress(*buffer_));
}

void VulkanBuffer::map_if_wanted(MemoryUse use) {
  // ACLVK_HOST_VISIBLE=0 leaves device memory unmapped, as on a discrete GPU, so that copies use staging.
  const bool visible = gpu_->find_memory_type(1U << memory_.type(), kMappable, {}).has_value();
  if (!visible || (use == MemoryUse::kDevice && !config().host_visible)) return;
  set_mapped(memory_.map());
}

void VulkanBuffer::import(void* pages) {
  check_buffer_limit(*gpu_, bytes());
  check_allocation_limit(*gpu_, bytes());
  create({}, kHostHandle);
  // The pages and the buffer need a common memory type.
  const auto importable = guarded([&] { return gpu_->device().getMemoryHostPointerPropertiesEXT(kHostHandle, pages); },
                                  "importing host memory");
  const auto needed = buffer_.getMemoryRequirements();
  const auto type = gpu_->find_memory_type(importable.memoryTypeBits & needed.memoryTypeBits, kMappable, {});
  check(type && needed.size <= bytes(), Code::kFeatureNotSupported, "{} cannot import {} bytes of host memory at {}.",
        gpu_->info().name, bytes(), pages);
  bind({*gpu_, *type, bytes(), pages});
}

File VulkanBuffer::export_memory(SharedRange& out) const {
  File file = memory_.export_file(*gpu_);
  out.memory_bytes = memory_.bytes();
  out.buffer_bytes = bytes();
  out.memory_type = memory_.type();
  return file;
}

::vk::MemoryRequirements VulkanBuffer::requirements() const { return buffer_.getMemoryRequirements(); }

void VulkanBuffer::create(::vk::BufferCreateFlags flags, ::vk::ExternalMemoryHandleTypeFlags external) {
  const ::vk::ExternalMemoryBufferCreateInfo handles(external);
  ::vk::BufferCreateInfo info(flags, bytes(), kBufferUsage, ::vk::SharingMode::eExclusive);
  if (external) info.pNext = &handles;
  gpu_->count_created();
  buffer_ = guarded([&] { return ::vk::raii::Buffer(gpu_->device(), info); }, "creating a buffer of {} bytes", bytes());
}

void VulkanBuffer::bind(MemoryObject memory) {
  memory_ = std::move(memory);
  guarded([&] { buffer_.bindMemory(memory_.handle(), 0); }, "binding {} bytes on {}", bytes(), gpu_->info().name);
  set_address(gpu_->device().getBufferAddress(*buffer_));
}

}  // namespace aclvk::vk
