#include "comm/settings.hpp"

#include <array>
#include <charconv>
#include <cstddef>
#include <cstring>

#include "base/config.hpp"
#include "base/process_state.hpp"
#include "comm/comm_error.hpp"

namespace aclvk::comm {
namespace {

using Deterministic = ProcessValue<std::int32_t, -1, StateId::kDeterministic>;  // negative: the environment decides

/// The layout of HcclCommConfig::reserved.
struct Header {
  std::size_t size;
  std::uint32_t magic;
  std::uint32_t version;
  std::uint64_t reserved;
};
static_assert(sizeof(Header) == HCCL_COMM_CONFIG_INFO_BYTES);

// Parses a variable; returns `unset` for an empty text.
std::int64_t number(const char* variable, const std::string& text, std::int64_t least, std::int64_t most,
                    std::int64_t unset) {
  if (text.empty()) return unset;
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc{} && end == text.data() + text.size();
  check(whole && value >= least && value <= most, HCCL_E_PARA, "{} is \"{}\"; a number from {} to {} is expected.",
        variable, text, least, most);
  return value;
}

std::int32_t environment_deterministic() {
  const std::string& text = config().hccl_deterministic;
  if (text.empty() || text == "false") return 0;
  if (text == "true") return 1;
  check(text == "strict", HCCL_E_PARA, "HCCL_DETERMINISTIC is \"{}\"; false, true or strict is expected.", text);
  return 2;
}

// Returns whether the config's size includes the whole field: older programs pass shorter structs.
bool covers(const Header& header, std::size_t offset, std::size_t bytes) { return header.size >= offset + bytes; }

std::string text_of(const char* bytes, std::size_t capacity, const char* field) {
  const void* end = std::memchr(bytes, 0, capacity);
  check(end != nullptr, HCCL_E_PARA, "{} has no terminator within its {} bytes.", field, capacity);
  return bytes;
}

}  // namespace

#define ACLVK_COVERS(header, member) covers(header, offsetof(HcclCommConfig, member), sizeof(HcclCommConfig::member))

Settings settings_from_environment() {
  Settings settings;
  settings.deterministic = process_deterministic();
  settings.buffer_mib =
      static_cast<std::uint32_t>(number("HCCL_BUFFSIZE", config().hccl_buffer_size, 1, INT32_MAX, settings.buffer_mib));
  settings.exec_timeout_s =
      number("HCCL_EXEC_TIMEOUT", config().hccl_exec_timeout, 0, INT32_MAX, settings.exec_timeout_s);
  number("HCCL_CONNECT_TIMEOUT", config().hccl_connect_timeout, 120, 7200, 120);  // only validated: no rank connects
  return settings;
}

Settings settings_from(const HcclCommConfig& given) {
  Header header;
  std::memcpy(&header, given.reserved, sizeof(header));
  check(header.magic == HCCL_COMM_CONFIG_MAGIC_WORD, HCCL_E_PARA,
        "config begins with the magic number {:#x}; HcclCommConfigInit writes {:#x}.", header.magic,
        HCCL_COMM_CONFIG_MAGIC_WORD);
  check(header.size >= sizeof(header), HCCL_E_PARA, "config says that it has {} bytes; its header has {}.", header.size,
        sizeof(header));
  Settings settings = settings_from_environment();
  if (ACLVK_COVERS(header, hcclBufferSize) && given.hcclBufferSize != HCCL_COMM_BUFFSIZE_CONFIG_NOT_SET) {
    check(given.hcclBufferSize >= 1, HCCL_E_PARA, "hcclBufferSize is 0; at least 1 MiB is expected.");
    settings.buffer_mib = given.hcclBufferSize;
  }
  if (ACLVK_COVERS(header, hcclDeterministic) && given.hcclDeterministic != HCCL_COMM_DETERMINISTIC_CONFIG_NOT_SET) {
    check(given.hcclDeterministic <= 2, HCCL_E_PARA, "hcclDeterministic is {}; 0, 1 or 2 is expected.",
          given.hcclDeterministic);
    settings.deterministic = static_cast<std::int32_t>(given.hcclDeterministic);
  }
  if (ACLVK_COVERS(header, hcclCommName)) {
    settings.name = text_of(given.hcclCommName, sizeof(given.hcclCommName), "hcclCommName");
  }
  if (ACLVK_COVERS(header, hcclExecTimeOut) && given.hcclExecTimeOut != HCCL_COMM_EXECTIMEOUT_CONFIG_NOT_SET) {
    check(given.hcclExecTimeOut >= 0, HCCL_E_PARA, "hcclExecTimeOut is {}; seconds or 0 are expected.",
          given.hcclExecTimeOut);
    settings.exec_timeout_s = given.hcclExecTimeOut;
  }
  return settings;
}

void check_option(int option, std::int32_t value) {
  check(option == HCCL_DETERMINISTIC, HCCL_E_NOT_SUPPORT, "config {} is unknown; HCCL_DETERMINISTIC (0) is known.",
        option);
  check(value >= 0 && value <= 2, HCCL_E_PARA, "HCCL_DETERMINISTIC is {}; 0, 1 or 2 is expected.", value);
}

std::int32_t process_deterministic() {
  const std::int32_t value = Deterministic::get();
  return value >= 0 ? value : environment_deterministic();
}

void set_process_deterministic(std::int32_t value) { Deterministic::set(value); }

}  // namespace aclvk::comm
