#include "vk_device/buffer.hpp"

#include <sys/resource.h>

#include <atomic>

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
constexpr auto kFileHandle = ::vk::ExternalMemoryHandleTypeFlagBits::eOpaqueFd;

// CPU drivers keep a file open for each allocation that may be exported. Programs need files for themselves, so a
// quarter of what the process may have is the limit; later allocations cannot be exported.
class FilePermit {
 public:
  static std::shared_ptr<const void> ask(const Gpu& gpu) {
    if (!gpu.limits().exports_buffers || !config().shared_memory) return nullptr;
    if (gpu.info().kind != DeviceKind::kCpu) return std::make_shared<int>(0);
    rlimit files{};
    getrlimit(RLIMIT_NOFILE, &files);
    if (given_++ < files.rlim_cur / 4) return std::make_shared<FilePermit>();
    --given_;
    return nullptr;
  }
  FilePermit() = default;
  ~FilePermit() { --given_; }
  FilePermit(const FilePermit&) = delete;
  FilePermit& operator=(const FilePermit&) = delete;

 private:
  static inline std::atomic<std::uint64_t> given_{0};
};

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
  if (use == MemoryUse::kDevice) file_permit_ = FilePermit::ask(*gpu_);
  create(file_permit_ ? kFileHandle : Handle{});
  const auto needed = buffer_.getMemoryRequirements();
  const auto type = memory_type(*gpu_, use, needed.memoryTypeBits);
  check(type.has_value(), Code::kMemoryAllocation, "{} has no memory type for {} bytes.", gpu_->info().name, bytes);
  const ::vk::ExportMemoryAllocateInfo exported(kFileHandle);
  bind(*type, needed.size, file_permit_ ? &exported : nullptr);
  map_if_wanted(use);
}

Buffer::Buffer(std::shared_ptr<const Gpu> gpu, void* pages, std::uint64_t bytes)
    : gpu_(std::move(gpu)), bytes_(bytes), mapped_(static_cast<std::byte*>(pages)), on_host_(true) {
  import(pages);
}

Buffer::Buffer(std::shared_ptr<const Gpu> gpu, void* pages, std::uint64_t bytes, std::shared_ptr<const void> addresses)
    : gpu_(std::move(gpu)), addresses_(std::move(addresses)), bytes_(bytes), on_host_(false) {
  import(pages);
  check(address_ == reinterpret_cast<std::uintptr_t>(pages), Code::kFeatureNotSupported,
        "{} gives memory at {} the device address {:#x}; reserved addresses have to be the same on both sides.",
        gpu_->info().name, pages, address_);
  if (config().host_visible) mapped_ = static_cast<std::byte*>(pages);
}

Buffer::Buffer(std::shared_ptr<const Gpu> gpu, File file, const SharedRange& shared)
    : gpu_(std::move(gpu)), bytes_(shared.buffer_bytes), on_host_(false) {
  create(kFileHandle);
  const auto needed = buffer_.getMemoryRequirements();
  const bool fits = shared.memory_type < 32 && (needed.memoryTypeBits & 1U << shared.memory_type) != 0 &&
                    needed.size <= shared.memory_bytes;
  check(fits, Code::kParamInvalid, "Memory of type {} with {} bytes holds no buffer of {} bytes on {}.",
        shared.memory_type, shared.memory_bytes, shared.buffer_bytes, gpu_->info().name);
  const ::vk::ImportMemoryFdInfoKHR import(kFileHandle, file.number());
  bind(static_cast<std::uint32_t>(shared.memory_type), shared.memory_bytes, &import);
  file.give_away();  // to the driver, which keeps it only when the call succeeds
  map_if_wanted(MemoryUse::kDevice);
}

void Buffer::map_if_wanted(MemoryUse use) {
  const bool visible = gpu_->find_memory_type(1U << memory_type_, kMappable, {}).has_value();
  if (!visible || (use == MemoryUse::kDevice && !config().host_visible)) return;
  mapped_ =
      guarded([&] { return static_cast<std::byte*>(memory_.mapMemory(0, VK_WHOLE_SIZE)); }, "mapping {} bytes", bytes_);
}

void Buffer::import(void* pages) {
  check_limits(*gpu_, bytes_);
  create(kHostHandle);
  const auto importable = guarded([&] { return gpu_->device().getMemoryHostPointerPropertiesEXT(kHostHandle, pages); },
                                  "importing host memory");
  const auto needed = buffer_.getMemoryRequirements();
  const auto type = gpu_->find_memory_type(importable.memoryTypeBits & needed.memoryTypeBits, kMappable, {});
  check(type && needed.size <= bytes_, Code::kFeatureNotSupported, "{} can not import {} bytes of host memory at {}.",
        gpu_->info().name, bytes_, pages);
  const ::vk::ImportMemoryHostPointerInfoEXT import(kHostHandle, pages);
  bind(*type, bytes_, &import);
}

File Buffer::export_memory(SharedRange& out) const {
  check(gpu_->limits().exports_buffers, Code::kFeatureNotSupported,
        "{} cannot give its memory to another process (VK_KHR_external_memory_fd).", gpu_->info().name);
  check(config().shared_memory, Code::kFeatureNotSupported, "ACLVK_SHARED_MEMORY is 0: memory stays in its process.");
  check(file_permit_ != nullptr, Code::kMemoryAllocation,
        "This memory was allocated when {} held a quarter of the files that the process may open; raise that limit "
        "(ulimit -n) to share more.",
        gpu_->info().name);
  out.memory_bytes = memory_bytes_;
  out.buffer_bytes = bytes_;
  out.memory_type = memory_type_;
  return File(guarded([&] { return gpu_->device().getMemoryFdKHR({*memory_, kFileHandle}); }, "exporting memory"));
}

void Buffer::create(::vk::ExternalMemoryHandleTypeFlags external) {
  const ::vk::ExternalMemoryBufferCreateInfo handles(external);
  ::vk::BufferCreateInfo info({}, bytes_, kBufferUsage, ::vk::SharingMode::eExclusive);
  if (external) info.pNext = &handles;
  gpu_->note_created();
  buffer_ = guarded([&] { return ::vk::raii::Buffer(gpu_->device(), info); }, "creating a buffer of {} bytes", bytes_);
}

void Buffer::bind(std::uint32_t type, std::uint64_t bytes, const void* extension) {
  const ::vk::MemoryAllocateFlagsInfo flags(::vk::MemoryAllocateFlagBits::eDeviceAddress, 0, extension);
  const ::vk::MemoryAllocateInfo info(bytes, type, &flags);
  memory_type_ = type;
  memory_bytes_ = bytes;
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
