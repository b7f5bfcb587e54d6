#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace aclvk::test {

/// For random programs: what streams know of each other's past, and so which task may touch which cells without a race.
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
  /// The next task of the stream may read `in` and write `out`: nobody else can be touching them.
  bool safe(std::size_t stream, std::size_t in, std::size_t out) const {
    return has_reached(stream, uses_[in].written) && has_reached(stream, uses_[out].written) &&
           has_reached(stream, uses_[out].read);
  }
  /// It does so.
  void add_task(std::size_t stream, std::size_t in, std::size_t out) {
    ++done_[stream];
    uses_[in].read[stream] = uses_[out].written[stream] = done_[stream];
  }

 private:
  /// A number for each stream: so many of its tasks are over.
  using VectorClock = std::vector<int>;
  /// Who has touched a cell last: the tasks of each stream, by number; 0 for none.
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
