#pragma once

#include <spdlog/sinks/sink.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "base/log.hpp"

namespace aclvk {

/// The sink that hands lines to the program's functions.
class LogListeners : public spdlog::sinks::sink {
 public:
  LogListeners();

  void log(const spdlog::details::log_msg& message) override;
  void flush() override {}
  void set_pattern(const std::string& pattern) override;
  void set_formatter(std::unique_ptr<spdlog::formatter> formatter) override;

  std::uint64_t add(LogListener listener);
  bool remove(std::uint64_t number);

  /// The calling thread is inside a listener.
  static bool busy();

 private:
  // Recursive: a listener may remove itself, or add another.
  std::recursive_mutex mutex_;
  std::unique_ptr<spdlog::formatter> formatter_;
  std::map<std::uint64_t, std::shared_ptr<LogListener>> listeners_;
  std::uint64_t last_ = 0;
};

/// The name of the logger for running information; the other one has the library's name.
constexpr const char* kRunLogName = "run";

}  // namespace aclvk
