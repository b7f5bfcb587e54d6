// The other process of tests about sharing. Reads one command a line from standard input and answers with one line: the
// code of the last call, then what it gave. Ends with its input, or with "leave" as programs do.
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <functional>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <thread>

#include "acl/acl.h"

namespace {

constexpr std::size_t kChunk = std::size_t{2} << 20;

/// The objects of the commands: one of each kind.
struct Objects {
  aclrtStream stream = nullptr;
  char* memory = nullptr;
  std::uint64_t* gate = nullptr;  // a word that `hold` makes the stream wait for
  aclrtDrvMemHandle physical = nullptr;
  aclrtEvent event = nullptr;
  aclrtNotify notify = nullptr;
};

Objects objects;
using Words = std::istringstream;

template <typename T>
T next(Words& words) {
  T value{};
  words >> value;
  return value;
}

std::string answer(int code, const std::string& result = "") {
  return result.empty() ? std::to_string(code) : std::to_string(code) + ' ' + result;
}

aclrtPhysicalMemProp device_memory() {
  aclrtPhysicalMemProp prop{};
  prop.memAttr = ACL_HBM_MEM_HUGE;
  prop.location = {0, ACL_MEM_LOCATION_TYPE_DEVICE};
  return prop;
}

int map_physical() {
  void* at = nullptr;
  if (const int code = aclrtReserveMemAddress(&at, kChunk, 0, nullptr, 0)) return code;
  objects.memory = static_cast<char*>(at);
  return aclrtMapMem(at, kChunk, 0, objects.physical, 0);
}

std::string allocate(Words& words) {
  void* pointer = nullptr;
  const int code = aclrtMalloc(&pointer, next<std::size_t>(words), ACL_MEM_MALLOC_HUGE_FIRST);
  objects.memory = static_cast<char*>(pointer);
  return answer(code);
}

std::string export_memory(Words& words) {
  char key[65] = {};  // 64 characters and a 0
  const auto size = next<std::size_t>(words);
  const int code = aclrtIpcMemGetExportKey(objects.memory, size, key, sizeof(key), next<std::uint64_t>(words));
  return answer(code, key);
}

std::string import_memory(Words& words) {
  void* pointer = nullptr;
  const auto key = next<std::string>(words);
  const int code = aclrtIpcMemImportByKey(&pointer, key.c_str(), next<std::uint64_t>(words));
  objects.memory = static_cast<char*>(pointer);
  return answer(code);
}

std::string export_physical(Words& words) {
  const aclrtPhysicalMemProp prop = device_memory();
  if (const int code = aclrtMallocPhysical(&objects.physical, kChunk, &prop, 0)) return answer(code);
  if (const int code = map_physical()) return answer(code);
  std::uint64_t number = 0;
  const int code =
      aclrtMemExportToShareableHandle(objects.physical, ACL_MEM_HANDLE_TYPE_NONE, next<std::uint64_t>(words), &number);
  return answer(code, std::to_string(number));
}

std::string import_physical(Words& words) {
  const int code = aclrtMemImportFromShareableHandle(next<std::uint64_t>(words), 0, &objects.physical);
  return answer(code ? code : map_physical());
}

std::string fill(Words& words) {
  const auto value = next<int>(words);
  const auto size = next<std::size_t>(words);
  if (const int code = aclrtMemsetAsync(objects.memory, size, value, size, objects.stream)) return answer(code);
  return answer(aclrtSynchronizeStream(objects.stream));
}

std::string read(Words& words) {
  unsigned char byte = 0;
  const int code = aclrtMemcpy(&byte, 1, objects.memory + next<std::size_t>(words), 1, ACL_MEMCPY_DEVICE_TO_HOST);
  return answer(code, std::to_string(byte));
}

std::string hold(Words&) {
  void* gate = nullptr;
  aclrtMalloc(&gate, sizeof(std::uint64_t), ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtMemset(gate, sizeof(std::uint64_t), 0, sizeof(std::uint64_t));
  objects.gate = static_cast<std::uint64_t*>(gate);
  return answer(aclrtValueWait(gate, 1, ACL_STREAM_WAIT_VALUE_EQ, objects.stream));
}

std::string release(Words&) {
  aclrtStream other = nullptr;
  aclrtCreateStream(&other);
  aclrtValueWrite(objects.gate, 1, 0, other);
  return answer(aclrtSynchronizeStream(other));
}

std::string export_event(Words&) {
  aclrtIpcEventHandle handle{};
  if (const int code = aclrtCreateEventExWithFlag(&objects.event, ACL_EVENT_IPC)) return answer(code);
  const int code = aclrtIpcGetEventHandle(objects.event, &handle);
  return answer(code, std::string(handle.reserved, sizeof(handle.reserved)));
}

std::string import_event(Words& words) {
  aclrtIpcEventHandle handle{};
  const auto key = next<std::string>(words);
  std::memcpy(handle.reserved, key.data(), std::min(key.size(), sizeof(handle.reserved)));
  return answer(aclrtIpcOpenEventHandle(handle, &objects.event));
}

std::string query_event(Words&) {
  aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
  const int code = aclrtQueryEventStatus(objects.event, &status);
  return answer(code, status == ACL_EVENT_RECORDED_STATUS_COMPLETE ? "complete" : "not-ready");
}

std::string export_notify(Words& words) {
  char key[65] = {};
  if (const int code = aclrtCreateNotify(&objects.notify, 0)) return answer(code);
  const int code = aclrtNotifyGetExportKey(objects.notify, key, sizeof(key), next<std::uint64_t>(words));
  return answer(code, key);
}

std::string import_notify(Words& words) {
  const auto key = next<std::string>(words);
  return answer(aclrtNotifyImportByKey(&objects.notify, key.c_str(), next<std::uint64_t>(words)));
}

std::string allow_memory(Words& words) {
  const auto key = next<std::string>(words);
  auto process = next<std::int32_t>(words);
  return answer(aclrtIpcMemSetImportPid(key.c_str(), &process, 1));
}

const std::map<std::string, std::function<std::string(Words&)>> kCommands{
    {"allocate", allocate},
    {"export-memory", export_memory},
    {"import-memory", import_memory},
    {"allow-memory", allow_memory},
    {"close-memory", [](Words& words) { return answer(aclrtIpcMemClose(next<std::string>(words).c_str())); }},
    {"free", [](Words&) { return answer(aclrtFree(objects.memory)); }},
    {"export-physical", export_physical},
    {"import-physical", import_physical},
    {"fill", fill},
    {"read", read},
    {"hold", hold},
    {"release", release},
    {"synchronize",
     [](Words& words) { return answer(aclrtSynchronizeStreamWithTimeout(objects.stream, next<int>(words))); }},
    {"export-event", export_event},
    {"import-event", import_event},
    {"record-event", [](Words&) { return answer(aclrtRecordEvent(objects.event, objects.stream)); }},
    {"wait-event", [](Words&) { return answer(aclrtStreamWaitEvent(objects.stream, objects.event)); }},
    {"synchronize-event",
     [](Words& words) { return answer(aclrtSynchronizeEventWithTimeout(objects.event, next<int>(words))); }},
    {"query-event", query_event},
    {"destroy-event", [](Words&) { return answer(aclrtDestroyEvent(objects.event)); }},
    {"export-notify", export_notify},
    {"import-notify", import_notify},
    {"record-notify", [](Words&) { return answer(aclrtRecordNotify(objects.notify, objects.stream)); }},
    {"wait-notify", [](Words&) { return answer(aclrtWaitAndResetNotify(objects.notify, objects.stream, 0)); }},
};

}  // namespace

int main() {
  aclInit(nullptr);
  if (aclrtSetDevice(0) != 0 || aclrtCreateStream(&objects.stream) != 0) return 1;
  for (std::string line; std::getline(std::cin, line);) {
    if (line == "leave") return 0;
    Words words(line);
    const auto command = kCommands.find(next<std::string>(words));
    // endl flushes: the test waits for the answer.
    std::cout << (command == kCommands.end() ? "unknown command" : command->second(words)) << std::endl;
  }
  _exit(0);  // a blocked stream may be left
}
