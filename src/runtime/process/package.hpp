#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace aclvk::runtime {

/// A version such as "9.0.0" or "9.1.RC1.beta2", split at its points.
struct Version {
  std::string text;
  std::string major;
  std::string minor;
  std::string release;
  std::string patch;  ///< the rest after the release; often empty

  /// Returns major * 10000000 + minor * 100000 + release * 1000, less 100 - n for RCn, 200 - n for betas and 300 - n
  /// for alphas. Throws kFailure when major or minor is no number.
  std::int32_t number() const;
};

Version parse_version(const std::string& text);

// Versions of the CANN packages whose interface aclvk provides: all have the version of the setting ACLVK_CANN_VERSION.
// Throw kInvalidParam for an unknown package, kFeatureNotSupported for one that aclvk does not provide.

/// Takes an aclCANNPackageName.
Version version_of_package(int package);
/// Takes a name, "runtime" for instance, in any case.
Version version_of_package(std::string_view name);

}  // namespace aclvk::runtime
