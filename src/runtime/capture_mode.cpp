#include "runtime/capture_mode.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"

namespace aclvk::runtime {
namespace {

thread_local CaptureMode thread_exchange_mode = CaptureMode::kGlobal;

}  // namespace

void CaptureModes::begin(const void* capture, CaptureMode mode) {
  const std::lock_guard lock(mutex_);
  active_[capture] = {mode, std::this_thread::get_id()};
}

void CaptureModes::end(const void* capture) {
  const std::lock_guard lock(mutex_);
  active_.erase(capture);
}

bool CaptureModes::any() const {
  const std::lock_guard lock(mutex_);
  return !active_.empty();
}

// The table of capture-semantics, section 5. The thread's mode is taken over the captures of this context only: a
// capture on another device does not restrict this one.
bool CaptureModes::forbidden() const {
  const std::lock_guard lock(mutex_);
  if (active_.empty() || thread_exchange_mode == CaptureMode::kRelaxed) return false;
  CaptureMode strictest = CaptureMode::kRelaxed;
  CaptureMode own = CaptureMode::kRelaxed;
  for (const auto& [capture, active] : active_) {
    strictest = std::min(strictest, active.mode);
    if (active.thread == std::this_thread::get_id()) own = std::min(own, active.mode);
  }
  if (thread_exchange_mode == CaptureMode::kThreadLocal) return own != CaptureMode::kRelaxed;
  return strictest == CaptureMode::kGlobal || own == CaptureMode::kThreadLocal;
}

void CaptureModes::check_synchronous_call(const char* what) const {
  check(!forbidden(), Code::kCaptureModeNotSupported,
        "{} is not ordered by any stream, and a capture in this context forbids that on this thread; the capture goes "
        "on. "
        "Exchange the thread's mode to RELAXED around the call, or begin the capture in that mode.",
        what);
}

void CaptureModes::check_pageable_copy() const {
  check(!forbidden(), Code::kCaptureModeBlockAsync,
        "An asynchronous copy with pageable host memory synchronises its stream, and a capture in this context forbids "
        "that "
        "on this thread; use memory of aclrtMallocHost.");
}

CaptureMode exchange_thread_mode(CaptureMode mode) { return std::exchange(thread_exchange_mode, mode); }

}  // namespace aclvk::runtime
