// acl/rt/snapshot.h: snapshots of this process. None of these functions waits until the process is unlocked.
#include "runtime/context/snapshot.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdint>

#include "acl/acl_rt.h"
#include "api/base/guard.hpp"
#include "base/error.hpp"

using namespace aclvk;
using api::guard_host;

namespace {

void check_pid(int pid) {
  check(pid == getpid(), Code::kInvalidParam, "pid is {}; a process can only save itself, here {}.", pid, getpid());
}

void check_reserved(const void* reserve) {
  check(!reserve, Code::kInvalidParam, "reserve is {}; NULL is expected.", reserve);
}

/// No flags exist yet, so all of them, and the reserved bytes, have to be 0.
template <typename Arguments>
void check_flags(const Arguments* args, std::uint32_t Arguments::*flags) {
  if (!args) return;
  const bool zero = std::all_of(args->reserved, args->reserved + sizeof(args->reserved), [](char c) { return c == 0; });
  check(args->*flags == 0 && zero, Code::kInvalidParam, "The flags are {}; 0, and reserved bytes of 0, are expected.",
        args->*flags);
}

}  // namespace

aclError aclrtSnapShotProcessLock(int pid, void* reserve) {
  return guard_host(__func__, [&] {
    check_pid(pid);
    check_reserved(reserve);
    runtime::lock_process();
  });
}

aclError aclrtSnapShotProcessUnlock(int pid, void* reserve) {
  return guard_host(__func__, [&] {
    check_pid(pid);
    check_reserved(reserve);
    runtime::unlock_process();
  });
}

aclError aclrtSnapShotProcessBackup(int pid, aclrtSnapShotBackupArgs* args) {
  return guard_host(__func__, [&] {
    check_pid(pid);
    check_flags(args, &aclrtSnapShotBackupArgs::backupFlags);
    runtime::back_up_process();
  });
}

aclError aclrtSnapShotProcessRestore(int pid, aclrtSnapShotRestoreArgs* args) {
  return guard_host(__func__, [&] {
    check_pid(pid);
    check_flags(args, &aclrtSnapShotRestoreArgs::restoreFlags);
    runtime::restore_process();
  });
}

aclError aclrtSnapShotCallbackRegister(aclrtSnapShotStage stage, aclrtSnapShotCallBack callback, void* args) {
  return guard_host(__func__, [&] { runtime::add_snapshot_callback(static_cast<int>(stage), callback, args); });
}

aclError aclrtSnapShotCallbackUnregister(aclrtSnapShotStage stage, aclrtSnapShotCallBack callback) {
  return guard_host(__func__, [&] { runtime::remove_snapshot_callback(static_cast<int>(stage), callback); });
}
