#include "runtime/event/count_notify.hpp"

#include <algorithm>

#include "runtime/device/device.hpp"
#include "runtime/event/event.hpp"

namespace aclvk::runtime {
namespace {

std::uint32_t changed(std::uint32_t count, CountChange change, std::uint32_t value) {
  switch (change) {
    case CountChange::kSet: return value;
    case CountChange::kAdd: return count + value;
    case CountChange::kOr: return count | value;
    case CountChange::kAnd: return count & value;
  }
  return count;
}

}  // namespace

CountNotify::CountNotify() : id(next_signal_id()) {}

// A completed change is removed. A change of a lost device counts as reached without being complete, so it stays until
// the count is set, and waits fail until then.
void CountNotify::apply(const CountRecordTask& task, Change change) {
  const bool anew = task.change == CountChange::kSet;
  const auto is_over = [anew](const Change& old) {
    return old.since.reached() && (anew || !old.device || !old.device->gpu().lost());
  };
  count_ = changed(count_, task.change, task.value);
  pending_.erase(std::remove_if(pending_.begin(), pending_.end(), is_over), pending_.end());
  pending_.push_back(std::move(change));
}

bool CountNotify::satisfies(const CountWaitTask& wait) const {
  switch (wait.condition) {
    case CountCondition::kLess: return count_ < wait.value;
    case CountCondition::kEqual: return count_ == wait.value;
    case CountCondition::kGreater: return count_ > wait.value;
    case CountCondition::kGreaterOrEqual: return count_ >= wait.value;
    case CountCondition::kBits: return (count_ & wait.value) == wait.value;
  }
  return false;
}

}  // namespace aclvk::runtime
