#pragma once

#include <cstdint>
#include <string>

#include "hccl/hccl_types.h"

namespace aclvk::comm {

/// The settings of a communicator: fields of an HcclCommConfig, and HCCL_* variables of the environment for fields that
/// it does not set.
struct Settings {
  std::string name;                ///< empty: generated
  std::int32_t deterministic = 0;  ///< level 0 to 2; results are always deterministic
  std::uint32_t buffer_mib = HCCL_COMM_DEFAULT_BUFFSIZE;
  std::int64_t exec_timeout_s = 1836;  ///< 0: no limit
};

/// Returns the settings of the environment alone. Throws HCCL_E_PARA for an invalid value of a variable.
Settings settings_from_environment();

/// Returns the settings of a config and, for fields that it does not set, of the environment. Reads only fields within
/// the config's size: programs that were compiled with other header versions pass shorter or longer structs. Throws
/// HCCL_E_PARA for a wrong magic number, a size smaller than the header, and values out of range.
Settings settings_from(const HcclCommConfig& config);

/// Checks an option of HcclSetConfig. Throws HCCL_E_NOT_SUPPORT for an unknown option, HCCL_E_PARA for a value other
/// than 0, 1 or 2.
void check_option(int option, std::int32_t value);

/// Returns the process's level of determinism (HcclSetConfig, else HCCL_DETERMINISTIC), the default of communicators.
std::int32_t process_deterministic();
void set_process_deterministic(std::int32_t value);

}  // namespace aclvk::comm
