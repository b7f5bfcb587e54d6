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

/// A union of intervals, sorted and disjoint. When it exceeds `limit` intervals, it fills the smallest gaps. It then
/// reports accesses to bytes that were not accessed, which costs a barrier, and never misses one.
class IntervalSet {
 public:
  explicit IntervalSet(std::size_t limit) : limit_(limit) {}

  void add(Interval interval);
  bool overlaps(Interval interval) const;
  void clear() { intervals_.clear(); }
  const std::vector<Interval>& intervals() const { return intervals_; }

 private:
  void insert(std::vector<Interval>::iterator before, Interval interval);
  /// Merges intervals across the smallest gaps.
  void coarsen();

  std::size_t limit_;
  std::vector<Interval> intervals_;
};

}  // namespace aclvk::vk
