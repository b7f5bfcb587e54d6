#pragma once

#include <cstdint>

namespace aclvk::runtime {

/// aclmdlRICaptureMode; smaller is more restrictive.
enum class CaptureMode : std::uint8_t { kGlobal = 0, kThreadLocal = 1, kRelaxed = 2 };

/// The captures that are active in one context, as far as calls that no stream orders (synchronous copies) must know
/// (capture-semantics, section 5). Those that a thread has begun in other contexts count there too. Thread safe.
class CaptureModes {
 public:
  CaptureModes() = default;
  ~CaptureModes();
  CaptureModes(const CaptureModes&) = delete;
  CaptureModes& operator=(const CaptureModes&) = delete;

  /// A capture begins on the calling thread. The key tells captures apart.
  void begin(const void* capture, CaptureMode mode);
  void end(const void* capture);

  /// Throws kCaptureModeNotSupported when a capture forbids the calling thread synchronous calls now.
  void check_synchronous_call(const char* what) const;
  /// The same question for an asynchronous copy that needs pageable memory on a stream that is not captured
  /// (kCaptureModeBlockAsync).
  void check_pageable_copy() const;

 private:
  bool forbidden() const;
};

/// Swaps the calling thread's exchange mode (initially global) and returns the old one.
CaptureMode exchange_thread_mode(CaptureMode mode);

}  // namespace aclvk::runtime
