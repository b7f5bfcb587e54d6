// Versions of packages (1.10).
#include <cstdlib>
#include <cstring>
#include <string>

#include "support/acl_fixture.hpp"

namespace aclvk::test {
namespace {

using Version = Plain;

/// Package names are not const in the interface.
std::string text_of(const char* package) {
  std::string name = package;
  char text[ACL_PKG_VERSION_MAX_SIZE] = {};
  EXPECT_EQ(aclsysGetVersionStr(name.data(), text), 0) << package;
  return text;
}

int32_t number_of(const char* package) {
  std::string name = package;
  int32_t number = 0;
  EXPECT_EQ(aclsysGetVersionNum(name.data(), &number), 0) << package;
  return number;
}

TEST_F(Version, OfPackagesIsThatOfTheInterface) {
  for (const char* package : {"runtime", "RUNTIME", "cann", "opp", "opp_kernel", "ops_math", "ops_nn", "ops_cv",
                              "ops_transformer", "ops_legacy"}) {
    EXPECT_EQ(text_of(package), "9.0.0");
    EXPECT_EQ(number_of(package), 90000000);
  }
}

TEST_F(Version, HasParts) {
  aclCANNPackageVersion version;
  std::memset(&version, 1, sizeof(version));
  ASSERT_EQ(aclsysGetCANNVersion(ACL_PKG_NAME_RUNTIME, &version), 0);
  EXPECT_STREQ(version.version, "9.0.0");
  EXPECT_STREQ(version.majorVersion, "9");
  EXPECT_STREQ(version.minorVersion, "0");
  EXPECT_STREQ(version.releaseVersion, "0");
  EXPECT_STREQ(version.patchVersion, "");
  EXPECT_EQ(version.reserved[0], 0);
}

TEST_F(Version, CanBeAnotherOne) {
  setenv("ACLVK_CANN_VERSION", "8.5.RC1.alpha002", 1);
  aclCANNPackageVersion version;
  ASSERT_EQ(aclsysGetCANNVersion(ACL_PKG_NAME_CANN, &version), 0);
  EXPECT_STREQ(version.majorVersion, "8");
  EXPECT_STREQ(version.minorVersion, "5");
  EXPECT_STREQ(version.releaseVersion, "RC1");
  EXPECT_STREQ(version.patchVersion, "alpha002");
  EXPECT_LT(number_of("runtime"), 80500000) << "before the release";
  EXPECT_GT(number_of("runtime"), 80499000);
}

TEST_F(Version, TooLongIsCut) {
  setenv("ACLVK_CANN_VERSION", ("9.0." + std::string(300, '1')).c_str(), 1);
  EXPECT_EQ(text_of("runtime").size(), size_t{ACL_PKG_VERSION_MAX_SIZE - 1});
}

TEST_F(Version, WithoutNumbersHasNoNumber) {
  setenv("ACLVK_CANN_VERSION", "newest", 1);
  EXPECT_EQ(text_of("runtime"), "newest");
  std::string name = "runtime";
  int32_t number = 5;
  EXPECT_EQ(aclsysGetVersionNum(name.data(), &number), ACL_ERROR_FAILURE);
  EXPECT_EQ(number, 5);
}

TEST_F(Version, IsKnownOfWhatAclvkStandsFor) {
  aclCANNPackageVersion version;
  EXPECT_EQ(aclsysGetCANNVersion(ACL_PKG_NAME_OPP, &version), 0);
  EXPECT_EQ(aclsysGetCANNVersion(ACL_PKG_NAME_OPP_KERNEL, &version), 0);
  for (const auto package : {ACL_PKG_NAME_COMPILER, ACL_PKG_NAME_HCCL, ACL_PKG_NAME_TOOLKIT, ACL_PKG_NAME_DRIVER}) {
    EXPECT_EQ(aclsysGetCANNVersion(package, &version), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  }
  std::string driver = "driver";
  int32_t number = 0;
  EXPECT_EQ(aclsysGetVersionNum(driver.data(), &number), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

TEST_F(Version, ChecksItsArguments) {
  aclCANNPackageVersion version;
  std::string runtime = "runtime";
  std::string unknown = "nonsense";
  char text[ACL_PKG_VERSION_MAX_SIZE] = {};
  int32_t number = 0;
  EXPECT_EQ(aclsysGetCANNVersion(ACL_PKG_NAME_CANN, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclsysGetCANNVersion(static_cast<aclCANNPackageName>(8), &version), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclsysGetVersionStr(nullptr, text), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclsysGetVersionStr(runtime.data(), nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclsysGetVersionStr(unknown.data(), text), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclsysGetVersionNum(nullptr, &number), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclsysGetVersionNum(runtime.data(), nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclsysGetVersionNum(unknown.data(), &number), ACL_ERROR_INVALID_PARAM);
}

}  // namespace
}  // namespace aclvk::test
