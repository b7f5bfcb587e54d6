#include "runtime/device/device_flush.hpp"

#include <vector>

#include "runtime/device/device.hpp"

namespace aclvk::runtime {

// Every command buffer of the recorder begins and ends with a full memory barrier, an empty one included.
void flush_caches(Device& device) {
  vk::Device& gpu = device.gpu();
  std::vector<vk::TimelinePoint> barriers;
  for (std::size_t i = 0; i < gpu.queue_count(); ++i) {
    const vk::TimelinePoint done{gpu.create_timeline(), 1};
    gpu.queue(i).submit({{gpu.record(vk::Level::kPrimary)->finish()}, {}, done});
    barriers.push_back(done);
  }
  for (const vk::TimelinePoint& barrier : barriers) barrier.timeline->wait(barrier.value);
  gpu.check_not_lost();
}

}  // namespace aclvk::runtime
