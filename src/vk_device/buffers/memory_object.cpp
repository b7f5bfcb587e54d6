#include "vk_device/buffers/memory_object.hpp"

#include <sys/resource.h>

#include <atomic>

#include "base/config.hpp"
#include "base/error.hpp"
#include "vk_device/gpu/vk_error.hpp"

namespace aclvk::vk {
namespace {

using Flag = ::vk::MemoryPropertyFlagBits;

class FilePermit {
 public:
  static ExportPermit acquire() {
    rlimit files{};
    getrlimit(RLIMIT_NOFILE, &files);
    // Counts before it compares, so that concurrent threads together stay below the limit.
    if (count_++ < files.rlim_cur / 4) return std::make_shared<FilePermit>();
    --count_;
    return nullptr;
  }
  FilePermit() = default;
  ~FilePermit() { --count_; }
  FilePermit(const FilePermit&) = delete;
  FilePermit& operator=(const FilePermit&) = delete;

 private:
  static inline std::atomic<std::uint64_t> count_{0};
};

// Host-visible device memory saves the staging copy. It is used only where all device memory is host-visible
// (integrated GPUs, CPUs, resizable BAR): the 256 MiB window of other discrete GPUs would fill up.
std::optional<std::uint32_t> device_type(const Gpu& gpu, std::uint32_t bits) {
  const auto plain = gpu.find_memory_type(bits, Flag::eDeviceLocal, {});
  const auto both = gpu.find_memory_type(bits, Flag::eDeviceLocal | kMappable, {});
  if (!both || !plain || gpu.heap_bytes(*both) < gpu.heap_bytes(*plain) / 10 * 9) return plain;
  return both;
}

}  // namespace

std::optional<std::uint32_t> memory_type_for(const Gpu& gpu, MemoryUse use, std::uint32_t bits) {
  if (use == MemoryUse::kDevice) return device_type(gpu, bits);
  return gpu.find_memory_type(bits, kMappable, Flag::eHostCached);
}

std::uint64_t device_heap_bytes(const Gpu& gpu) {
  const auto type = device_type(gpu, ~0U);
  return type ? gpu.heap_bytes(*type) : 0;
}

void check_allocation_limit(const Gpu& gpu, std::uint64_t bytes) {
  check(bytes <= gpu.limits().max_allocation, Code::kMemoryAllocation,
        "{} bytes are asked for; an allocation of {} has at most {} (maxMemoryAllocationSize).", bytes, gpu.info().name,
        gpu.limits().max_allocation);
}

ExportPermit acquire_export_permit(const Gpu& gpu) {
  if (!gpu.limits().exports_buffers || !config().shared_memory) return nullptr;
  // Only CPU drivers keep a descriptor open for each exportable allocation.
  if (gpu.info().kind != DeviceKind::kCpu) return std::make_shared<int>(0);
  return FilePermit::acquire();
}

MemoryObject::MemoryObject(const Gpu& gpu, std::uint32_t type, std::uint64_t bytes, ExportPermit permit)
    : permit_(std::move(permit)), type_(type), bytes_(bytes) {
  const ::vk::ExportMemoryAllocateInfo exported(kFileHandle);
  allocate(gpu, permit_ ? &exported : nullptr);
}

MemoryObject::MemoryObject(const Gpu& gpu, std::uint32_t type, std::uint64_t bytes, File file)
    : type_(type), bytes_(bytes) {
  const ::vk::ImportMemoryFdInfoKHR import(kFileHandle, file.fd());
  allocate(gpu, &import);
  file.release();  // the driver owns the descriptor after a successful import
}

MemoryObject::MemoryObject(const Gpu& gpu, std::uint32_t type, std::uint64_t bytes, void* pages)
    : type_(type), bytes_(bytes) {
  const ::vk::ImportMemoryHostPointerInfoEXT import(kHostHandle, pages);
  allocate(gpu, &import);
}

void MemoryObject::allocate(const Gpu& gpu, const void* extension) {
  const auto flags = chained(::vk::MemoryAllocateFlagsInfo(::vk::MemoryAllocateFlagBits::eDeviceAddress), extension);
  const auto info = chained(::vk::MemoryAllocateInfo(bytes_, type_), &flags);
  memory_ = guarded([&] { return ::vk::raii::DeviceMemory(gpu.device(), info); }, "allocating {} bytes on {}", bytes_,
                    gpu.info().name);
}

std::byte* MemoryObject::map() const {
  return guarded([&] { return static_cast<std::byte*>(memory_.mapMemory(0, VK_WHOLE_SIZE)); }, "mapping {} bytes",
                 bytes_);
}

File MemoryObject::export_file(const Gpu& gpu) const {
  check(gpu.limits().exports_buffers, Code::kFeatureNotSupported,
        "{} cannot give its memory to another process (VK_KHR_external_memory_fd).", gpu.info().name);
  check(config().shared_memory, Code::kFeatureNotSupported, "ACLVK_SHARED_MEMORY is 0: memory stays in its process.");
  check(permit_ != nullptr, Code::kMemoryAllocation,
        "This memory was allocated when {} held a quarter of the files that the process may open; raise that limit "
        "(ulimit -n) to share more.",
        gpu.info().name);
  return File(guarded([&] { return gpu.device().getMemoryFdKHR({*memory_, kFileHandle}); }, "exporting memory"));
}

}  // namespace aclvk::vk
