#include "base/log_deferral.hpp"

#include <spdlog/details/log_msg_buffer.h>

#include <exception>
#include <memory>
#include <utility>
#include <vector>

namespace aclvk {
namespace {

struct Line {
  DeferringLogger* logger;  // never destroyed
  spdlog::details::log_msg_buffer message;
};

// No thread-locals with destructors: other destructors may log when a thread or the process ends.
thread_local int depth = 0;
thread_local std::vector<Line>* deferred = nullptr;

void defer(DeferringLogger& logger, const spdlog::details::log_msg& message) {
  auto lines = deferred ? nullptr : std::make_unique<std::vector<Line>>();
  (deferred ? *deferred : *lines).push_back({&logger, spdlog::details::log_msg_buffer(message)});
  if (lines) deferred = lines.release();
}

}  // namespace

LogDeferral::LogDeferral() noexcept { ++depth; }

LogDeferral::~LogDeferral() {
  if (--depth == 0 && deferred) flush();
}

bool LogDeferral::pending() noexcept { return deferred != nullptr; }

void LogDeferral::flush() noexcept {
  const int outer = std::exchange(depth, 0);
  const std::unique_ptr<std::vector<Line>> lines(std::exchange(deferred, nullptr));
  if (lines) {
    for (const Line& line : *lines) {
      try {
        line.logger->write(line.message);
      } catch (const std::exception&) {  // out of memory: the line is lost, as it would be without a deferral
      }
    }
  }
  depth = outer;
}

void DeferringLogger::sink_it_(const spdlog::details::log_msg& message) {
  if (depth == 0) return write(message);
  defer(*this, message);
}

}  // namespace aclvk
