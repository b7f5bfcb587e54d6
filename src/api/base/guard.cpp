#include "api/base/guard.hpp"

#include <exception>
#include <string>

#include "api/base/error_state.hpp"
#include "base/current_error.hpp"
#include "base/log.hpp"
#include "base/log_limit.hpp"
#include "runtime/context/snapshot.hpp"
#include "runtime/device/device_process.hpp"

namespace aclvk::api {
namespace {

struct Failure {
  int code;
  std::string sentence;
};

Failure current_failure() {
  try {
    throw;
  } catch (const std::exception&) {
    const Error error = current_error();
    return {static_cast<int>(error.code()), error.sentence()};
  } catch (...) {
    return {static_cast<int>(Code::kRuntimeInternal), "An unexpected exception that is no std::exception."};
  }
}

bool is_argument_error(int code) { return code / 1000 == 100; }

/// An empty or full queue is a state and not a failure: programs that poll a queue get these codes all the time.
bool is_state_of_a_queue(int code) {
  return code == static_cast<int>(Code::kQueueEmpty) || code == static_cast<int>(Code::kQueueFull);
}

// A second aclInit succeeds but for its code, and independent parts of a program call it, so it is logged as
// information.
spdlog::level::level_enum level_of(const Failure& failure) {
  if (is_soft_result(failure.code)) return spdlog::level::info;
  if (failure.code == static_cast<int>(Code::kRepeatInitialize)) return spdlog::level::info;
  return spdlog::level::err;
}

void write(const char* function, const Failure& failure) {
  const std::uint64_t number = count_line(function, failure.code);
  const auto level = number != 0 ? level_of(failure) : spdlog::level::debug;
  if (!log().should_log(level)) return;
  log().log(level, "{} returns {}: {}{}", function, failure.code, failure.sentence, limit_suffix(number));
}

void report(const char* function, const Failure& failure, Trace trace) {
  const bool answer =
      (trace == Trace::kAnswer && !is_argument_error(failure.code)) || is_state_of_a_queue(failure.code);
  if (answer) {
    log().debug("{} answers {}: {}", function, failure.code, failure.sentence);
    return;
  }
  store_code(failure.code);
  write(function, failure);
  store_sentence(fmt::format("[{}] {}: {}", failure.code, function, failure.sentence));
}

}  // namespace

void check_devices_usable() {
  runtime::check_process_has_devices();
  runtime::wait_while_locked();
}

int report_current_exception(const char* function, Trace trace) noexcept {
  int code = static_cast<int>(Code::kMemoryAllocation);  // the answer when memory is too short to inspect the exception
  try {
    const Failure failure = current_failure();
    code = failure.code;
    report(function, failure, trace);
  } catch (...) {
    store_code(code);
  }
  return code;
}

}  // namespace aclvk::api
