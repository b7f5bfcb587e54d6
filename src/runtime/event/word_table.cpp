#include "runtime/event/word_table.hpp"

#include <algorithm>
#include <iterator>

#include "base/process_state.hpp"

namespace aclvk::runtime {

WordTable& WordTable::instance() { return ProcessState<WordTable, StateId::kWordTable>::get(); }

// Removes completed writes when the table has doubled since the last time: a program may write to ever new addresses
// and wait for none of them.
void WordTable::add_write(Word word, Write write) {
  writes_[word] = std::move(write);
  if (writes_.size() < clean_at_) return;
  for (auto next = writes_.begin(); next != writes_.end();) {
    next = next->second.since.reached() ? writes_.erase(next) : std::next(next);
  }
  clean_at_ = std::max(kFewWrites, 2 * writes_.size());
}

// Removes a completed write here: memory then has its value.
std::optional<WordTable::Write> WordTable::pending_write(Word word) {
  const auto found = writes_.find(word);
  if (found == writes_.end()) return {};
  if (found->second.since.reached()) {
    writes_.erase(found);
    return {};
  }
  return found->second;
}

// The conditions of cuStreamWaitValue64.
bool satisfies(std::uint64_t word, Comparison comparison, std::uint64_t value) {
  switch (comparison) {
    case Comparison::kGreaterEqual: return static_cast<std::int64_t>(word - value) >= 0;
    case Comparison::kEqual: return word == value;
    case Comparison::kAnd: return (word & value) != 0;
    case Comparison::kNor: return ~(word | value) != 0;
  }
  return false;
}

}  // namespace aclvk::runtime
