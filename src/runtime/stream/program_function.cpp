#include "runtime/stream/program_function.hpp"

#include <exception>
#include <utility>

#include "base/log.hpp"

namespace aclvk::runtime {
namespace {

struct ProgramFunction {
  std::function<void()> function;
  std::uint32_t stream;
  std::uint32_t task;
};

[[noreturn]] void end_process(const ProgramFunction& called, const char* exception) noexcept {
  log().critical(
      "The host function of stream {}, task {}, threw an exception ({}), which nobody can catch: the process "
      "ends.",
      called.stream, called.task, exception);
  flush_log();
  std::terminate();
}

// Terminates inside the handlers, so that the program's terminate handler can still read the current exception.
void call(const ProgramFunction& called) noexcept {
  try {
    called.function();
  } catch (const std::exception& exception) {
    end_process(called, exception.what());
  } catch (...) {
    end_process(called, "no std::exception");
  }
}

}  // namespace

std::function<void()> terminating_on_exception(std::function<void()> function, std::uint32_t stream,
                                               std::uint32_t task) {
  return [called = ProgramFunction{std::move(function), stream, task}] { call(called); };
}

}  // namespace aclvk::runtime
