#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/handle.hpp"
#include "runtime/profile/session.hpp"

namespace aclvk::runtime::profile {

// The profile that a program controls by acl_prof.h: aclprofInit says where, aclprofStart begins to show what a
// configuration names, aclprofStop ends that, aclprofFinalize ends the trace.

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

/// Throws kProfilingRuns after an earlier one that has not ended, kProfilingConflict while a model is subscribed to,
/// kInvalidFile for a folder that cannot be written.
void begin(const std::string& folder);
/// Throw kProfilingStands without begin().
void end();
/// Throws kProfilingRuns for a configuration that has been started.
void start(const std::shared_ptr<Config>& config);
/// Throws kProfilingStands for a configuration that has not been started.
void stop(const std::shared_ptr<Config>& config);
bool started(const Config& config);
bool begun();

/// Where the next trace is written, and how many bytes it may have.
void set_folder(const std::string& folder);
void set_limit(std::uint64_t bytes);

/// The profile of aclInit's configuration, to aclFinalize. Throws kInvalidProfilingConfig for a folder that cannot be
/// written.
void begin_configured(const std::string& folder, std::uint32_t categories);
void end_configured();

}  // namespace aclvk::runtime::profile
