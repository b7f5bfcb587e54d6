#pragma once

#include <atomic>
#include <cstdint>

namespace aclvk::runtime::profile {

/// Categories of events in a profile, as bits.
enum Category : std::uint32_t {
  kCalls = 1,     ///< API calls, on the host
  kTasks = 2,     ///< tasks of streams, on the device
  kRanges = 4,    ///< marks, ranges and steps of the program
  kModels = 8,    ///< tasks of models with a subscriber
  kUnknown = 16,  ///< set until the environment has been read
};

/// The categories that any session or subscriber profiles now; 0 without any. The only cost of profiling on the path of
/// each call and task while it is off.
extern std::atomic<std::uint32_t> active;

inline bool on(std::uint32_t categories) { return (active.load(std::memory_order_relaxed) & categories) != 0; }

}  // namespace aclvk::runtime::profile
