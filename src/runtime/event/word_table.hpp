#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "runtime/stream/task.hpp"
#include "vk_device/device.hpp"

namespace aclvk::runtime {

/// What is known about words in device memory that streams wait for: writes that have been submitted but may not have
/// completed. Until such a write completes it, and not the memory, tells what a later wait will find. Needs the
/// scheduler's lock.
class WordTable {
 public:
  static WordTable& instance();

  struct Write {
    std::uint64_t value = 0;
    vk::TimelinePoint since;
  };

  /// A word, by its Vulkan device and its address: two devices may use the same addresses.
  using Word = std::pair<const vk::Device*, std::uint64_t>;

  void add_write(Word word, Write write) { writes_[word] = std::move(write); }
  /// The last submitted write that has not completed.
  std::optional<Write> pending_write(Word word);

 private:
  std::map<Word, Write> writes_;
};

/// The conditions of aclrtValueWait.
bool satisfies(std::uint64_t word, Comparison comparison, std::uint64_t value);

}  // namespace aclvk::runtime
