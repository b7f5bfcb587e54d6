// acl/acl_dump.h, acl/rt/dump.h: dumps of operators, and of the tensors of a failed task (docs/recording.md).
#include "acl/rt/dump.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "acl/acl_dump.h"
#include "aclnn/acl_meta.h"
#include "api/aclnn/phases.hpp"
#include "api/base/arrays.hpp"
#include "api/base/guard.hpp"
#include "api/base/handles.hpp"
#include "base/error.hpp"
#include "base/mutex.hpp"
#include "base/process_state.hpp"
#include "ops/dump/dump_call.hpp"
#include "ops/dump/exception_info.hpp"
#include "ops/executor/handles.hpp"
#include "runtime/dump/active_dumps.hpp"
#include "runtime/dump/dump.hpp"
#include "runtime/process/program_dump.hpp"

using namespace aclvk;
using api::check_array;
using api::guard;
using api::guard_host;
using api::require;

namespace {

using Callback = int32_t (*)(const acldumpChunk*, int32_t);

/// Passes a part of a file to the program's function: a header, followed by the data.
int send(Callback callback, int32_t flag, const runtime::DumpChunk& content) {
  // The data follow the header in the place of its last member, dataBuf[0].
  std::vector<std::byte> memory(sizeof(acldumpChunk) + content.bytes);
  acldumpChunk chunk{};
  std::strncpy(chunk.fileName, content.file.c_str(), sizeof(chunk.fileName) - 1);
  chunk.bufLen = static_cast<uint32_t>(content.bytes);
  chunk.isLastChunk = content.last ? 1 : 0;
  chunk.offset = static_cast<int64_t>(content.offset);
  chunk.flag = flag;
  std::memcpy(memory.data(), &chunk, sizeof(chunk));
  std::memcpy(memory.data() + offsetof(acldumpChunk, dataBuf), content.data, content.bytes);
  return callback(reinterpret_cast<const acldumpChunk*>(memory.data()), static_cast<int32_t>(memory.size()));
}

struct Texts {
  Mutex mutex;
  std::set<std::string> all GUARDED_BY(mutex);
};

/// Returns a copy that is never freed, because programs keep the pointer. There is one for each dump that is started.
const char* permanent(std::string text) {
  auto& texts = ProcessState<Texts, StateId::kDumpTexts>::get();
  const LockGuard lock(texts.mutex);
  return texts.all.insert(std::move(text)).first->c_str();
}

std::string role_of(acldumpTensorType type) {
  switch (type) {
    case ACL_DUMP_TENSOR_INPUT: return "input";
    case ACL_DUMP_TENSOR_OUTPUT: return "output";
    case ACL_DUMP_TENSOR_WORKSPACE: return "workspace";
  }
  fail(Code::kInvalidParam, "type is {}; INPUT (0), OUTPUT (1) or WORKSPACE (2) is expected.", static_cast<int>(type));
}

ops::ExceptionTensor::AddressKind address_kind_of(acldumpTensorAddressType type) {
  using AddressKind = ops::ExceptionTensor::AddressKind;
  switch (type) {
    case ACL_DUMP_ADDR_PTR: return AddressKind::kAddress;
    case ACL_DUMP_ADDR_PTR_PTR: return AddressKind::kIndirect;
    case ACL_DUMP_ADDR_RAW: return AddressKind::kImmediate;
  }
  fail(Code::kInvalidParam, "addrType is {}; PTR (0), PTR_PTR (1) or RAW (2) is expected.", static_cast<int>(type));
}

std::vector<std::uint64_t> sizes_of(const uint64_t* sizes, std::uint32_t count, const char* name) {
  check(count <= ACL_DUMP_MAX_SHAPE_NUM, Code::kInvalidParam, "{} is {}; at most {} is expected.", name, count,
        ACL_DUMP_MAX_SHAPE_NUM);
  return {sizes, sizes + count};
}

ops::ExceptionTensor tensor_of(const acldumpTensorInfo& info) {
  check(info.placement < ACL_DUMP_PLACEMENT_END, Code::kInvalidParam,
        "placement is {}; DEVICE (0) or HOST (1) is expected.", static_cast<int>(info.placement));
  return {role_of(info.type),
          info.tensorSize,
          static_cast<ops::DType>(info.dataType),
          info.format,
          info.tensorAddr,
          address_kind_of(info.addrType),
          info.placement == ACL_DUMP_PLACEMENT_HOST,
          info.argsOffset,
          sizes_of(info.shape, info.shapeNum, "shapeNum"),
          sizes_of(info.originShape, info.originShapeNum, "originShapeNum")};
}

std::uint32_t device_of_thread() { return static_cast<std::uint32_t>(std::max(runtime::current_device_id(), 0)); }

std::vector<ops::Tensor> tensors_of(aclTensor** tensors, std::size_t first, std::size_t count) {
  std::vector<ops::Tensor> all;
  for (std::size_t i = first; i < first + count; ++i) {
    all.push_back(*ops::required(ops::tensor_handles(), tensors[i], "A tensor"));
  }
  return all;
}

}  // namespace

