#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/mutex.hpp"
#include "runtime/context/capture_mode.hpp"
#include "runtime/context/sys_params.hpp"
#include "runtime/device/device.hpp"
#include "runtime/stream/stream.hpp"
#include "runtime/stream/stream_owner.hpp"

namespace aclvk::runtime {

/// An aclrtContext. Owns its streams. A device has one primary context, which aclrtSetDevice makes; aclrtCreateContext
/// makes others. Thread safe.
class Context : public StreamOwner, public std::enable_shared_from_this<Context> {
 public:
  /// Creates the context with its default stream and registers its handle.
  static std::shared_ptr<Context> create(std::shared_ptr<Device> device, bool primary);

  bool primary() const { return primary_; }
  void* handle() const { return handle_; }

  StreamPtr default_stream() const;
  /// Creates a stream and registers its handle.
  StreamPtr create_stream(Stream::Options options);
  /// Removes the stream and its handle. Waits for its work; with `force` drops tasks that have not been submitted, and
  /// does not wait.
  void destroy_stream(const StreamPtr& stream, bool force);
  std::vector<StreamPtr> streams() const;
  /// Returns the streams, the default stream included.
  std::vector<StreamPtr> all_streams() const;

  /// Waits for all streams. Throws kStreamCaptured while one of them is captured, kStreamSyncTimeout.
  void synchronize(Timeout timeout = {});
  /// Waits for all streams and destroys them; with `force` does not wait. Makes the handle stale.
  void tear_down(bool force);

  CaptureModes captures;
  SysParams params;

 private:
  Context(std::shared_ptr<Device> device, bool primary);

  StreamPtr add_stream(Stream::Options options);

  const bool primary_;
  void* handle_ = nullptr;
  mutable Mutex mutex_;
  StreamPtr default_stream_ GUARDED_BY(mutex_);
  std::vector<StreamPtr> streams_ GUARDED_BY(mutex_);  // without the default stream
};

using ContextPtr = std::shared_ptr<Context>;

/// Returns the context of a stream. Throws kContextNull when it has been destroyed.
ContextPtr context_of(const Stream& stream);

/// Returns how many contexts have been destroyed so far.
std::uint64_t ended_contexts();

/// Returns how many more streams the device takes.
std::uint32_t available_streams(const Device& device);

}  // namespace aclvk::runtime
