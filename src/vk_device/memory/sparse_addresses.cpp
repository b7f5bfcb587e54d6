#include "vk_device/memory/sparse_addresses.hpp"

#include "base/error.hpp"
#include "vk_device/memory/device_pages.hpp"

namespace aclvk::vk {
namespace {

std::uint64_t round_up(std::uint64_t bytes, std::uint64_t unit) { return (bytes + unit - 1) / unit * unit; }

}  // namespace

SparseReservation::SparseReservation(std::shared_ptr<VulkanBuffer> buffer, std::shared_ptr<SparseQueue> queue,
                                     std::shared_ptr<const Gpu> gpu, std::uint64_t start, std::uint64_t bytes)
    : buffer_(std::move(buffer)), queue_(std::move(queue)), gpu_(std::move(gpu)), start_(start), bytes_(bytes) {}

void SparseReservation::map(std::uint64_t at, const Backing& backing) {
  const auto* memory = dynamic_cast<const DevicePages*>(&backing);
  check(memory && &memory->gpu() == gpu_.get(), Code::kFeatureNotSupported,
        "Only memory of {} can be mapped at its reserved addresses: they are those of a sparse buffer, at which the "
        "host and other devices see nothing.",
        gpu_->info().name);
  const bool aliased = static_cast<bool>(gpu_->limits().sparse_flags & ::vk::BufferCreateFlagBits::eSparseAliased);
  // Without sparseResidencyAliased, memory must not be bound twice.
  const bool alone = memory->mappings()++ == 0;
  try {
    check(alone || aliased, Code::kFeatureNotSupported,
          "The memory is mapped already, and {} can map it in one place only (sparseResidencyAliased).",
          gpu_->info().name);
    queue_->bind(*buffer_, at - buffer_->address(), memory->bytes(), memory->handle());
  } catch (...) {
    --memory->mappings();
    throw;
  }
}

// Unbound pages of a sparse resident buffer discard writes; reads are undefined without residencyNonResidentStrict.
void SparseReservation::unmap(std::uint64_t at, const Backing& backing) {
  queue_->bind(*buffer_, at - buffer_->address(), backing.bytes(), {});
  --static_cast<const DevicePages&>(backing).mappings();
}

class SparseAddressSource::SpaceClaim {
 public:
  SpaceClaim(std::shared_ptr<std::atomic<std::uint64_t>> used, const Gpu& gpu, std::uint64_t bytes)
      : used_(std::move(used)), bytes_(bytes) {
    const std::uint64_t all = gpu.limits().sparse_space;
    std::uint64_t used_now = *used_;
    do {
      check(bytes <= all && used_now <= all - bytes, Code::kMemoryAllocation,
            "{} bytes of addresses are asked for; {} of the {} bytes that {} has for sparse buffers are reserved.",
            bytes, used_now, all, gpu.info().name);
    } while (!used_->compare_exchange_weak(used_now, used_now + bytes));
  }
  ~SpaceClaim() { *used_ -= bytes_; }
  SpaceClaim(const SpaceClaim&) = delete;
  SpaceClaim& operator=(const SpaceClaim&) = delete;

 private:
  std::shared_ptr<std::atomic<std::uint64_t>> used_;
  std::uint64_t bytes_;
};

SparseAddressSource::SparseAddressSource(std::shared_ptr<const Gpu> gpu, std::shared_ptr<VulkanQueue> queue)
    : gpu_(std::move(gpu)),
      queue_(std::make_shared<SparseQueue>(gpu_, std::move(queue))),
      used_(std::make_shared<std::atomic<std::uint64_t>>(0)) {}

// Queried from a small buffer, because memory is allocated before any reservation. The requirements depend on flags and
// usage only.
const ::vk::MemoryRequirements& SparseAddressSource::requirements() {
  std::call_once(asked_, [this] {
    constexpr std::uint64_t kAnySize = std::uint64_t{2} << 20;
    requirements_ = VulkanBuffer(gpu_, SparseBytes{kAnySize}, nullptr).requirements();
  });
  return requirements_;
}

// The driver aligns a buffer to its pages only, so the buffer is larger and the reservation starts at a multiple of
// `alignment`. Vulkan has no address hint for sparse buffers.
std::shared_ptr<AddressReservation> SparseAddressSource::reserve(std::uint64_t bytes, std::uint64_t alignment,
                                                                 std::uint64_t) {
  const std::uint64_t spare = alignment - page();
  check(bytes <= UINT64_MAX - spare, Code::kMemoryAllocation,
        "{} bytes of addresses are asked for; an address space of 64 bits has fewer.", bytes);
  auto claim = std::make_shared<SpaceClaim>(used_, *gpu_, bytes + spare);
  auto buffer = std::make_shared<VulkanBuffer>(gpu_, SparseBytes{bytes + spare}, std::move(claim));
  check(buffer->address() % page() == 0, Code::kFeatureNotSupported,
        "{} gives a sparse buffer the address {:#x}, which is no multiple of its pages of {} bytes.", gpu_->info().name,
        buffer->address(), page());
  const std::uint64_t start = round_up(buffer->address(), alignment);
  return std::make_shared<SparseReservation>(std::move(buffer), queue_, gpu_, start, bytes);
}

std::shared_ptr<const Backing> SparseAddressSource::allocate(std::uint64_t bytes) {
  check_allocation_limit(*gpu_, bytes);
  const auto type = memory_type_for(*gpu_, MemoryUse::kDevice, requirements().memoryTypeBits);
  check(type.has_value(), Code::kMemoryAllocation, "{} has no memory type for sparse buffers.", gpu_->info().name);
  ExportPermit permit = gpu_->limits().exports_sparse ? acquire_export_permit(*gpu_) : nullptr;
  return std::make_shared<DevicePages>(gpu_, MemoryObject(*gpu_, *type, bytes, std::move(permit)));
}

std::shared_ptr<const Backing> SparseAddressSource::import_file(File file, const SharedBacking& shared) {
  check(shared.kind == SharedBacking::Kind::kDevicePages, Code::kParamInvalid,
        "The other process shares pages of the host, which cannot be mapped at reserved addresses of {}.",
        gpu_->info().name);
  check(gpu_->limits().exports_sparse, Code::kFeatureNotSupported,
        "{} cannot take memory of another process for sparse buffers.", gpu_->info().name);
  const bool fits = shared.memory_type < 32 && (requirements().memoryTypeBits & 1U << shared.memory_type) != 0 &&
                    shared.bytes > 0 && shared.bytes % page() == 0;
  check(fits, Code::kParamInvalid, "Memory of type {} with {} bytes can be bound to no sparse buffer of {}.",
        shared.memory_type, shared.bytes, gpu_->info().name);
  const auto type = static_cast<std::uint32_t>(shared.memory_type);
  return std::make_shared<DevicePages>(gpu_, MemoryObject(*gpu_, type, shared.bytes, std::move(file)));
}

}  // namespace aclvk::vk
