#pragma once

#include <stdint.h>

/* What the layer shows to a test in the same process (dlsym); tests/support/vulkan_faults.hpp has it as a class. */

#ifdef __cplusplus
extern "C" {
#endif

/* Of the calls of Vulkan commands that may answer `result` (a VkResult), the one with number `at`, counted from 1, and the
 * `times` - 1 after it answer that and do nothing. With `command` only calls of that one count; NULL: of all. */
typedef struct AclvkFault {
  int32_t result;
  uint64_t at;
  uint64_t times;
  const char* command;
} AclvkFault;

typedef struct AclvkFaultReport {
  uint64_t seen;       /* calls that counted */
  uint64_t failed;     /* of these, calls that answered the result */
  const char* command; /* the first of them, "vkQueueSubmit2"; NULL: none */
} AclvkFaultReport;

typedef void (*AclvkArmFault)(const AclvkFault*); /* "aclvk_arm_fault": in place of the one before */
typedef AclvkFaultReport (*AclvkDisarmFault)(void); /* "aclvk_disarm_fault": all calls work again, but those on lost devices */

#ifdef __cplusplus
}
#endif
