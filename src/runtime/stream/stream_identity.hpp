#pragma once

#include <cstdint>

#include "runtime/stream/scheduler.hpp"

namespace aclvk::runtime {

class Device;
class StreamQueue;

/// Names a stream to the parts of its StreamQueue. Immutable.
struct StreamIdentity {
  std::uint32_t id = 0;
  std::uint32_t device_id = 0;
  /// Its device, whose Watcher runs callbacks and flushes open batches. Null in unit tests, which need neither.
  const Device* device = nullptr;
  StreamQueue* queue = nullptr;  ///< null in unit tests
  Scheduler& scheduler = Scheduler::instance();
};

}  // namespace aclvk::runtime
