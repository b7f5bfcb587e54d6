#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace aclvk::runtime {

/// A version such as "9.0.0" or "9.1.RC1.beta2", in the parts between its points.
struct Version {
  std::string text;
  std::string major;
  std::string minor;
  std::string release;
  std::string patch;  ///< what follows the release; often nothing

  /// major * 10000000 + minor * 100000 + release * 1000. Versions before a release are below it: RCn by 100 - n, betas
  /// by 200 - n, alphas by 300 - n. Throws kFailure when major or minor is no number.
  std::int32_t number() const;
};

/// "9.0.0" into its parts.
Version parse_version(const std::string& text);

// The packages of CANN that aclvk stands for: those whose interface it has. All have the version of the setting
// ACLVK_CANN_VERSION. kInvalidParam for an unknown package, kFeatureNotSupported for one that is no part of aclvk.

/// By aclCANNPackageName.
Version version_of_package(int package);
/// By name: "runtime", in small or capital letters.
Version version_of_package(std::string_view name);

}  // namespace aclvk::runtime
