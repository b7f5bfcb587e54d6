#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

#include "base/config.hpp"
#include "base/error.hpp"
#include "vk_device/device/device.hpp"

namespace aclvk::vk::test {

/// Sets an environment variable and reloads the configuration. Restores the old value at the end of its scope.
class Setting {
 public:
  Setting(const char* name, const char* value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    setenv(name, value, 1);
    reload_config();
  }
  ~Setting() {
    if (old_.empty()) {
      unsetenv(name_);
    } else {
      setenv(name_, old_.c_str(), 1);
    }
    reload_config();
  }
  Setting(const Setting&) = delete;
  Setting& operator=(const Setting&) = delete;

 private:
  const char* name_;
  std::string old_;
};

/// Opens device 0 with validation. A validation error during a test fails it.
class DeviceTest : public testing::Test {
 protected:
  void SetUp() override {
    setenv("ACLVK_VALIDATION", "1", 0);
    reload_config();
    if (list_devices().empty()) GTEST_SKIP() << "there is no Vulkan device";
    errors_ = validation_errors();
    open();
  }

  void TearDown() override {
    timeline_.reset();
    device_.reset();
    EXPECT_EQ(validation_errors(), errors_);
  }

  void open() {
    device_ = Device::open(0);
    timeline_ = device_->create_timeline();
  }

  BufferRange allocate(std::uint64_t bytes, Placement placement = Placement::kDevice) {
    void* pointer = device_->memory().allocate(placement, bytes);
    return *device_->memory().find(pointer, bytes);
  }

  /// Allocates device memory with these contents.
  template <typename T>
  BufferRange upload(const std::vector<T>& values) {
    const BufferRange range = allocate(values.size() * sizeof(T));
    device_->write(range, values.data());
    return range;
  }

  template <typename T = std::uint8_t>
  std::vector<T> download(const BufferRange& range) {
    std::vector<T> values(range.size / sizeof(T));
    device_->read(values.data(), range);
    return values;
  }

  /// Records a primary, submits it to queue 0, and waits.
  template <typename Record>
  std::shared_ptr<CommandBuffer> run(Record&& record) {
    auto recorder = device_->record(Level::kPrimary);
    record(*recorder);
    auto commands = recorder->finish();
    submit(commands);
    timeline_->wait(value_);
    return commands;
  }

  TimelinePoint submit(const std::shared_ptr<CommandBuffer>& commands, std::vector<TimelinePoint> waits = {}) {
    TimelinePoint done{timeline_, ++value_};
    device_->queue(0).submit({{commands}, std::move(waits), done});
    return done;
  }

  static std::vector<std::uint8_t> random_bytes(std::size_t count) {
    std::mt19937 random(42);
    std::vector<std::uint8_t> bytes(count);
    for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random() | 1);
    return bytes;
  }

  std::shared_ptr<Device> device_;
  std::shared_ptr<Timeline> timeline_;
  std::uint64_t value_ = 0;

 private:
  std::uint64_t errors_ = 0;
};

/// Runs `call` and returns the code of the Error that it throws.
template <typename Call>
Code code_of(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_FALSE(error.sentence().empty());
    return error.code();
  }
  return Code::kSuccess;
}

}  // namespace aclvk::vk::test
