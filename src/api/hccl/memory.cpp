// hccl/hccl_comm.h: memory that a program announces to a communicator.
#include <cstdint>

#include "api/hccl/guard.hpp"
#include "comm/comm_error.hpp"
#include "comm/communicator.hpp"
#include "hccl/hccl_comm.h"

using namespace aclvk;
using api::hccl_guard_host;
using comm::communicator_of;
using comm::require;

namespace {

std::uintptr_t number(const void* address) { return reinterpret_cast<std::uintptr_t>(address); }

}  // namespace

HcclResult HcclCommSetMemoryRange(HcclComm comm, void* baseVirPtr, size_t size, size_t /*alignment*/,
                                  uint64_t /*flags*/) {
  return hccl_guard_host(__func__, [&] {
    const auto found = communicator_of(comm);
    require(baseVirPtr, "baseVirPtr");
    found->ranges.set(number(baseVirPtr), size);
  });
}

HcclResult HcclCommUnsetMemoryRange(HcclComm comm, void* baseVirPtr) {
  return hccl_guard_host(__func__, [&] {
    const auto found = communicator_of(comm);
    require(baseVirPtr, "baseVirPtr");
    found->ranges.unset(number(baseVirPtr));
  });
}

HcclResult HcclCommActivateCommMemory(HcclComm comm, void* virPtr, size_t size, size_t /*offset*/,
                                      aclrtDrvMemHandle handle, uint64_t /*flags*/) {
  return hccl_guard_host(__func__, [&] {
    const auto found = communicator_of(comm);
    require(virPtr, "virPtr");
    require(handle, "handle");
    found->ranges.activate(number(virPtr), size);
  });
}

HcclResult HcclCommDeactivateCommMemory(HcclComm comm, void* virPtr) {
  return hccl_guard_host(__func__, [&] {
    const auto found = communicator_of(comm);
    require(virPtr, "virPtr");
    found->ranges.deactivate(number(virPtr));
  });
}

HcclResult HcclCommRegister(HcclComm comm, void* addr, uint64_t size, void** handle, uint32_t /*flag*/) {
  return hccl_guard_host(__func__, [&] {
    const auto found = communicator_of(comm);
    require(addr, "addr");
    require(handle, "handle");
    *handle = found->ranges.add_window(number(addr), size);
  });
}

HcclResult HcclCommDeregister(HcclComm comm, void* handle) {
  return hccl_guard_host(__func__, [&] {
    const auto found = communicator_of(comm);
    require(handle, "handle");
    found->ranges.remove_window(handle);
  });
}

HcclResult HcclCommExchangeMem(HcclComm comm, void* windowHandle, uint32_t* peerRanks, uint32_t peerRankNum) {
  return hccl_guard_host(__func__, [&] {
    const auto found = communicator_of(comm);
    require(windowHandle, "windowHandle");
    if (peerRankNum > 0) require(peerRanks, "peerRanks");
    found->ranges.check_window(windowHandle);
    for (uint32_t i = 0; i < peerRankNum; ++i) comm::check_rank(peerRanks[i], "peerRanks[i]");
  });
}
