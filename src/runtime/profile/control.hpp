#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/handle.hpp"
#include "runtime/profile/session.hpp"

namespace aclvk::runtime::profile {

// The profile that a program controls by acl_prof.h: aclprofInit sets the folder, aclprofStart enables the categories
// of a configuration, aclprofStop disables them, aclprofFinalize ends the trace.

/// An aclprofConfig.
struct Config {
  Selection selection;
};

/// An aclprofSubscribeConfig.
struct SubscribeConfig {
  int descriptor = -1;
  bool with_times = false;
};

using ConfigHandles = HandleTable<Config, HandleTag::kProfileConfig>;
using SubscribeConfigHandles = HandleTable<SubscribeConfig, HandleTag::kProfileSubscription>;
ConfigHandles& config_handles();
SubscribeConfigHandles& subscribe_config_handles();

/// Throws kProfilingRuns while an earlier profile has not ended, kProfilingConflict while a model has a subscriber,
/// kInvalidFile for a folder that cannot be written.
void begin(const std::string& folder);
/// Throws kProfilingStands without begin().
void end();
/// Throws kProfilingStands without begin(), kProfilingRuns for a configuration that has been started.
void start(const std::shared_ptr<Config>& config);
/// Throws kProfilingStands for a configuration that has not been started.
void stop(const std::shared_ptr<Config>& config);
bool started(const Config& config);
/// Returns whether aclprofInit has been called without aclprofFinalize.
bool begun();

// The folder and the largest size of the next trace.

void set_folder(const std::string& folder);
void set_limit(std::uint64_t bytes);

/// Starts the profile of aclInit's configuration, which ends with aclFinalize. Throws kInvalidProfilingConfig for a
/// folder that cannot be written.
void begin_configured(const std::string& folder, std::uint32_t categories);
void end_configured();

}  // namespace aclvk::runtime::profile
