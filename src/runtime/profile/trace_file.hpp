#pragma once

#include <cstdint>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace aclvk::runtime::profile {

/// A row of a trace: a thread of this process, or a stream of a device, which a trace represents as a process.
struct Track {
  std::uint32_t process = 0;
  std::uint32_t thread = 0;

  bool operator<(const Track& other) const {
    return std::pair(process, thread) < std::pair(other.process, other.thread);
  }
};

/// Returns the track of the calling thread.
Track thread_track();
Track stream_track(std::uint32_t device, std::uint32_t stream);

/// A file in Google's Trace Event Format, which Perfetto and chrome://tracing open. Written continuously, so that the
/// trace of a killed process can still be opened. Times are nanoseconds of the host's steady clock. `members` are the
/// members of an event's "args" in JSON, without braces. Logs the first failed write, after which whole() is false. Not
/// thread safe.
class TraceFile {
 public:
  /// Throws kInvalidFile when the file cannot be made. Drops events once the file has `limit` bytes; 0 means no limit.
  TraceFile(std::string path, std::uint64_t limit);
  ~TraceFile();
  TraceFile(const TraceFile&) = delete;
  TraceFile& operator=(const TraceFile&) = delete;

  const std::string& path() const { return path_; }

  void slice(Track track, std::string_view category, std::string_view name, std::int64_t begin, std::int64_t end,
             std::string_view members = {});
  void instant(Track track, std::string_view category, std::string_view name, std::int64_t time,
               std::string_view members = {});
  /// An async event: it may begin on one thread and end on another.
  void range(Track track, std::string_view category, std::string_view name, std::int64_t begin, std::int64_t end);
  /// A flow event between two slices, each given by its track and a time inside it. The time in the first slice must be
  /// after its begin, because viewers sort by time.
  void arrow(Track from, std::int64_t from_time, Track to, std::int64_t to_time);

  /// Writes the buffered events.
  void flush();
  /// Completes the file. Later events are dropped.
  void finish();
  /// Returns whether all writes have succeeded.
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
