#include "runtime/memory/copy.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <memory>
#include <vector>

#include "base/error.hpp"
#include "base/word_copy.hpp"
#include "runtime/device/device_regions.hpp"
#include "runtime/memory/memory.hpp"
#include "runtime/stream/scheduler.hpp"
#include "vk_device/commands/copy_commands.hpp"

namespace aclvk::runtime {
namespace {

/// The size of the staging buffer of copies by way of host memory: a larger one needs fewer submissions, a smaller one
/// less pinned memory.
constexpr std::uint64_t kChunkBytes = 16 << 20;

/// One end of a copy, resolved and checked.
struct Endpoint {
  std::shared_ptr<Device> device;  // null for pageable memory
  vk::BufferRange range;           // empty for pageable memory
  std::byte* host = nullptr;       // host address; null where the memory is not mapped
};

Location::Kind kind_of(const vk::AllocationInfo& allocation) {
  if (vk::on_device(allocation.placement)) return Location::Kind::kDevice;
  return is_managed(allocation) ? Location::Kind::kManaged : Location::Kind::kPinned;
}

// Pinned memory of a retired device stays valid host memory until it is freed.
bool outlives_device(const void* pointer) {
  const auto retired = retired_devices();
  return std::any_of(retired.begin(), retired.end(), [&](const auto& device) {
    const auto allocation = device->memory().describe(pointer);
    return allocation && !vk::on_device(allocation->placement);
  });
}

// Returns whether the address belongs to a device, but to no live allocation.
bool is_dead(const void* pointer) {
  return (DeviceRegions::instance().contain(pointer) && !outlives_device(pointer)) || is_reserved(pointer);
}

// Checks row by row where the gaps may span whole pages, which need not be mapped.
bool accessible(const void* pointer, const Extent& extent, HostAccess access) {
  constexpr std::uint64_t kGap = 4096;  // the smallest page of a host
  if (extent.height == 1 || extent.pitch - extent.width < kGap) {
    return host_accessible(pointer, extent.bytes(), access);
  }
  const auto* row = static_cast<const std::byte*>(pointer);
  for (std::uint64_t i = 0; i < extent.height; ++i, row += extent.pitch) {
    if (!host_accessible(row, extent.width, access)) return false;
  }
  return true;
}

Endpoint pageable_endpoint(const void* pointer, const Extent& extent, const char* what, HostAccess access) {
  check(!is_dead(pointer), Code::kParamInvalid,
        "{} {} lies in device memory, but in no live allocation: it has been freed, or is past the end of one.", what,
        pointer);
  check(accessible(pointer, extent, access), Code::kParamInvalid,
        "{} {} with {} bytes is neither in a live allocation nor memory of this process that can be {}.", what, pointer,
        extent.bytes(), access_verb(access));
  return {nullptr, {}, static_cast<std::byte*>(const_cast<void*>(pointer))};
}

Endpoint resolve(const void* pointer, const Extent& extent, const char* what, HostAccess access) {
  auto found = find_allocation(pointer);
  if (!found) return pageable_endpoint(pointer, extent, what, access);
  const vk::AllocationInfo& allocation = found->allocation;
  const bool registered = allocation.placement == vk::Placement::kRegistered;
  const auto range = found->device->memory().find(pointer, extent.bytes());
  // A registered range is part of pageable memory of the program, so that a copy may cross its end.
  if (!range && registered) return pageable_endpoint(pointer, extent, what, access);
  check(range.has_value(), Code::kParamInvalid, "{} {} with {} bytes ends outside its allocation of {} bytes at {:#x}.",
        what, pointer, extent.bytes(), allocation.size, allocation.start);
  check(!registered || accessible(pointer, extent, access), Code::kParamInvalid,
        "{} {} with {} bytes is registered, but is not memory of this process any more that can be {}.", what, pointer,
        extent.bytes(), access_verb(access));
  const bool own_address = vk::on_device(allocation.placement);
  if (own_address) found->device->check_not_lost();  // a copy by the host would not notice the loss
  std::byte* host = own_address ? range->mapped() : static_cast<std::byte*>(const_cast<void*>(pointer));
  return {std::move(found->device), *range, host};
}

Endpoint destination(void* pointer, const Extent& extent) {
  return resolve(pointer, extent, "Destination", HostAccess::kWrite);
}

Endpoint source(const void* pointer, const Extent& extent) {
  return resolve(pointer, extent, "Source", HostAccess::kRead);
}

// A stream may wait for the value of a word that has just been written.
void notify_waiting_streams(const Endpoint& written) {
  if (!written.device) return;
  const SchedulerLock lock;
  Scheduler::instance().changed();
}

/// Records commands with `record`, submits them to the first queue and waits for them, but for no stream.
void submit_and_wait(vk::Device& gpu, const std::function<void(vk::CommandRecorder&)>& record) {
  const auto recorder = gpu.record(vk::Level::kPrimary);
  record(*recorder);
  const auto timeline = gpu.create_timeline();
  gpu.queue(0).submit({{recorder->finish()}, {}, {timeline, 1}});
  timeline->wait(1);
  gpu.check_not_lost();
}

// Compares addresses: the memory of a reservation may be in two buffers (vk_device/memory/host_addresses.cpp).
bool overlap(const vk::BufferRange& a, const vk::BufferRange& b) {
  return a.address() < b.address() + b.size && b.address() < a.address() + a.size;
}

/// Returns true when dst follows src in memory. A copy in steps then begins at the end, so that bytes of src are read
/// before they are overwritten if the two overlap.
bool copies_from_end(const Endpoint& dst, const Endpoint& src) {
  if (dst.host || src.host) return dst.host && src.host && dst.host > src.host;
  return dst.range.address() > src.range.address();
}

void copy_through_host(const Endpoint& dst, const Endpoint& src) {
  const std::uint64_t bytes = dst.range.size;
  const bool from_end = copies_from_end(dst, src);
  std::vector<std::byte> chunk(std::min(bytes, kChunkBytes));
  for (std::uint64_t done = 0; done < bytes; done += kChunkBytes) {
    const std::uint64_t size = std::min(kChunkBytes, bytes - done);
    const std::uint64_t at = from_end ? bytes - done - size : done;
    src.device->gpu().read(chunk.data(), src.range.slice(at, size));
    dst.device->gpu().write(dst.range.slice(at, size), chunk.data());
  }
}

void copy_endpoints(const Endpoint& dst, const Endpoint& src, std::uint64_t bytes) {
  if (dst.host && src.host) {
    copy_host_bytes(dst.host, src.host, bytes);
  } else if (src.host) {
    dst.device->gpu().write(dst.range, src.host);
  } else if (dst.host) {
    src.device->gpu().read(dst.host, src.range);
  } else if (dst.device->shares_gpu(*src.device) && !overlap(dst.range, src.range)) {
    submit_and_wait(dst.device->gpu(), [&](vk::CommandRecorder& recorder) { recorder.copy(dst.range, src.range); });
  } else {
    copy_through_host(dst, src);
  }
}

/// One end of a copy of rows.
struct Rows {
  Endpoint endpoint;
  std::uint64_t pitch = 0;

