#include "runtime/memory/cache.hpp"

#include <vector>

#include "base/error.hpp"
#include "runtime/context/context.hpp"
#include "runtime/context/current.hpp"
#include "runtime/context/snapshot.hpp"
#include "runtime/device/device.hpp"
#include "runtime/memory/copy.hpp"
#include "runtime/memory/memory.hpp"

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

void check_cache_operation(int type) {
  constexpr int kPrefetch = 0;
  constexpr int kFlush = 3;
  check(type >= kPrefetch && type <= kFlush, Code::kParamInvalid,
        "Cache operation {} is unknown; expected PREFETCH (0), WRITEBACK (1), INVALID (2) or FLUSH (3).", type);
}

void operate_on_cache(int type, const void* pointer, std::uint64_t bytes) {
  check_cache_operation(type);
  check_live(pointer, bytes);
}

void write_cache_description(void* description, const void* pointer, std::uint64_t bytes) {
  current_context()->captures.check_synchronous_call("aclrtCmoSetDesc");
  check_live(pointer, bytes);
  const CacheDescription content{reinterpret_cast<std::uintptr_t>(pointer), bytes};
  const UnorderedCall under_way;
  copy_now(description, &content, sizeof(content));
}

}  // namespace aclvk::runtime
