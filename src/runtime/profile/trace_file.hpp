#pragma once

#include <cstdint>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace aclvk::runtime::profile {

/// A line of a trace: a thread of this process, or a stream of a device, which stands there like a process.
struct Track {
  std::uint32_t process = 0;
  std::uint32_t thread = 0;

  bool operator<(const Track& other) const {
    return std::pair(process, thread) < std::pair(other.process, other.thread);
  }
};

/// The calling thread.
Track thread_track();
Track stream_track(std::uint32_t device, std::uint32_t stream);

/// A file in Google's Trace Event Format, which Perfetto and chrome://tracing open. It is written as it grows, so that
/// what a program that is killed leaves behind can still be opened. Times are nanoseconds of the host's steady clock;
/// `members` are the members of an event's "args", written as in JSON, without braces. Not thread safe. What cannot be
/// written is logged, once, and the file is no longer whole.
class TraceFile {
 public:
  /// Throws kInvalidFile when the file cannot be made. Nothing is added once it has `limit` bytes; 0 is no limit.
  TraceFile(std::string path, std::uint64_t limit);
  ~TraceFile();
  TraceFile(const TraceFile&) = delete;
  TraceFile& operator=(const TraceFile&) = delete;

  const std::string& path() const { return path_; }

  void slice(Track track, std::string_view category, std::string_view name, std::int64_t begin, std::int64_t end,
             std::string_view members = {});
  void instant(Track track, std::string_view category, std::string_view name, std::int64_t time,
               std::string_view members = {});
  /// Something that begins on one thread and ends on any.
  void range(Track track, std::string_view category, std::string_view name, std::int64_t begin, std::int64_t end);
  /// An arrow between two slices, each named by its track and a time inside it (for the first, not its very begin:
  /// viewers sort by time).
  void arrow(Track from, std::int64_t from_time, Track to, std::int64_t to_time);

  /// Writes what has gathered.
  void flush();
  /// Writes the end. What is added later is lost.
  void finish();
  /// Whether all that was to be written has been.
  bool whole() const { return !broken_; }

 private:
  void add(Track track, std::string_view phase, std::string_view category, std::string_view name, std::int64_t time,
           std::string_view rest);
  void name_track(Track track);
  void write_event(std::string_view text);
  void write(std::string_view text);

  const std::string path_;
  const std::uint64_t limit_;
  const int owner_;
  std::ofstream file_;
  std::string buffer_;
  std::uint64_t written_ = 0;
  std::uint64_t next_id_ = 1;
  bool finished_ = false;
  bool broken_ = false;
  std::set<Track> named_;
  std::set<std::uint32_t> named_processes_;
};

}  // namespace aclvk::runtime::profile
