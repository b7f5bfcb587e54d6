#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace aclvk::vk {

/// The bytes [begin, end) of the device's address space.
struct Interval {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

/// A union of intervals, sorted and disjoint. When it holds more than `limit`, the smallest gaps are filled in: the set
/// then says "touched" for bytes that were not, which costs a needless barrier and never forgets one.
class IntervalSet {
 public:
  explicit IntervalSet(std::size_t limit) : limit_(limit) {}

  void add(Interval interval);
  bool overlaps(Interval interval) const;
  void clear() { intervals_.clear(); }
  const std::vector<Interval>& intervals() const { return intervals_; }

 private:
  void coarsen();

  std::size_t limit_;
  std::vector<Interval> intervals_;
};

}  // namespace aclvk::vk
