#pragma once

#include <cstdint>

namespace aclvk::runtime {

/// aclmdlRICaptureMode. Smaller values are more restrictive.
enum class CaptureMode : std::uint8_t { kGlobal = 0, kThreadLocal = 1, kRelaxed = 2 };

/// The active captures of one context. Calls that no stream orders, synchronous copies for instance, check it
/// (capture-semantics, section 5). Captures that the calling thread has begun in other contexts count, too. Thread
/// safe.
class CaptureModes {
 public:
  CaptureModes() = default;
  ~CaptureModes();
  CaptureModes(const CaptureModes&) = delete;
  CaptureModes& operator=(const CaptureModes&) = delete;

  /// Begins a capture on the calling thread. `capture` is its key.
  void begin(const void* capture, CaptureMode mode);
  void end(const void* capture);

  /// Throws kCaptureModeNotSupported while a capture forbids synchronous calls of the calling thread.
  void check_synchronous_call(const char* what) const;
  /// Throws kCaptureModeBlockAsync under the same condition, for an asynchronous copy of pageable memory on a stream
  /// that is not captured.
  void check_pageable_copy() const;

 private:
  bool forbidden() const;
};

/// Swaps the calling thread's exchange mode (initially global) and returns the old one.
CaptureMode exchange_thread_mode(CaptureMode mode);

}  // namespace aclvk::runtime
