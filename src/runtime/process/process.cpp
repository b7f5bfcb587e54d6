#include "runtime/process/process.hpp"

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <memory>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/process_state.hpp"
#include "runtime/context/context.hpp"
#include "runtime/context/handles.hpp"
#include "runtime/device/device.hpp"
#include "runtime/device/device_process.hpp"
#include "runtime/device/state_callback.hpp"
#include "runtime/failure/failed_task.hpp"
#include "runtime/process/exit.hpp"
#include "runtime/stream/watcher.hpp"

namespace aclvk::runtime {
namespace {

// A host function that has been called may be about to return.
constexpr std::chrono::milliseconds kHostFunctionGrace{1000};

// The functions may use what the program has destroyed since.
void end_calls_of_the_program() {
  remove_log_listeners();
  remove_listeners();
  remove_failure_listeners();
}

// In a forked child the devices are those of the parent.
bool may_end() { return !process_exiting() && (owns_devices() || open_devices().empty()); }

// A forced end drops pending tasks and does not wait.
void end_contexts() {
  for (const ContextPtr& context : context_handles().all()) {
    try {
      context->tear_down(true);
    } catch (const Error& error) {
      log().warn("A context ends with its Process: {}", error.sentence());
    }
  }
}

// A task or function that still runs uses devices that would be destroyed.
[[noreturn]] void abort_process(const char* what) {
  log().error("A Process cannot end: {} still runs.", what);
  flush_log();
  std::abort();
}

void wait_for_callbacks(const Device& device) {
  if (!device.watcher().wait_for_callback_threads(kHostFunctionGrace)) abort_process("a host function");
  device.gpu().collect();
}

void end_devices() {
  if (!quiesce()) abort_process("a task");
  for (const auto& device : open_devices()) wait_for_callbacks(*device);
  for (const auto& device : retired_devices()) wait_for_callbacks(*device);
}

}  // namespace

Process::Process() : process_(getpid()) { end(); }

Process::~Process() { end(); }

std::vector<const char*> Process::end() {
  if (getpid() != process_ || !may_end()) return {};
  end_calls_of_the_program();
  end_contexts();
  end_devices();
  return end_process_states();
}

}  // namespace aclvk::runtime
