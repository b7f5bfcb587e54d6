#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace aclvk::runtime {

/// What of a call goes into a recording.
struct DumpOptions {
  enum class Values { kFiles, kStatistics, kNone };

  bool inputs = true;   ///< tensors as they are just before the operator
  bool outputs = true;  ///< tensors as they are just after it
  Values values = Values::kFiles;
  std::vector<std::string> statistics;  ///< the members that are wanted; empty: all
  bool only_overflow = false;           ///< only calls that leave an infinity or a NaN in an output
  bool by_device = false;               ///< a folder for each device
  bool to_listener = false;             ///< to the listener, while there is one
  /// The replays of captured calls, counted from 0, first and last; empty: all. Others leave no trace.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> replays;

  bool wants_replay(std::uint64_t number) const;
};

/// A part of a file on its way to the listener.
struct DumpChunk {
  const std::string& file;
  const std::byte* data;
  std::size_t bytes;
  std::uint64_t offset;  ///< of the part in the file
  bool last;             ///< of what is written at once; calls.jsonl grows further
};
/// Returns 0, or a code that is logged. Called by one thread at a time; it may record something itself.
using DumpListener = std::function<int(const DumpChunk&)>;
/// Takes the place of folders in recordings with `to_listener`; null takes it away. Returns when the former one is not
/// running any more.
void set_dump_listener(DumpListener listener);

/// A folder in which calls are recorded: calls.jsonl and the values of tensors. Thread safe. What cannot be written is
/// logged, once.
class DumpTarget {
 public:
  /// Makes the folder; throws kInvalidDumpConfig when that does not work. An older calls.jsonl in it is emptied.
  DumpTarget(std::string folder, DumpOptions options);

  const std::string folder;
  const DumpOptions options;

  /// `name` is relative to the folder. Returns why the file cannot be written, for those who want to tell.
  std::error_code write_file(const std::string& name, const std::string& header, const std::vector<std::byte>& data);
  /// A line for calls.jsonl.
  void write_call(std::uint32_t device, const std::string& line);
  /// The folder of a device, as the start of a name: "" or "0/".
  std::string prefix(std::uint32_t device) const;

 private:
  std::error_code write(const std::string& name, const std::string& bytes, bool append);
  std::uint64_t find_start(const std::string& name, const std::string& bytes, bool append);
  void report(const std::string& file, const std::error_code& error);

  std::mutex mutex_;                               // behind the listener's
  std::map<std::string, std::uint64_t> appended_;  // bytes of files that grow
  bool reported_ = false;
};

}  // namespace aclvk::runtime
