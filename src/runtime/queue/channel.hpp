#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "runtime/queue/data_item.hpp"
#include "runtime/queue/wait_timeout.hpp"

namespace aclvk::runtime {

/// acltdtChannelHandle: a queue of datasets on the host. Channels of the same device and name are one: what one handle
/// sends the other receives. Thread safe.
class Channel {
 public:
  Channel(std::uint32_t device, std::string name, std::size_t capacity);

  const std::uint32_t device;
  const std::string name;
  const std::size_t capacity;  ///< in datasets

  /// Copies the items, which may have their data in device memory. kQueueFull when the time is over; kFailure when the
  /// channel is stopped.
  void send(const Dataset& set, WaitTimeout timeout);
  /// Replaces what the set received before. kQueueEmpty when the time is over; kEndOfSequence when the channel is
  /// stopped and has nothing left.
  void receive(Dataset& set, WaitTimeout timeout);
  /// Wakes all who wait. What is in the channel can still be received.
  void stop();
  void clean();
  std::size_t size() const;

 private:
  using Content = std::vector<std::shared_ptr<DataItem>>;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Content> contents_;
  bool stopped_ = false;
};

using ChannelHandles = HandleTable<Channel, HandleTag::kChannel>;

ChannelHandles& channel_handles();

constexpr std::size_t kDefaultCapacity = 128;

/// Returns a handle of the channel, which is made if it is not there. `capacity` null: the default, or what the channel
/// has. Throws kInvalidDeviceId, kInvalidParam.
void* open_channel(std::uint32_t device, const std::string& name, const std::size_t* capacity);
/// The last handle of a channel stops and ends it. False when the handle is not live.
bool close_channel(const void* handle);

}  // namespace aclvk::runtime
