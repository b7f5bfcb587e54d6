#include "runtime/task/point.hpp"

#include <algorithm>
#include <type_traits>

#include "runtime/task/overloaded.hpp"

namespace aclvk::runtime {

// A std::variant loses its value only when a move throws. So a point always has a state, also after an assignment that
// has run out of memory.
static_assert(std::is_nothrow_move_constructible_v<Point::State> && std::is_nothrow_move_assignable_v<Point::State>);

bool Point::reached() const {
  const auto is_reached = [](const std::shared_ptr<Point>& point)
                              REQUIRES(scheduler_mutex) { return point->reached(); };
  return std::visit(Overloaded{
                        [](const Expected&) { return false; },
                        [](const Queued&) { return false; },
                        [](const Submitted& submission) { return submission.end.reached(); },
                        [&](const Cancelled& cancellation) {
                          const auto& [end, device, superseded_by] = cancellation;
                          return (!end || end->reached()) &&
                                 std::all_of(superseded_by.begin(), superseded_by.end(), is_reached);
                        },
                        [](const Remote& remote) { return remote.work->reached(); },
                    },
                    state);
}

// No submission will write the timestamp of a cancelled record.
Point::Cancelled& Point::cancel(const vk::TimelinePoint& end, const Device* device) noexcept {
  if (std::holds_alternative<std::shared_ptr<vk::Timestamps>>(time)) time = {};
  auto* cancelled = std::get_if<Cancelled>(&state);
  if (!cancelled) cancelled = &state.emplace<Cancelled>();
  cancelled->end = end;
  cancelled->device = device;
  return *cancelled;
}

}  // namespace aclvk::runtime
