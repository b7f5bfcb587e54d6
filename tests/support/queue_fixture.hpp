#pragma once

#include <cstring>
#include <string>

#include "acl/acl_tdt_queue.h"
#include "support/acl_fixture.hpp"

namespace aclvk::test {

constexpr aclError kRefused = ACL_ERROR_INVALID_PARAM;

/// A queue for so many messages. It lives until the end of the process.
inline uint32_t new_queue(uint32_t depth) {
  acltdtQueueAttr* attr = acltdtCreateQueueAttr();
  EXPECT_EQ(acltdtSetQueueAttr(attr, ACL_TDT_QUEUE_DEPTH_UINT32, sizeof(depth), &depth), 0);
  uint32_t qid = 0;
  EXPECT_EQ(acltdtCreateQueue(attr, &qid), 0);
  EXPECT_EQ(acltdtDestroyQueueAttr(attr), 0);
  return qid;
}

/// A buffer whose used bytes are the text.
inline acltdtBuf buffer_with(const std::string& text) {
  acltdtBuf buf = nullptr;
  void* data = nullptr;
  size_t size = 0;
  EXPECT_EQ(acltdtAllocBuf(64, ACL_TDT_NORMAL_MEM, &buf), 0);
  EXPECT_EQ(acltdtGetBufData(buf, &data, &size), 0);
  std::memcpy(data, text.data(), text.size());
  EXPECT_EQ(acltdtSetBufDataLen(buf, text.size()), 0);
  return buf;
}

inline std::string text_of(acltdtBuf buf) {
  void* data = nullptr;
  size_t size = 0;
  size_t length = 0;
  EXPECT_EQ(acltdtGetBufData(buf, &data, &size), 0);
  EXPECT_EQ(acltdtGetBufDataLen(buf, &length), 0);
  return {static_cast<char*>(data), length};
}

/// Returns the text of the first message of the queue, or "(empty)".
inline std::string take_text(uint32_t qid) {
  acltdtBuf buf = nullptr;
  const aclError result = acltdtDequeue(qid, &buf, 0);
  if (result == ACL_ERROR_RT_QUEUE_EMPTY) return "(empty)";
  EXPECT_EQ(result, 0);
  const std::string text = text_of(buf);
  EXPECT_EQ(acltdtFreeBuf(buf), 0);
  return text;
}

using Queues = Plain;

}  // namespace aclvk::test
