#pragma once

#include "runtime/stream/stream_observer.hpp"

namespace aclvk::runtime::profile {

/// Returns the observer that times the tasks and host functions of streams.
const StreamObserver& stream_profiler();

}  // namespace aclvk::runtime::profile
