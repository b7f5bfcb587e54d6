#pragma once

#include <atomic>
#include <cstdint>

namespace aclvk::runtime::profile {

/// What profiles are made of.
enum Category : std::uint32_t {
  kCalls = 1,     ///< API calls, on the host
  kTasks = 2,     ///< tasks of streams, on the device
  kRanges = 4,    ///< what the program marks itself: stamps, ranges, steps
  kModels = 8,    ///< tasks of models that somebody has subscribed to
  kUnknown = 16,  ///< the environment has not been read yet
};

/// The sum of what anybody wants now; 0 while nobody profiles. Looked at on each call and for each task, so nothing
/// else may cost anything there.
extern std::atomic<std::uint32_t> active;

inline bool on(std::uint32_t categories) { return (active.load(std::memory_order_relaxed) & categories) != 0; }

}  // namespace aclvk::runtime::profile
