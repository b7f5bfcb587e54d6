#include "vk_device/commands/hazard_tracker.hpp"

namespace aclvk::vk {

bool HazardTracker::conflicts(const AccessedBytes& accessed) const {
  if (writes_.overlaps(accessed.bytes)) return true;
  return accessed.access != Access::kRead && reads_.overlaps(accessed.bytes);
}

void HazardTracker::add(const AccessedBytes& accessed) {
  // A write conflicts with everything that a read conflicts with, so a read-write operand counts as a write.
  (accessed.access == Access::kRead ? reads_ : writes_).add(accessed.bytes);
}

void HazardTracker::clear() {
  reads_.clear();
  writes_.clear();
}

}  // namespace aclvk::vk
