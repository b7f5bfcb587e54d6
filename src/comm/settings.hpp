#pragma once

#include <cstdint>
#include <string>

#include "hccl/hccl_types.h"

namespace aclvk::comm {

/// What a communicator is made with: an HcclCommConfig as far as its size reaches, and HCCL_* of the environment for
/// what it leaves open.
struct Settings {
  std::string name;                ///< empty: one is generated
  std::int32_t deterministic = 0;  ///< results are in any case (one order of summation)
  std::uint32_t buffer_mib = HCCL_COMM_DEFAULT_BUFFSIZE;
  std::int64_t exec_timeout_s = 1836;  ///< 0: for ever
};

/// The settings of the environment alone. Throws HCCL_E_PARA for a value of a variable that does not parse.
Settings settings_from_environment();

/// Throws HCCL_E_PARA for a wrong magic number, a size that ends inside the header, and values out of range. Programs
/// that were compiled with older headers give shorter structs, newer ones longer: only what both know is read.
Settings settings_from(const HcclCommConfig& config);

/// Throws HCCL_E_NOT_SUPPORT for a number that is no HcclConfig, HCCL_E_PARA for a value that is not 0, 1 or 2.
void check_option(int option, std::int32_t value);

/// The process's level of determinism (HcclSetConfig), for communicators that are not told another.
std::int32_t process_deterministic();
void set_process_deterministic(std::int32_t value);

}  // namespace aclvk::comm