aclError aclmdlInitDump() { return guard_host(__func__, runtime::init_dump); }

aclError aclmdlSetDump(const char* dumpCfgPath) {
  return guard_host(__func__, [&] { runtime::set_dump(dumpCfgPath); });
}

aclError aclmdlFinalizeDump() { return guard_host(__func__, runtime::finalize_dump); }

aclError acldumpRegCallback(int32_t (*const messageCallback)(const acldumpChunk*, int32_t), int32_t flag) {
  return guard_host(__func__, [&] {
    require(reinterpret_cast<const void*>(messageCallback), "messageCallback");
    runtime::set_dump_listener([callback = messageCallback, flag](const runtime::DumpChunk& content) {
      return send(callback, flag, content);
    });
  });
}

void acldumpUnregCallback() { runtime::set_dump_listener(nullptr); }

aclError aclopStartDumpArgs(uint32_t dumpType, const char* path) {
  return guard_host(__func__, [&] { runtime::start_argument_dump(dumpType, path); });
}

aclError aclopStopDumpArgs(uint32_t dumpType) {
  return guard_host(__func__, [&] { runtime::stop_argument_dump(dumpType); });
}

const char* acldumpGetPath(acldumpType dumpType) {
  const char* path = nullptr;
  guard_host(__func__, [&] {
    const auto kind = static_cast<int>(dumpType);
    check(kind >= AIC_ERR_BRIEF_DUMP && kind <= OVERFLOW_DUMP, Code::kInvalidParam,
          "dumpType is {}; {} to {} is expected.", kind, static_cast<int>(AIC_ERR_BRIEF_DUMP),
          static_cast<int>(OVERFLOW_DUMP));
    std::string folder = runtime::dump_folder(static_cast<runtime::DumpKind>(kind));
    if (!folder.empty()) path = permanent(std::move(folder));
  });
  return path;
}

aclError acldumpSaveExceptionInfo(const char* fileName, const char* userTag, const acldumpTensorInfo* tensors,
                                  size_t tensorCount) {
  return guard(__func__, [&] {
    require(fileName, "fileName");
    check(*fileName != '\0' && !std::strchr(fileName, '/'), Code::kInvalidParam,
          "fileName is \"{}\"; the name of a file without a folder is expected.", fileName);
    if (tensorCount > 0) require(tensors, "tensors");
    check_array(tensors, tensorCount, "tensors", Code::kInvalidParam);
    std::vector<ops::ExceptionTensor> all;
    for (size_t i = 0; i < tensorCount; ++i) all.push_back(tensor_of(tensors[i]));
    ops::save_exception_info(runtime::exception_folder(device_of_thread()), fileName, userTag ? userTag : "", all);
  });
}

aclError acldumpGetExceptionInfoPath(char* path, size_t maxLen) {
  return guard_host(__func__, [&] {
    require(path, "path");
    const std::string folder = runtime::exception_folder(device_of_thread());
    check(maxLen > folder.size(), Code::kInvalidParam, "maxLen is {}; \"{}\" takes {} characters.", maxLen, folder,
          folder.size() + 1);
    std::memcpy(path, folder.c_str(), folder.size() + 1);
  });
}

aclnnStatus aclDumpOpTensors(const char* opType, const char* opName, aclTensor** tensors, size_t inputTensorNum,
                             size_t outputTensorNum, aclrtStream stream) {
  return guard(__func__, [&] {
    ops::require(opType, "opType");
    ops::require(opName, "opName");
    if (inputTensorNum > 0 || outputTensorNum > 0) ops::require(tensors, "tensors");
    const auto inputs = tensors_of(tensors, 0, inputTensorNum);
    const auto outputs = tensors_of(tensors, inputTensorNum, outputTensorNum);
    if (!runtime::dump_active()) return;
    api::with_operator_codes(opType,
                             [&] { ops::dump_tensors(opType, opName, inputs, outputs, *api::stream_of(stream)); });
  });
}
