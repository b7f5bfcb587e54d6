// hccl/hccl_comm.h: communicators. Each has one rank (docs/adr/0027), so queries of ranks have constant answers.
#include <cstdio>

#include "api/hccl/guard.hpp"
#include "comm/call_group.hpp"
#include "comm/comm_error.hpp"
#include "comm/communicator.hpp"
#include "comm/result_name.hpp"
#include "comm/root_info.hpp"
#include "hccl/hccl_comm.h"

using namespace aclvk;
using api::hccl_guard;
using api::hccl_guard_host;
using comm::communicator_of;
using comm::require;

HcclResult HcclGetRootInfo(HcclRootInfo* rootInfo) {
  return hccl_guard(__func__, [&] {
    require(rootInfo, "rootInfo");
    *rootInfo = comm::make_root_info();
  });
}

HcclResult HcclCommInitRootInfo(uint32_t nRanks, const HcclRootInfo* rootInfo, uint32_t rank, HcclComm* comm) {
  return hccl_guard(__func__, [&] {
    require(rootInfo, "rootInfo");
    require(comm, "comm");
    *comm = comm::create_communicator(nRanks, rank, comm::identity_of(*rootInfo), comm::settings_from_environment());
  });
}

HcclResult HcclCommInitRootInfoConfig(uint32_t nRanks, const HcclRootInfo* rootInfo, uint32_t rank,
                                      const HcclCommConfig* config, HcclComm* comm) {
  return hccl_guard(__func__, [&] {
    require(rootInfo, "rootInfo");
    require(config, "config");
    require(comm, "comm");
    *comm = comm::create_communicator(nRanks, rank, comm::identity_of(*rootInfo), comm::settings_from(*config));
  });
}

HcclResult HcclCommInitAll(uint32_t ndev, int32_t* devices, HcclComm* comms) {
  return hccl_guard(__func__, [&] {
    require(devices, "devices");
    require(comms, "comms");
    *comms = comm::create_on_devices(ndev, devices);
  });
}

HcclResult HcclCreateSubCommConfig(HcclComm* comm, uint32_t rankNum, uint32_t* rankIds, uint64_t subCommId,
                                   uint32_t subCommRankId, HcclCommConfig* config, HcclComm* subComm) {
  return hccl_guard(__func__, [&] {
    require(comm, "comm");
    const auto parent = communicator_of(*comm);
    if (!comm::is_member(rankIds, subCommId)) return;
    require(config, "config");
    require(subComm, "subComm");
    comm::check_members(rankNum, rankIds, subCommRankId);
    *subComm = comm::create_sub_communicator(*parent, subCommId, comm::settings_from(*config));
  });
}

HcclResult HcclCommDestroy(HcclComm comm) {
  return hccl_guard_host(__func__, [&] {
    if (comm) comm::destroy_communicator(comm);
  });
}

HcclResult HcclGetRankSize(HcclComm comm, uint32_t* rankSize) {
  return hccl_guard_host(__func__, [&] {
    require(rankSize, "rankSize");
    communicator_of(comm);
    *rankSize = comm::Communicator::kRanks;
  });
}

HcclResult HcclGetRankId(HcclComm comm, uint32_t* rank) {
  return hccl_guard_host(__func__, [&] {
    require(rank, "rank");
    communicator_of(comm);
    *rank = comm::Communicator::kRank;
  });
}

HcclResult HcclGetCommName(HcclComm comm, char* commName) {
  return hccl_guard_host(__func__, [&] {
    require(commName, "commName");
    std::snprintf(commName, COMM_NAME_MAX_LENGTH, "%s", communicator_of(comm)->name.c_str());
  });
}

HcclResult HcclCommGetHandleWithName(const char* commName, HcclComm* comm) {
  return hccl_guard_host(__func__, [&] {
    require(commName, "commName");
    require(comm, "comm");
    *comm = comm::handle_with_name(commName);
  });
}

HcclResult HcclGetCommAsyncError(HcclComm comm, HcclResult* asyncError) {
  return hccl_guard_host(__func__, [&] {
    require(asyncError, "asyncError");
    communicator_of(comm);
    *asyncError = HCCL_SUCCESS;  // one rank has no peer that could fail
  });
}

const char* HcclGetErrorString(HcclResult code) { return comm::name_of(code); }

uint32_t HcclGetCommConfigCapability() { return HCCL_COMM_CONFIG_RESERVED; }

HcclResult HcclSetConfig(HcclConfig config, HcclConfigValue configValue) {
  return hccl_guard_host(__func__, [&] {
    comm::check_option(config, configValue.value);
    comm::set_process_deterministic(configValue.value);
  });
}

HcclResult HcclGetConfig(HcclConfig config, HcclConfigValue* configValue) {
  return hccl_guard_host(__func__, [&] {
    require(configValue, "configValue");
    comm::check_option(config, 0);
    configValue->value = comm::process_deterministic();
  });
}

HcclResult HcclSetCommConfig(HcclComm comm, HcclConfig config, HcclConfigValue configValue) {
  return hccl_guard_host(__func__, [&] {
    const auto found = communicator_of(comm);
    comm::check_option(config, configValue.value);
    found->deterministic = configValue.value;
  });
}

HcclResult HcclGetCommConfig(HcclComm comm, HcclConfig config, HcclConfigValue* configValue) {
  return hccl_guard_host(__func__, [&] {
    const auto found = communicator_of(comm);
    require(configValue, "configValue");
    comm::check_option(config, 0);
    configValue->value = found->deterministic;
  });
}

HcclResult HcclCommSuspend(HcclComm comm) {
  return hccl_guard_host(__func__, [&] { communicator_of(comm)->suspended = true; });
}

HcclResult HcclCommResume(HcclComm comm) {
  return hccl_guard_host(__func__, [&] { communicator_of(comm)->suspended = false; });
}

HcclResult HcclGroupStart() {
  return hccl_guard_host(__func__, [] { comm::start_group(); });
}

HcclResult HcclGroupEnd() {
  return hccl_guard(__func__, [] { comm::end_group(); });
}

HcclResult HcclGroupStatusGet(bool* isGroupEnabled) {
  return hccl_guard_host(__func__, [&] {
    require(isGroupEnabled, "isGroupEnabled");
    *isGroupEnabled = comm::in_group();
  });
}
