#include "comm/root_info.hpp"

#include <cstring>
#include <random>
#include <string_view>

#include "comm/comm_error.hpp"
#include "runtime/context/current.hpp"

namespace aclvk::comm {
namespace {

// The number is the version of the format.
constexpr std::string_view kPrefix = "aclvk root info 1 ";
constexpr std::size_t kDigits = 32;

}  // namespace

HcclRootInfo make_root_info() {
  runtime::current_context();
  std::random_device random;
  std::string text(kPrefix);
  for (int word = 0; word < 4; ++word) text += fmt::format("{:08x}", random());
  HcclRootInfo info{};
  std::memcpy(info.internal, text.data(), text.size());
  return info;
}

std::string identity_of(const HcclRootInfo& info) {
  const std::string_view text(info.internal, kPrefix.size() + kDigits);
  check(text.substr(0, kPrefix.size()) == kPrefix, HCCL_E_PARA,
        "rootInfo does not hold what HcclGetRootInfo has written.");
  const std::string_view digits = text.substr(kPrefix.size());
  check(digits.find_first_not_of("0123456789abcdef") == digits.npos, HCCL_E_PARA,
        "rootInfo has been changed since HcclGetRootInfo wrote it.");
  return std::string(digits);
}

}  // namespace aclvk::comm
