#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "runtime/task/scheduler_mutex.hpp"
#include "runtime/task/task.hpp"
#include "vk_device/device/device.hpp"

namespace aclvk::runtime {

/// The writes of aclrtValueWrite that have been submitted and may not have completed. While such a write is pending, a
/// later aclrtValueWait is decided by the value written and not by the content of memory. One for the process.
class WordTable {
 public:
  static WordTable& instance();

  struct Write {
    std::uint64_t value = 0;
    vk::TimelinePoint since;  ///< reached when memory holds the value
  };

  /// A word is identified by its Vulkan device and address, because two devices may use the same addresses.
  using Word = std::pair<const vk::Device*, std::uint64_t>;

  void add_write(Word word, Write write) REQUIRES(scheduler_mutex);
  /// Returns the last submitted write to the word unless it has completed.
  std::optional<Write> pending_write(Word word) REQUIRES(scheduler_mutex);
  /// Returns the number of writes that are stored: all that have not completed, and at most as many others or 64.
  std::size_t size() const REQUIRES(scheduler_mutex) { return writes_.size(); }

 private:
  static constexpr std::size_t kFewWrites = 64;

  std::map<Word, Write> writes_ GUARDED_BY(scheduler_mutex);
  std::size_t clean_at_ GUARDED_BY(scheduler_mutex) = kFewWrites;  // size at which completed writes are removed
};

/// Evaluates a condition of aclrtValueWait. kGreaterEqual tests the sign of the 64-bit difference, so that it holds
/// across the wraparound of a counter.
bool satisfies(std::uint64_t word, Comparison comparison, std::uint64_t value);

}  // namespace aclvk::runtime
