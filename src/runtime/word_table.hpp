#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "runtime/task.hpp"

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

  void note_write(std::uint64_t address, Write write) { writes_[address] = std::move(write); }
  /// The last submitted write that has not completed.
  std::optional<Write> pending_write(std::uint64_t address);

 private:
  std::map<std::uint64_t, Write> writes_;
};

/// The conditions of aclrtValueWait.
bool satisfies(std::uint64_t word, Comparison comparison, std::uint64_t value);

}  // namespace aclvk::runtime
