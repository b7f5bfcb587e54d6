#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/mutex.hpp"

namespace aclvk::runtime {

/// The options of a dump target.
struct DumpOptions {
  enum class Values { kFiles, kStatistics, kNone };

  bool inputs = true;   ///< dump tensors as they are directly before the operator
  bool outputs = true;  ///< dump tensors as they are directly after it
  Values values = Values::kFiles;
  std::vector<std::string> statistics;  ///< names of statistics to write; empty: all
  bool only_overflow = false;           ///< only calls that leave an infinity or a NaN in an output
  bool by_device = false;               ///< a folder for each device
  bool to_listener = false;             ///< pass files to the listener, while there is one
  /// First and last replays of captured calls to dump, counted from 0; empty: all.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> replays;

  bool wants_replay(std::uint64_t number) const;
};

/// A part of a file for the listener.
struct DumpChunk {
  const std::string& file;
  const std::byte* data;
  std::size_t bytes;
  std::uint64_t offset;  ///< of the chunk in the file
  bool last;             ///< the last chunk of this write; calls.jsonl grows by later writes
};
/// A callback of the program. Returns 0, or an error code that is logged. Called by one thread at a time. May launch
/// operators that are dumped themselves.
using DumpListener = std::function<int(const DumpChunk&)>;
/// Sets the listener, which replaces the folder of targets with `to_listener`. Null removes it. Returns after the
/// former listener has returned.
void set_dump_listener(DumpListener listener);

/// The folder of a dump: calls.jsonl, and files with values of tensors. Logs the first failed write. Thread safe.
class DumpTarget {
 public:
  /// Makes the folder and truncates an older calls.jsonl in it. Throws kInvalidDumpConfig when the folder cannot be
  /// made.
  DumpTarget(std::string folder, DumpOptions options);

  const std::string folder;
  const DumpOptions options;

  /// Writes a file. `name` is relative to the folder. Returns the error, for callers that report it.
  std::error_code write_file(const std::string& name, const std::string& header, const std::vector<std::byte>& data);
  /// Appends a line to calls.jsonl.
  void write_call(std::uint32_t device, const std::string& line);
  /// Returns the folder of a device as a prefix of file names: "" or "0/".
  std::string prefix(std::uint32_t device) const;

 private:
  std::error_code write(const std::string& name, const std::string& bytes, bool append);
  std::uint64_t find_start(const std::string& name, const std::string& bytes, bool append) REQUIRES(mutex_);
  void report(const std::string& file, const std::error_code& error) REQUIRES(mutex_);

  Mutex mutex_;                                                       // taken after the listener's mutex
  std::map<std::string, std::uint64_t> appended_ GUARDED_BY(mutex_);  // sizes of files that grow
  bool reported_ GUARDED_BY(mutex_) = false;
};

}  // namespace aclvk::runtime
