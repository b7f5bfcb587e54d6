#include "runtime/queue/channel.hpp"

#include <map>
#include <utility>

#include "base/error.hpp"
#include "base/process_state.hpp"
#include "runtime/device/device.hpp"
#include "runtime/memory/copy.hpp"

namespace aclvk::runtime {
namespace {

std::shared_ptr<DataItem> copy_of(const Dataset& set, std::size_t index) {
  const auto item = data_item_handles().find(set.items[index]);
  check(item != nullptr, Code::kInvalidParam, "Item {} of the dataset has been destroyed.", index);
  auto copy = std::make_shared<DataItem>(
      DataItem{item->kind, item->data_type, item->dims, nullptr, item->bytes, std::vector<std::byte>(item->bytes)});
  if (item->bytes > 0) copy_now(copy->own.data(), item->data, item->bytes);
  copy->data = copy->own.empty() ? nullptr : copy->own.data();
  return copy;
}

struct OpenChannel {
  std::shared_ptr<Channel> channel;
  std::size_t handles = 0;
};

struct OpenChannels {
  Mutex mutex;
  std::map<std::pair<std::uint32_t, std::string>, OpenChannel> by_name GUARDED_BY(mutex);
};

// Not destroyed at exit, like the handles.
OpenChannels& open_channels() { return ProcessState<OpenChannels, StateId::kOpenChannels>::get(); }

void check_name(const std::string& name) {
  constexpr std::size_t kLongest = 127;
  check(!name.empty() && name.size() <= kLongest, Code::kInvalidParam,
        "The name of the channel has {} characters; 1 to {} are expected.", name.size(), kLongest);
}

}  // namespace

Channel::Channel(std::uint32_t on_device, std::string with_name, std::size_t with_capacity)
    : device(on_device), name(std::move(with_name)), capacity(with_capacity) {}

// Copies the items before it takes the lock, so that other threads use the channel meanwhile.
void Channel::send(const Dataset& set, WaitTimeout timeout) {
  check(!set.items.empty(), Code::kInvalidParam, "The dataset has no items; at least one is expected.");
  Content content;
  for (std::size_t i = 0; i < set.items.size(); ++i) content.push_back(copy_of(set, i));
  UniqueLock lock(mutex_);
  const bool in_time =
      timeout.wait(changed_, mutex_, [&]() REQUIRES(mutex_) { return stopped_ || contents_.size() < capacity; });
  check(!stopped_, Code::kFailure, "Channel \"{}\" has been stopped; it takes nothing any more.", name);
  check(in_time, Code::kQueueFull, "Channel \"{}\" is full for {} ms; it holds {} datasets.", name,
        timeout.milliseconds(), capacity);
  contents_.push_back(std::move(content));
  changed_.notify_all();
}

void Channel::receive(Dataset& set, WaitTimeout timeout) {
  check(set.received || set.items.empty(), Code::kInvalidParam,
        "The dataset holds {} items of the program; an empty one is expected.", set.items.size());
  UniqueLock lock(mutex_);
  const bool in_time =
      timeout.wait(changed_, mutex_, [&]() REQUIRES(mutex_) { return stopped_ || !contents_.empty(); });
  if (contents_.empty()) {
    check(!stopped_, Code::kEndOfSequence, "Channel \"{}\" has been stopped, and nothing is left in it.", name);
    check(in_time, Code::kQueueEmpty, "Channel \"{}\" is empty for {} ms.", name, timeout.milliseconds());
  }
  Content content = std::move(contents_.front());
  contents_.pop_front();
  changed_.notify_all();
  lock.unlock();
  set.clear();
  set.name = name;
  set.received = true;
  for (auto& item : content) set.items.push_back(data_item_handles().insert(std::move(item)));
}

void Channel::stop() {
  const LockGuard lock(mutex_);
  stopped_ = true;
  changed_.notify_all();
}

void Channel::clean() {
  std::deque<Content> dropped;  // destroyed after the lock is released
  const LockGuard lock(mutex_);
  dropped.swap(contents_);
  changed_.notify_all();
}

std::size_t Channel::size() const {
  const LockGuard lock(mutex_);
  return contents_.size();
}

ChannelHandles& channel_handles() { return ProcessState<ChannelHandles, StateId::kChannelHandles>::get(); }

void* open_channel(std::uint32_t device, const std::string& name, const std::size_t* capacity) {
  check_device_id(static_cast<std::int32_t>(device));
  check_name(name);
  check(!capacity || *capacity > 0, Code::kInvalidParam, "The capacity is 0; a channel holds at least one dataset.");
  const LockGuard lock(open_channels().mutex);
  OpenChannel& open = open_channels().by_name[{device, name}];
  if (!open.channel) open.channel = std::make_shared<Channel>(device, name, capacity ? *capacity : kDefaultCapacity);
  check(!capacity || *capacity == open.channel->capacity, Code::kInvalidParam,
        "The capacity is {}; channel \"{}\" is open with a capacity of {}.", capacity ? *capacity : 0, name,
        open.channel->capacity);
  ++open.handles;
  return channel_handles().insert(open.channel);
}

// Removes the handle first, so that one of two threads that close it is refused.
bool close_channel(const void* handle) {
  const auto channel = channel_handles().remove(handle);
  if (!channel) return false;
  const LockGuard lock(open_channels().mutex);
  const auto open = open_channels().by_name.find({channel->device, channel->name});
  if (--open->second.handles > 0) return true;
  open->second.channel->stop();
  open_channels().by_name.erase(open);
  return true;
}

}  // namespace aclvk::runtime