  std::uint64_t address() const {
    return endpoint.host ? reinterpret_cast<std::uintptr_t>(endpoint.host) : endpoint.range.address();
  }
  std::byte* host(std::uint64_t row) const { return endpoint.host + row * pitch; }
  vk::BufferRange part(std::uint64_t row, std::uint64_t count, std::uint64_t width) const {
    return endpoint.range.slice(row * pitch, (count - 1) * pitch + width);
  }
};

/// Pinned memory that lives as long as this object.
class Staging {
 public:
  Staging(Device& device, std::uint64_t bytes)
      : memory_(device.memory()), pointer_(memory_.allocate(vk::Placement::kPinnedHost, bytes)), bytes_(bytes) {}
  ~Staging() { memory_.release(pointer_, vk::Placement::kPinnedHost); }
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;

  std::byte* host() const { return static_cast<std::byte*>(pointer_); }
  vk::BufferRange range(std::uint64_t bytes) const { return memory_.find(pointer_, bytes_)->slice(0, bytes); }

 private:
  vk::Memory& memory_;
  void* pointer_;
  std::uint64_t bytes_;
};

// Writes rows to memory that is not mapped: the host packs them in pinned memory, and the device spreads them, so that
// the bytes between the rows keep their values.
void write_rows(const Rows& dst, const Rows& src, std::uint64_t width, std::uint64_t height) {
  const std::uint64_t step = std::min(height, std::max<std::uint64_t>(1, kChunkBytes / width));
  const Staging staging(*dst.endpoint.device, step * width);
  for (std::uint64_t row = 0; row < height; row += step) {
    const std::uint64_t count = std::min(step, height - row);
    for (std::uint64_t i = 0; i < count; ++i) std::memcpy(staging.host() + i * width, src.host(row + i), width);
    submit_and_wait(dst.endpoint.device->gpu(), [&](vk::CommandRecorder& recorder) {
      recorder.copy_2d({dst.part(row, count, width), staging.range(count * width), dst.pitch, width, width, count});
    });
  }
}

void read_rows(const Rows& dst, const Rows& src, std::uint64_t width, std::uint64_t height) {
  const std::uint64_t step = std::min(height, std::max<std::uint64_t>(1, kChunkBytes / width));
  const Staging staging(*src.endpoint.device, step * width);
  for (std::uint64_t row = 0; row < height; row += step) {
    const std::uint64_t count = std::min(step, height - row);
    submit_and_wait(src.endpoint.device->gpu(), [&](vk::CommandRecorder& recorder) {
      recorder.copy_2d({staging.range(count * width), src.part(row, count, width), width, src.pitch, width, count});
    });
    for (std::uint64_t i = 0; i < count; ++i) std::memcpy(dst.host(row + i), staging.host() + i * width, width);
  }
}

void copy_rows(const Rows& dst, const Rows& src, std::uint64_t width, std::uint64_t height) {
  const auto row_by_row = [&](const auto& copy_row) {
    vk::visit_rows(dst.address(), dst.pitch, src.address(), src.pitch, height, copy_row);
  };
  if (dst.endpoint.host && src.endpoint.host) {
    row_by_row([&](std::uint64_t row) { std::memmove(dst.host(row), src.host(row), width); });
  } else if (src.endpoint.host) {
    write_rows(dst, src, width, height);
  } else if (dst.endpoint.host) {
    read_rows(dst, src, width, height);
  } else if (dst.endpoint.device == src.endpoint.device && !overlap(dst.endpoint.range, src.endpoint.range)) {
    submit_and_wait(dst.endpoint.device->gpu(), [&](vk::CommandRecorder& recorder) {
      recorder.copy_2d({dst.endpoint.range, src.endpoint.range, dst.pitch, src.pitch, width, height});
    });
  } else {
    row_by_row([&](std::uint64_t row) {
      copy_through_host({dst.endpoint.device, dst.part(row, 1, width)}, {src.endpoint.device, src.part(row, 1, width)});
    });
  }
}

}  // namespace

Location locate(const void* pointer) {
  if (const auto found = find_allocation(pointer)) return {kind_of(found->allocation), found->device->id};
  return {is_dead(pointer) ? Location::Kind::kDead : Location::Kind::kPageable, 0};
}

const char* name_of(Location::Kind kind) {
  switch (kind) {
    case Location::Kind::kPageable: return "pageable host memory";
    case Location::Kind::kPinned: return "pinned host memory";
    case Location::Kind::kDevice: return "device memory";
    case Location::Kind::kManaged: return "managed memory";
    case Location::Kind::kDead: break;
  }
  return "device memory that is not allocated";
}

void check_accessible(const void* pointer, const Extent& extent, const char* what, HostAccess access) {
  resolve(pointer, extent, what, access);
}

void copy_now(void* dst, const void* src, std::uint64_t bytes) {
  if (bytes == 0) return;
  const Endpoint to = destination(dst, {bytes});
  copy_endpoints(to, source(src, {bytes}), bytes);
  notify_waiting_streams(to);
}

void copy_2d_now(void* dst, std::uint64_t dst_pitch, const void* src, std::uint64_t src_pitch, std::uint64_t width,
                 std::uint64_t height) {
  if (width == 0 || height == 0) return;
  const Rows to{destination(dst, {width, height, dst_pitch}), dst_pitch};
  const Rows from{source(src, {width, height, src_pitch}), src_pitch};
  copy_rows(to, from, width, height);
  notify_waiting_streams(to.endpoint);
}

void fill_now(void* dst, std::uint8_t value, std::uint64_t bytes) {
  if (bytes == 0) return;
  const Endpoint to = destination(dst, {bytes});
  if (to.host) {
    std::memset(to.host, value, bytes);
  } else {
    submit_and_wait(to.device->gpu(), [&](vk::CommandRecorder& recorder) { recorder.fill(to.range, value); });
  }
  notify_waiting_streams(to);
}

void fill_words_now(void* dst, std::uint32_t value, std::uint64_t words) {
  if (words == 0) return;
  const Endpoint to = destination(dst, {words * sizeof(value)});
  if (to.host) {
    std::fill_n(reinterpret_cast<std::uint32_t*>(to.host), words, value);
  } else {
    submit_and_wait(to.device->gpu(), [&](vk::CommandRecorder& recorder) { recorder.fill_words(to.range, value); });
  }
  notify_waiting_streams(to);
}

}  // namespace aclvk::runtime
