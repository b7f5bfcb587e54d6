#include "vk_device/buffers/interval_set.hpp"

#include <algorithm>

namespace aclvk::vk {
namespace {

bool ends_before(const Interval& interval, std::uint64_t address) { return interval.end < address; }

}  // namespace

void IntervalSet::add(Interval interval) {
  if (interval.begin >= interval.end) return;
  // Programs often use tensors in the order of their addresses, and then no search is needed.
  if (intervals_.empty() || interval.begin > intervals_.back().end) return insert(intervals_.end(), interval);
  if (interval.begin >= intervals_.back().begin) {
    intervals_.back().end = std::max(intervals_.back().end, interval.end);
    return;
  }
  // Adjacent intervals are merged, too, so that a buffer written in consecutive parts stays one interval.
  const auto first = std::lower_bound(intervals_.begin(), intervals_.end(), interval.begin, ends_before);
  if (first != intervals_.end() && first->begin <= interval.begin && interval.end <= first->end) return;
  auto last = first;
  while (last != intervals_.end() && last->begin <= interval.end) {
    interval.begin = std::min(interval.begin, last->begin);
    interval.end = std::max(interval.end, last->end);
    ++last;
  }
  if (first == last) return insert(first, interval);
  *first = interval;
  intervals_.erase(first + 1, last);
}

void IntervalSet::insert(std::vector<Interval>::iterator before, Interval interval) {
  intervals_.insert(before, interval);
  if (intervals_.size() > limit_) coarsen();
}

bool IntervalSet::overlaps(Interval interval) const {
  if (interval.begin >= interval.end || intervals_.empty()) return false;
  // Outside of all intervals, as in add(), no search is needed.
  if (intervals_.back().end <= interval.begin || interval.end <= intervals_.front().begin) return false;
  // begin + 1 skips an interval that ends at `begin`: it is adjacent and shares no byte.
  const auto found = std::lower_bound(intervals_.begin(), intervals_.end(), interval.begin + 1, ends_before);
  return found != intervals_.end() && found->begin < interval.end;
}

void IntervalSet::coarsen() {
  std::vector<std::uint64_t> gaps;
  for (std::size_t i = 1; i < intervals_.size(); ++i) gaps.push_back(intervals_[i].begin - intervals_[i - 1].end);
  // Reduces to half the limit, so that the cost is amortized over many calls of add().
  const std::size_t surplus = intervals_.size() - std::max<std::size_t>(limit_ / 2, 1);
  std::nth_element(gaps.begin(), gaps.begin() + static_cast<std::ptrdiff_t>(surplus - 1), gaps.end());
  const std::uint64_t filled = gaps[surplus - 1];

  std::vector<Interval> merged{intervals_.front()};
  for (std::size_t i = 1; i < intervals_.size(); ++i) {
    if (intervals_[i].begin - merged.back().end <= filled) {
      merged.back().end = intervals_[i].end;
    } else {
      merged.push_back(intervals_[i]);
    }
  }
  intervals_ = std::move(merged);
}

}  // namespace aclvk::vk
