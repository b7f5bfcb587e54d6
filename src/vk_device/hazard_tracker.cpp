#include "vk_device/hazard_tracker.hpp"

namespace aclvk::vk {

bool HazardTracker::conflicts(const AccessedBytes& accessed) const {
  if (writes_.overlaps(accessed.bytes)) return true;
  return accessed.access != Access::kRead && reads_.overlaps(accessed.bytes);
}

void HazardTracker::add(const AccessedBytes& accessed) {
  // A write conflicts with all that a read conflicts with: no need to remember the read of a read-write operand.
  (accessed.access == Access::kRead ? reads_ : writes_).add(accessed.bytes);
}

void HazardTracker::clear() {
  reads_.clear();
  writes_.clear();
}

}  // namespace aclvk::vk
