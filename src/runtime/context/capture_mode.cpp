#include "runtime/context/capture_mode.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <thread>
#include <utility>

#include "base/error.hpp"
#include "base/mutex.hpp"
#include "base/process_state.hpp"
#include "base/thread_value.hpp"

namespace aclvk::runtime {
namespace {

struct ThreadMode {
  CaptureMode value = CaptureMode::kGlobal;
};
// The mode is that of a thread by its definition (aclmdlRICaptureThreadExchangeMode).
thread_local ThreadValue<ThreadMode> thread_exchange_mode;

struct Active {
  const CaptureModes* context;
  CaptureMode mode;
  std::thread::id thread;
};

/// The active captures of all contexts.
struct Registry {
  Mutex mutex;
  std::map<const void*, Active> captures GUARDED_BY(mutex);
};

// Not destroyed at exit: contexts may end while the process exits.
Registry& registry() { return ProcessState<Registry, StateId::kCaptureModes>::get(); }

}  // namespace

CaptureModes::~CaptureModes() {
  const LockGuard lock(registry().mutex);
  auto& captures = registry().captures;
  for (auto capture = captures.begin(); capture != captures.end();) {
    capture = capture->second.context == this ? captures.erase(capture) : std::next(capture);
  }
}

void CaptureModes::begin(const void* capture, CaptureMode mode) {
  const LockGuard lock(registry().mutex);
  registry().captures[capture] = {this, mode, std::this_thread::get_id()};
}

void CaptureModes::end(const void* capture) {
  const LockGuard lock(registry().mutex);
  registry().captures.erase(capture);
}

// The table of capture-semantics, section 5. `here` is the most restrictive mode of the context's captures, `own` that
// of the captures that the thread has begun in any context.
bool CaptureModes::forbidden() const {
  const CaptureMode exchanged = thread_exchange_mode.get().value;
  if (exchanged == CaptureMode::kRelaxed) return false;
  const LockGuard lock(registry().mutex);
  std::optional<CaptureMode> here;
  CaptureMode own = CaptureMode::kRelaxed;
  for (const auto& [capture, active] : registry().captures) {
    if (active.context == this) here = std::min(here.value_or(active.mode), active.mode);
    if (active.thread == std::this_thread::get_id()) own = std::min(own, active.mode);
  }
  if (!here) return false;
  if (exchanged == CaptureMode::kThreadLocal) return own != CaptureMode::kRelaxed;
  return *here == CaptureMode::kGlobal || own == CaptureMode::kThreadLocal;
}

void CaptureModes::check_synchronous_call(const char* what) const {
  check(!forbidden(), Code::kCaptureModeNotSupported,
        "{} is not ordered by any stream, and a capture in this context forbids that on this thread; the capture "
        "continues. Exchange the thread's mode to RELAXED around the call, or begin the capture in that mode.",
        what);
}

void CaptureModes::check_pageable_copy() const {
  check(!forbidden(), Code::kCaptureModeBlockAsync,
        "An asynchronous copy with pageable host memory synchronises its stream, and a capture in this context forbids "
        "that on this thread; use memory of aclrtMallocHost.");
}

CaptureMode exchange_thread_mode(CaptureMode mode) { return std::exchange(thread_exchange_mode.get().value, mode); }

}  // namespace aclvk::runtime
