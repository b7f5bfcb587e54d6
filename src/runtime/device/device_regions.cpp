#include "runtime/device/device_regions.hpp"

#include <algorithm>
#include <iterator>

#include "base/process_state.hpp"

namespace aclvk::runtime {
namespace {

std::uint64_t number(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

}  // namespace

// Not destroyed at exit: programs that never clean up use it while the process exits.
DeviceRegions& DeviceRegions::instance() { return ProcessState<DeviceRegions, StateId::kDeviceRegions>::get(); }

void DeviceRegions::add(const void* pointer, std::uint64_t bytes, const std::shared_ptr<vk::Buffer>& buffer) {
  const LockGuard lock(mutex_);
  std::uint64_t start = number(pointer);
  // Buffers are larger than their allocations: the first byte past the end of an allocation belongs to the buffer, too.
  std::uint64_t end = start + bytes + 1;
  const auto known = starts_.find(buffer.get());
  if (known != starts_.end() && regions_.at(known->second).buffer.lock() == buffer) {
    start = std::min(start, known->second);
    end = std::max(end, regions_.at(known->second).end);
  }
  remove(buffer.get());
  remove_overlapping(start, end);
  regions_[start] = {end, buffer.get(), buffer};
  starts_[buffer.get()] = start;
  if (regions_.size() >= cleanup_size_) remove_dead_buffers();
}

bool DeviceRegions::contain(const void* pointer) const {
  const LockGuard lock(mutex_);
  auto it = regions_.upper_bound(number(pointer));
  if (it == regions_.begin()) return false;
  --it;
  return number(pointer) < it->second.end && !it->second.buffer.expired();
}

void DeviceRegions::remove(const vk::Buffer* buffer) {
  const auto known = starts_.find(buffer);
  if (known == starts_.end()) return;
  regions_.erase(known->second);
  starts_.erase(known);
}

// Buffers do not overlap. Regions that overlap a new one are those of destroyed buffers.
void DeviceRegions::remove_overlapping(std::uint64_t start, std::uint64_t end) {
  auto it = regions_.lower_bound(start);
  if (it != regions_.begin() && std::prev(it)->second.end > start) --it;
  while (it != regions_.end() && it->first < end) it = erase(it);
}

void DeviceRegions::remove_dead_buffers() {
  for (auto it = regions_.begin(); it != regions_.end();) it = it->second.buffer.expired() ? erase(it) : std::next(it);
  cleanup_size_ = std::max<std::size_t>(64, regions_.size() * 2);
}

DeviceRegions::Regions::iterator DeviceRegions::erase(Regions::iterator it) {
  starts_.erase(it->second.key);
  return regions_.erase(it);
}

}  // namespace aclvk::runtime
