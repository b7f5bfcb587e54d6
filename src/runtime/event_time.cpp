#include "runtime/event_time.hpp"

#include <chrono>
#include <map>
#include <memory>

#include "runtime/device.hpp"
#include "runtime/scheduler.hpp"
#include "runtime/watcher.hpp"

namespace aclvk::runtime {
namespace {

struct Note {
  PointPtr point;
  std::int64_t ns = -1;
};

using Notes = std::map<const Event*, std::shared_ptr<Note>>;

// Leaked: programs destroy events from destructors of their statics.
Notes& notes() {
  static auto* notes = new Notes;
  return *notes;
}

std::int64_t now_ns() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

void stamp(Note& note) {
  if (note.ns < 0) note.ns = now_ns();
}

}  // namespace

void note_time(const EventPtr& event, Stream& stream) {
  const bool wanted = event->maker == EventMaker::kPlain || event->has(kEventTimeLine);
  if (!wanted) return;
  const SchedulerLock lock;
  const PointPtr point = event->last_point();
  if (!point || event->captured) return;
  auto note = std::make_shared<Note>(Note{point});
  notes()[event.get()] = note;
  // A record that is still held back on the host gets its time when somebody asks.
  if (point->submitted) stream.device().watcher().when_reached(*point->submitted, [note] { stamp(*note); });
}

void forget_time(const Event& event) {
  const SchedulerLock lock;
  notes().erase(&event);
}

std::int64_t reached_ns(const EventPtr& event) {
  const SchedulerLock lock;
  auto& note = notes()[event.get()];
  if (!note || note->point != event->last_point()) note = std::make_shared<Note>(Note{event->last_point()});
  stamp(*note);
  return note->ns;
}

}  // namespace aclvk::runtime
