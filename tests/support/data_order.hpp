#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace aclvk::test {

/// Vector clocks of the streams of a random program: decide which task may touch which cells without a race.
class DataOrder {
 public:
  DataOrder(std::size_t streams, std::size_t cells)
      : done_(streams, 0),
        clocks_(streams, VectorClock(streams, 0)),
        uses_(cells, Use{VectorClock(streams, 0), VectorClock(streams, 0)}) {}

  /// All later tasks of `to` come after all tasks of `from` so far.
  void order(std::size_t from, std::size_t to) {
    if (from == to) return;
    for (std::size_t other = 0; other < done_.size(); ++other) {
      clocks_[to][other] = std::max(clocks_[to][other], clocks_[from][other]);
    }
    clocks_[to][from] = std::max(clocks_[to][from], done_[from]);
  }
  /// Returns whether the next task of the stream may read `in` and write `out`: all conflicting tasks come before it.
  bool safe(std::size_t stream, std::size_t in, std::size_t out) const {
    return has_reached(stream, uses_[in].written) && has_reached(stream, uses_[out].written) &&
           has_reached(stream, uses_[out].read);
  }
  /// Adds a task that reads `in` and writes `out`.
  void add_task(std::size_t stream, std::size_t in, std::size_t out) {
    ++done_[stream];
    uses_[in].read[stream] = uses_[out].written[stream] = done_[stream];
  }

 private:
  /// For each stream, how many of its tasks come before.
  using VectorClock = std::vector<int>;
  /// The last tasks that touched a cell, of each stream, by number; 0 for none.
  struct Use {
    VectorClock read, written;
  };

  bool has_reached(std::size_t stream, const VectorClock& tasks) const {
    for (std::size_t other = 0; other < tasks.size(); ++other) {
      if (other != stream && clocks_[stream][other] < tasks[other]) return false;
    }
    return true;
  }

  std::vector<int> done_;
  std::vector<VectorClock> clocks_;  // of each stream, before its next task
  std::vector<Use> uses_;
};

}  // namespace aclvk::test
