#include "runtime/dump/dump_target.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/log_deferral.hpp"
#include "base/process_state.hpp"

namespace aclvk::runtime {
namespace {

namespace fs = std::filesystem;

// Bounds the buffer that a listener needs to copy a chunk.
constexpr std::size_t kChunkBytes = 1U << 20;

struct Listener {
  RecursiveMutex mutex;  // recursive: the listener may remove itself
  DumpListener function GUARDED_BY(mutex);
};

Listener& listener() { return ProcessState<Listener, StateId::kDumpListener>::get(); }

/// Returns false when there is no listener. Calls `find_start()` under the listener's lock, so that chunks of a growing
/// file arrive in order.
template <typename FindStart>
bool send_to_listener(const std::string& file, const std::string& bytes, const FindStart& find_start) {
  const LockGuard lock(listener().mutex);
  if (!listener().function) return false;
  const DumpListener function = listener().function;
  const std::uint64_t start = find_start();
  const auto* data = reinterpret_cast<const std::byte*>(bytes.data());
  std::size_t at = 0;
  do {
    const std::size_t size = std::min(kChunkBytes, bytes.size() - at);
    const bool last = at + size == bytes.size();
    const int code = function({file, data + at, size, start + at, last});
    if (code != 0) log().error("The dump callback returns {} for \"{}\" at {}.", code, file, start + at);
    at += size;
  } while (at < bytes.size());
  return true;
}

}  // namespace

bool DumpOptions::wants_replay(std::uint64_t number) const {
  return replays.empty() || std::any_of(replays.begin(), replays.end(), [&](const auto& range) {
           return range.first <= number && number <= range.second;
         });
}

void set_dump_listener(DumpListener function) {
  const LockGuard lock(listener().mutex);
  listener().function = std::move(function);
}

DumpTarget::DumpTarget(std::string its_folder, DumpOptions its_options)
    : folder(std::move(its_folder)), options(std::move(its_options)) {
  std::error_code error;
  fs::create_directories(folder, error);
  check(fs::is_directory(folder, error), Code::kInvalidDumpConfig, "Folder \"{}\" cannot be made: {}.", folder,
        error.message());
  fs::resize_file(folder + "/calls.jsonl", 0, error);  // fails where there is no such file, which is usual
}

std::string DumpTarget::prefix(std::uint32_t device) const {
  return options.by_device ? std::to_string(device) + "/" : "";
}

std::error_code DumpTarget::write_file(const std::string& name, const std::string& header,
                                       const std::vector<std::byte>& data) {
  std::string bytes = header;
  bytes.append(reinterpret_cast<const char*>(data.data()), data.size());
  return write(name, bytes, false);
}

void DumpTarget::write_call(std::uint32_t device, const std::string& line) {
  write(prefix(device) + "calls.jsonl", line + "\n", true);
}

std::uint64_t DumpTarget::find_start(const std::string& name, const std::string& bytes, bool append) {
  if (!append) return 0;
  std::uint64_t& appended = appended_[name];
  return std::exchange(appended, appended + bytes.size());
}

std::error_code DumpTarget::write(const std::string& name, const std::string& bytes, bool append) {
  const fs::path path = folder + "/" + name;
  // Calls the listener without the lock: a listener that launches an operator reenters this function.
  const bool sent = options.to_listener && send_to_listener(path.string(), bytes, [&] {
                      const LockGuard lock(mutex_);
                      return find_start(name, bytes, append);
                    });
  if (sent) return {};
  const LogDeferral deferral;  // ends after the lock: a log callback of the program may launch an operator, too
  const LockGuard lock(mutex_);
  find_start(name, bytes, append);
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  std::ofstream file(path, std::ios::binary | (append ? std::ios::app : std::ios::trunc));
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.flush();
  if (file) return {};
  error.assign(errno != 0 ? errno : EIO, std::generic_category());
  report(path.string(), error);
  return error;
}

void DumpTarget::report(const std::string& file, const std::error_code& error) {
  if (reported_) return;
  reported_ = true;
  log().error("The recording is not complete: \"{}\" cannot be written: {}.", file, error.message());
}

}  // namespace aclvk::runtime
