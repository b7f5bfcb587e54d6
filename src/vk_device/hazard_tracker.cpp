#include "vk_device/hazard_tracker.hpp"

namespace aclvk::vk {

bool HazardTracker::conflicts(const Touch& touch) const {
  if (writes_.overlaps(touch.bytes)) return true;
  return touch.access != Access::kRead && reads_.overlaps(touch.bytes);
}

void HazardTracker::add(const Touch& touch) {
  // A write conflicts with all that a read conflicts with: no need to remember the read of a read-write operand.
  (touch.access == Access::kRead ? reads_ : writes_).add(touch.bytes);
}

void HazardTracker::clear() {
  reads_.clear();
  writes_.clear();
}

}  // namespace aclvk::vk
