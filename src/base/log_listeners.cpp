#include "base/log_listeners.hpp"

#include <spdlog/details/log_msg.h>
#include <spdlog/pattern_formatter.h>

#include <utility>
#include <vector>

namespace aclvk {
namespace {

thread_local bool inside = false;

struct Inside {
  Inside() { inside = true; }
  ~Inside() { inside = false; }
};

}  // namespace

LogListeners::LogListeners() : formatter_(std::make_unique<spdlog::pattern_formatter>()) {}

bool LogListeners::busy() { return inside; }

void LogListeners::log(const spdlog::details::log_msg& message) {
  if (inside) return;
  std::lock_guard lock(mutex_);
  if (listeners_.empty()) return;
  spdlog::memory_buf_t line;
  formatter_->format(message, line);
  const bool run = message.logger_name == spdlog::string_view_t(kRunLogName);
  // A copy: listeners may change the list. One that has been removed by another is still called for this line, or not.
  std::vector<std::shared_ptr<LogListener>> now;
  for (const auto& [number, listener] : listeners_) now.push_back(listener);
  const Inside scope;
  for (const auto& listener : now) (*listener)(run, line.data(), line.size());
}

void LogListeners::set_pattern(const std::string& pattern) {
  set_formatter(std::make_unique<spdlog::pattern_formatter>(pattern));
}

void LogListeners::set_formatter(std::unique_ptr<spdlog::formatter> formatter) {
  std::lock_guard lock(mutex_);
  formatter_ = std::move(formatter);
}

std::uint64_t LogListeners::add(LogListener listener) {
  std::lock_guard lock(mutex_);
  listeners_.emplace(++last_, std::make_shared<LogListener>(std::move(listener)));
  return last_;
}

bool LogListeners::remove(std::uint64_t number) {
  std::lock_guard lock(mutex_);
  return listeners_.erase(number) == 1;
}

}  // namespace aclvk
