#include "runtime/profile/trace_file.hpp"

#include <errno.h>
#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <iterator>

#include "base/error.hpp"
#include "base/log.hpp"
#include "runtime/device/device.hpp"
#include "runtime/json_text.hpp"

namespace aclvk::runtime::profile {
namespace {

// Devices are processes of the trace. Their numbers are above the largest pid of Linux, 4194304.
constexpr std::uint32_t kFirstDevice = 10'000'000;
constexpr std::size_t kBufferBytes = 64 << 10;  // some hundred events, so that few of them cost a write(2)
constexpr std::string_view kHeader = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n";
constexpr std::string_view kFooter = "\n]}\n";

/// Formats nanoseconds as microseconds, the unit of the format.
std::string micros(std::int64_t ns) { return fmt::format("{}.{:03}", ns / 1000, ns % 1000); }

std::string process_name(std::uint32_t process) {
  if (process < kFirstDevice) return program_invocation_short_name;
  const std::uint32_t device = process - kFirstDevice;
  return fmt::format("device {}: {}", device, device_info(static_cast<std::int32_t>(device)).name);
}

}  // namespace

// Cached, because each traced call needs the id, and gettid is a system call.
Track thread_track() {
  thread_local const auto thread = static_cast<std::uint32_t>(syscall(SYS_gettid));
  return {static_cast<std::uint32_t>(getpid()), thread};
}

Track stream_track(std::uint32_t device, std::uint32_t stream) { return {kFirstDevice + device, stream}; }

TraceFile::TraceFile(std::string path, std::uint64_t limit) : path_(std::move(path)), limit_(limit), owner_(getpid()) {
  file_.open(path_, std::ios::binary | std::ios::trunc);
  check(file_.good(), Code::kInvalidFile, "The trace \"{}\" cannot be written: {}.", path_, std::strerror(errno));
  buffer_ = kHeader;
  flush();
  log().info("A profile is written to \"{}\".", path_);
}

TraceFile::~TraceFile() { finish(); }

void TraceFile::finish() {
  if (std::exchange(finished_, true)) return;
  flush();
  write(kFooter);  // without the buffer, because it must not allocate
}

void TraceFile::flush() {
  write(buffer_);
  buffer_.clear();
}

// A forked child shares the file and must not write to it.
void TraceFile::write(std::string_view text) {
  if (getpid() != owner_) return;
  file_ << text;
  file_.flush();
  if (file_.good() || std::exchange(broken_, true)) return;
  log().error("The profile is not complete: \"{}\" cannot be written: {}.", path_,
              std::strerror(errno != 0 ? errno : EIO));
}

void TraceFile::write_event(std::string_view text) {
  const bool full = limit_ != 0 && written_ >= limit_;
  if (full || finished_) return;
  if (written_ != 0) buffer_ += ",\n";
  buffer_ += text;
  written_ += text.size() + 2;
  if (limit_ != 0 && written_ >= limit_)
    log().warn("The trace \"{}\" has reached its limit of {} bytes.", path_, limit_);
  if (buffer_.size() >= kBufferBytes) flush();
}

void TraceFile::name_track(Track track) {
  if (!named_.insert(track).second) return;
  const bool device = track.process >= kFirstDevice;
  if (named_processes_.insert(track.process).second) {
    write_event(fmt::format(R"({{"name":"process_name","ph":"M","pid":{},"tid":{},"args":{{"name":{}}}}})",
                            track.process, track.thread, json_text(process_name(track.process))));
    write_event(fmt::format(R"({{"name":"process_sort_index","ph":"M","pid":{},"tid":{},"args":{{"sort_index":{}}}}})",
                            track.process, track.thread, device ? track.process : 0));
  }
  write_event(fmt::format(R"({{"name":"thread_name","ph":"M","pid":{},"tid":{},"args":{{"name":"{} {}"}}}})",
                          track.process, track.thread, device ? "stream" : "thread", track.thread));
}

// Phases of the format: X is a complete event, i an instant, b and e begin and end an async event, s and f are the ends
// of a flow.
void TraceFile::add(Track track, std::string_view phase, std::string_view category, std::string_view name,
                    std::int64_t time, std::string_view rest) {
  name_track(track);
  write_event(fmt::format(R"({{"name":{},"cat":"{}","ph":"{}","pid":{},"tid":{},"ts":{}{}}})", json_text(name),
                          category, phase, track.process, track.thread, micros(time), rest));
}

void TraceFile::slice(Track track, std::string_view category, std::string_view name, std::int64_t begin,
                      std::int64_t end, std::string_view members) {
  add(track, "X", category, name, begin,
      fmt::format(R"(,"dur":{},"args":{{{}}})", micros(std::max(end - begin, std::int64_t{0})), members));
}

void TraceFile::instant(Track track, std::string_view category, std::string_view name, std::int64_t time,
                        std::string_view members) {
  add(track, "i", category, name, time, fmt::format(R"(,"s":"t","args":{{{}}})", members));
}

void TraceFile::range(Track track, std::string_view category, std::string_view name, std::int64_t begin,
                      std::int64_t end) {
  const std::string id = fmt::format(R"(,"id":{})", next_id_++);
  add(track, "b", category, name, begin, id);
  add(track, "e", category, name, std::max(begin, end), id);
}

void TraceFile::arrow(Track from, std::int64_t from_time, Track to, std::int64_t to_time) {
  const std::uint64_t id = next_id_++;
  add(from, "s", "launch", "launch", from_time, fmt::format(R"(,"id":{})", id));
  add(to, "f", "launch", "launch", to_time, fmt::format(R"(,"id":{},"bp":"e")", id));
}

}  // namespace aclvk::runtime::profile
