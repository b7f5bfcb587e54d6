#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "base/mutex.hpp"
#include "runtime/queue/data_item.hpp"
#include "runtime/queue/wait_timeout.hpp"

namespace aclvk::runtime {

/// acltdtChannelHandle: a bounded FIFO of datasets on the host. Handles of the same device and name refer to the same
/// channel. Thread safe.
class Channel {
 public:
  Channel(std::uint32_t device, std::string name, std::size_t capacity);

  const std::uint32_t device;
  const std::string name;
  const std::size_t capacity;  ///< in datasets

  /// Appends a copy of the items, whose data may be in device memory. Throws kQueueFull after the timeout, kFailure
  /// when the channel is stopped.
  void send(const Dataset& set, WaitTimeout timeout);
  /// Replaces the items that the set has received before. Throws kQueueEmpty after the timeout, kEndOfSequence when the
  /// channel is stopped and empty.
  void receive(Dataset& set, WaitTimeout timeout);
  /// Wakes all waiting threads. Datasets in the channel can still be received.
  void stop();
  void clean();
  std::size_t size() const;

 private:
  using Content = std::vector<std::shared_ptr<DataItem>>;

  mutable Mutex mutex_;
  ConditionVariable changed_;
  std::deque<Content> contents_ GUARDED_BY(mutex_);
  bool stopped_ GUARDED_BY(mutex_) = false;
};

using ChannelHandles = HandleTable<Channel, HandleTag::kChannel>;

ChannelHandles& channel_handles();

constexpr std::size_t kDefaultCapacity = 128;

/// Returns a handle of the channel. Makes the channel if it does not exist; `capacity` null means the default or the
/// capacity that it has. Throws kInvalidDeviceId, kInvalidParam.
void* open_channel(std::uint32_t device, const std::string& name, const std::size_t* capacity);
/// Closes a handle. The last one stops and ends the channel. Returns false for a handle that is not live.
bool close_channel(const void* handle);

}  // namespace aclvk::runtime
