#include "base/log.hpp"

#include <spdlog/sinks/stdout_sinks.h>

#include <memory>

#include "base/config.hpp"

namespace aclvk {
namespace {

spdlog::level::level_enum level_of(long acl_level) {
  switch (acl_level) {
    case 0: return spdlog::level::debug;
    case 1: return spdlog::level::info;
    case 2: return spdlog::level::warn;
    case 3: return spdlog::level::err;
    default: return spdlog::level::off;
  }
}

// Not registered with spdlog: the program that links us may use spdlog itself.
std::shared_ptr<spdlog::logger> make_logger() {
  spdlog::sink_ptr sink;
  if (config().log_stdout) {
    sink = std::make_shared<spdlog::sinks::stdout_sink_mt>();
  } else {
    sink = std::make_shared<spdlog::sinks::stderr_sink_mt>();
  }
  auto logger = std::make_shared<spdlog::logger>("aclvk", std::move(sink));
  logger->set_level(level_of(config().log_level));
  logger->set_pattern("[%n] [%l] [%P:%t] %v");
  return logger;
}

// Leaked on purpose: destructors of the program may still log after our statics are gone.
std::shared_ptr<spdlog::logger>& instance() {
  static auto* logger = new std::shared_ptr<spdlog::logger>(make_logger());
  return *logger;
}

}  // namespace

spdlog::logger& log() { return *instance(); }

void reload_log() { instance() = make_logger(); }

}  // namespace aclvk
