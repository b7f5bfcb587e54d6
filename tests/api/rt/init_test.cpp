#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <string>

#include "support/acl_fixture.hpp"

namespace {

// What callbacks note, which have no other place for it.
int calls = 0;
std::string seen_config;

class Init : public aclvk::test::Plain {
 protected:
  Init() {
    calls = 0;
    seen_config.clear();
  }
};

/// A configuration file with the given content, deleted at the end of the test.
class ConfigText {
 public:
  explicit ConfigText(const std::string& text) {
    static int count = 0;
    path_ = testing::TempDir() + "aclvk_init_" + std::to_string(getpid()) + "_" + std::to_string(count++) + ".json";
    std::ofstream(path_) << text;
  }
  ~ConfigText() { std::remove(path_.c_str()); }
  ConfigText(const ConfigText&) = delete;
  ConfigText& operator=(const ConfigText&) = delete;

  const char* path() const { return path_.c_str(); }

 private:
  std::string path_;
};

std::string nested(int depth) {
  std::string text;
  for (int i = 0; i < depth; ++i) text += "{\"a\":";
  text += "1";
  return text + std::string(static_cast<std::size_t>(depth), '}');
}

TEST_F(Init, T001_WithoutAFileSucceeds) { EXPECT_EQ(aclInit(nullptr), 0); }

TEST_F(Init, T002_WithAnEmptyPathSucceeds) { EXPECT_EQ(aclInit(""), 0); }

TEST_F(Init, T003_TwiceIsARepetition) {
  EXPECT_EQ(aclInit(nullptr), 0);
  EXPECT_EQ(aclInit(nullptr), ACL_ERROR_REPEAT_INITIALIZE);
}

TEST_F(Init, T005_ReferencesAreTakenBackOneByOne) {
  EXPECT_EQ(aclInit(nullptr), 0);
  EXPECT_EQ(aclInit(nullptr), ACL_ERROR_REPEAT_INITIALIZE);
  EXPECT_EQ(aclInit(nullptr), ACL_ERROR_REPEAT_INITIALIZE);
  uint64_t left = 99;
  EXPECT_EQ(aclFinalizeReference(&left), 0);
  EXPECT_EQ(left, 2U);
  EXPECT_EQ(aclFinalizeReference(&left), 0);
  EXPECT_EQ(left, 1U);
  EXPECT_EQ(aclFinalizeReference(&left), 0);
  EXPECT_EQ(left, 0U);
  left = 99;
  EXPECT_EQ(aclFinalizeReference(&left), ACL_ERROR_REPEAT_FINALIZE);
  EXPECT_EQ(left, 0U);
}

TEST_F(Init, T006_NoReferenceWithoutInit) { EXPECT_EQ(aclFinalizeReference(nullptr), ACL_ERROR_REPEAT_FINALIZE); }

TEST_F(Init, T007_FinalizeWithoutInitSucceedsOnce) {
  EXPECT_EQ(aclFinalize(), 0);
  EXPECT_EQ(aclFinalize(), ACL_ERROR_REPEAT_FINALIZE);
}

TEST_F(Init, OneFinalizeEndsAllReferences) {
  aclInit(nullptr);
  aclInit(nullptr);
  EXPECT_EQ(aclFinalize(), 0);
  EXPECT_EQ(aclFinalize(), ACL_ERROR_REPEAT_FINALIZE);
}

TEST_F(Init, WorksAgainAfterFinalize) {
  EXPECT_EQ(aclInit(nullptr), 0);
  EXPECT_EQ(aclFinalize(), 0);
  EXPECT_EQ(aclInit(nullptr), 0);
  EXPECT_EQ(aclFinalize(), 0);
}

TEST_F(Init, FinalizeKeepsDevices) {
  aclInit(nullptr);
  ASSERT_EQ(aclrtSetDevice(0), 0);
  EXPECT_EQ(aclFinalize(), 0);
  aclrtStream stream = nullptr;
  EXPECT_EQ(aclrtCreateStream(&stream), 0);
  EXPECT_EQ(aclrtResetDevice(0), 0);
}

TEST_F(Init, AMissingFileIsInvalid) { EXPECT_EQ(aclInit("/nowhere/acl.json"), ACL_ERROR_INVALID_FILE); }

TEST_F(Init, AFailedInitCanBeRepeated) {
  EXPECT_EQ(aclInit("/nowhere/acl.json"), ACL_ERROR_INVALID_FILE);
  EXPECT_EQ(aclInit(nullptr), 0);
}

TEST_F(Init, T009_BrokenJsonDoesNotParse) { EXPECT_EQ(aclInit(ConfigText("{ bad").path()), ACL_ERROR_PARSE_FILE); }

TEST_F(Init, T010_ADirectoryIsNoFile) { EXPECT_EQ(aclInit("/tmp"), ACL_ERROR_INVALID_FILE); }

TEST_F(Init, T010_ElevenMebibytesAreTooMany) {
  const ConfigText config(std::string(11U << 20, ' '));
  EXPECT_EQ(aclInit(config.path()), ACL_ERROR_INVALID_FILE);
}

TEST_F(Init, T011_AnEmptyFileIsNoConfiguration) { EXPECT_EQ(aclInit(ConfigText("").path()), 0); }

TEST_F(Init, TenLevelsOfObjectsAreRead) { EXPECT_EQ(aclInit(ConfigText(nested(10)).path()), 0); }

TEST_F(Init, ElevenLevelsOfObjectsAreRefused) {
  EXPECT_EQ(aclInit(ConfigText(nested(11)).path()), ACL_ERROR_PARSE_FILE);
}

TEST_F(Init, ArraysNestAsDeepAsObjects) {
  const auto arrays = [](size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_EQ(aclInit(ConfigText(arrays(11)).path()), ACL_ERROR_PARSE_FILE);
  EXPECT_EQ(aclInit(ConfigText(arrays(10)).path()), 0);
}

TEST_F(Init, AHostileNestingIsRefused) {
  EXPECT_EQ(aclInit(ConfigText(std::string(1000000, '[')).path()), ACL_ERROR_PARSE_FILE);
}

TEST_F(Init, T013_TheMessageModeIs0Or1) {
  EXPECT_EQ(aclInit(ConfigText(R"({"err_msg_mode":"2"})").path()), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclInit(ConfigText(R"({"err_msg_mode":1})").path()), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclInit(ConfigText(R"({"err_msg_mode":"1"})").path()), 0);
}

TEST_F(Init, TheEventModeIs0Or1) {
  EXPECT_EQ(aclInit(ConfigText(R"({"acl_graph":{"event_mode":"7"}})").path()), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclInit(ConfigText(R"({"acl_graph":{"event_mode":"1"}})").path()), 0);
}

TEST_F(Init, StackSizesAreNotNegative) {
  EXPECT_NE(aclInit(ConfigText(R"({"StackSize":{"aicore_stack_size":-1}})").path()), 0);
  EXPECT_EQ(aclInit(ConfigText(R"({"StackSize":{"aicore_stack_size":32768}})").path()), 0);
}

TEST_F(Init, StackSizesBecomeTheLimitsOfDevices) {
  const ConfigText config(R"({"StackSize":{"aicore_stack_size":11,"simt_stack_size":12,"simt_divergence_stack_size":13,
                             "simd_printf_fifo_size_per_core":14,"simt_printf_fifo_size":15}})");
  ASSERT_EQ(aclInit(config.path()), 0);
  const auto limit = [](aclrtDeviceLimit kind) {
    size_t value = 0;
    EXPECT_EQ(aclrtDeviceGetLimit(kind, &value), 0);
    return value;
  };
  EXPECT_EQ(limit(ACL_RT_DEV_LIMIT_SIMD_STACK_SIZE), 11U);
  EXPECT_EQ(limit(ACL_RT_DEV_LIMIT_SIMT_STACK_SIZE), 12U);
  EXPECT_EQ(limit(ACL_RT_DEV_LIMIT_SIMT_DVG_WARP_STACK_SIZE), 13U);
  EXPECT_EQ(limit(ACL_RT_DEV_LIMIT_SIMD_PRINTF_FIFO_SIZE_PER_CORE), 14U);
  EXPECT_EQ(limit(ACL_RT_DEV_LIMIT_SIMT_PRINTF_FIFO_SIZE), 15U);
}

TEST_F(Init, StackSizesAreWholeNumbersOf32Bits) {
  for (const char* size : {"-1", "\"8\"", "1.5", "null", "[1]", "4294967296"}) {
    const ConfigText config(std::string(R"({"StackSize":{"simt_stack_size":)") + size + "}}");
    EXPECT_EQ(aclInit(config.path()), ACL_ERROR_FAILURE) << size;
  }
}

TEST_F(Init, UnknownKeysAreIgnored) { EXPECT_EQ(aclInit(ConfigText(R"({"colour":["blue"]})").path()), 0); }

TEST_F(Init, T014_TheDefaultDeviceIsSetByTheFirstCallThatNeedsIt) {
  ASSERT_EQ(aclInit(ConfigText(R"({"defaultDevice":{"default_device":"0"}})").path()), 0);
  int32_t device = 7;
  EXPECT_EQ(aclrtGetDevice(&device), 0);
  EXPECT_EQ(device, 0);
  void* memory = nullptr;
  EXPECT_EQ(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST), 0);
  EXPECT_EQ(aclrtFree(memory), 0);
}

TEST_F(Init, TheDefaultDeviceIsSetOnEveryThread) {
  ASSERT_EQ(aclInit(ConfigText(R"({"defaultDevice":{"default_device":"0"}})").path()), 0);
  aclvk::test::on_another_thread([] {
    aclrtStream stream = nullptr;
    EXPECT_EQ(aclrtCreateStream(&stream), 0);
  });
}

// The thread gets its context in the middle of the call, which holds locks by then.
TEST_F(Init, TheDefaultDeviceIsSetByTheEndOfACapture) {
  ASSERT_EQ(aclInit(ConfigText(R"({"defaultDevice":{"default_device":"0"}})").path()), 0);
  aclrtContext own = nullptr;
  aclrtStream stream = nullptr;
  ASSERT_EQ(aclrtCreateContext(&own, 0), 0);
  ASSERT_EQ(aclrtCreateStream(&stream), 0);
  ASSERT_EQ(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED), 0);
  aclmdlRI model = nullptr;
  aclvk::test::on_another_thread([&] { EXPECT_EQ(aclmdlRICaptureEnd(stream, &model), ACL_ERROR_RT_STREAM_CONTEXT); });
  EXPECT_EQ(aclmdlRICaptureEnd(stream, &model), 0);
  EXPECT_EQ(aclmdlRIDestroy(model), 0);
  EXPECT_EQ(aclrtDestroyContext(own), 0);
}

TEST_F(Init, T015_ADefaultDeviceIsAVisibleDecimalNumber) {
  for (const char* id : {"\"-1\"", "\"x\"", "\"01\"", "\"1000\"", "\"99999999999999999999\"", "\"\"", "0"}) {
    const ConfigText config(std::string(R"({"defaultDevice":{"default_device":)") + id + "}}");
    EXPECT_EQ(aclInit(config.path()), ACL_ERROR_FAILURE) << id;
  }
}

TEST_F(Init, ADefaultDeviceIsNotThereWhenNoDeviceIs) {
  setenv("ASCEND_RT_VISIBLE_DEVICES", "x", 1);
  EXPECT_EQ(aclInit(ConfigText(R"({"defaultDevice":{"default_device":"0"}})").path()), ACL_ERROR_FAILURE);
}

TEST_F(Init, T017_FinalizeEndsTheDefaultDevice) {
  ASSERT_EQ(aclInit(ConfigText(R"({"defaultDevice":{"default_device":"0"}})").path()), 0);
  ASSERT_EQ(aclFinalize(), 0);
  int32_t device = 0;
  EXPECT_EQ(aclrtGetDevice(&device), ACL_ERROR_RT_CONTEXT_NULL);
}

TEST_F(Init, T018_ASecondConfigurationMustNotDiffer) {
  const ConfigText a(R"({"err_msg_mode":"0"})");
  const ConfigText b(R"({"err_msg_mode":"1"})");
  ASSERT_EQ(aclInit(a.path()), 0);
  ASSERT_EQ(aclFinalize(), 0);
  EXPECT_EQ(aclInit(b.path()), ACL_ERROR_INVALID_PARAM);
}

TEST_F(Init, NoConfigurationAfterOneDiffersFromIt) {
  ASSERT_EQ(aclInit(ConfigText(R"({"err_msg_mode":"0"})").path()), 0);
  ASSERT_EQ(aclFinalize(), 0);
  EXPECT_EQ(aclInit(nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_F(Init, T019_TheSameConfigurationWorksTwice) {
  const ConfigText a(R"({"err_msg_mode":"0"})");
  ASSERT_EQ(aclInit(a.path()), 0);
  ASSERT_EQ(aclFinalize(), 0);
  EXPECT_EQ(aclInit(a.path()), 0);
}

TEST_F(Init, T021_ADeviceCanBeSetWithoutIt) { EXPECT_EQ(aclrtSetDevice(0), 0); }

TEST_F(Init, T022_TheSocHasANameWithoutIt) {
  const char* name = aclrtGetSocName();
  ASSERT_NE(name, nullptr);
  EXPECT_STRNE(name, "");
  EXPECT_EQ(aclrtGetSocName(), name);
}

TEST_F(Init, T023_TheVersionIs1170) {
  int32_t major = 0;
  int32_t minor = 0;
  int32_t patch = -1;
  EXPECT_EQ(aclrtGetVersion(&major, &minor, &patch), 0);
  EXPECT_EQ(major, 1);
  EXPECT_EQ(minor, 17);
  EXPECT_EQ(patch, 0);
  EXPECT_EQ(aclrtGetVersion(nullptr, &minor, &patch), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetVersion(&major, nullptr, &patch), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetVersion(&major, &minor, nullptr), ACL_ERROR_INVALID_PARAM);
}

// Callbacks (1.9).

aclError note_init(const char* config, size_t bytes, void* user) {
  ++calls;
  seen_config.assign(config, bytes);
  return user ? *static_cast<int*>(user) : 0;
}

aclError note_finalize(void* user) {
  ++calls;
  return user ? *static_cast<int*>(user) : 0;
}

TEST_F(Init, TellsItsCallbacksTheConfiguration) {
  const ConfigText config(R"({"err_msg_mode":"0"})");
  EXPECT_EQ(aclInitCallbackRegister(ACL_REG_TYPE_ACL_MODEL, note_init, nullptr), 0);
  EXPECT_EQ(aclInit(config.path()), 0);
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(seen_config, R"({"err_msg_mode":"0"})");
}

TEST_F(Init, TellsALateCallbackAtOnce) {
  EXPECT_EQ(aclInit(nullptr), 0);
  int ignored_result = 5;
  EXPECT_EQ(aclInitCallbackRegister(ACL_REG_TYPE_OTHER, note_init, &ignored_result), 0);
  EXPECT_EQ(calls, 1);
}

TEST_F(Init, ReturnsTheCodeOfAFailingCallback) {
  int code = 100042;
  aclInitCallbackRegister(ACL_REG_TYPE_OTHER, note_init, &code);
  EXPECT_EQ(aclInit(nullptr), 100042);
}

TEST_F(Init, FinalizeTellsItsCallbacks) {
  EXPECT_EQ(aclFinalizeCallbackRegister(ACL_REG_TYPE_ACL_MODEL, note_finalize, nullptr), 0);
  aclInit(nullptr);
  EXPECT_EQ(aclFinalize(), 0);
  EXPECT_EQ(calls, 1);
}

TEST_F(Init, FinalizeReturnsTheCodeOfAFailingCallback) {
  int code = 100042;
  aclFinalizeCallbackRegister(ACL_REG_TYPE_OTHER, note_finalize, &code);
  aclInit(nullptr);
  EXPECT_EQ(aclFinalize(), 100042);
}

TEST_F(Init, MayBeTriedAgainAfterACallbackFailed) {
  int code = 100042;
  aclInitCallbackRegister(ACL_REG_TYPE_OTHER, note_init, &code);
  aclFinalizeCallbackRegister(ACL_REG_TYPE_OTHER, note_finalize, &code);
  EXPECT_EQ(aclInit(nullptr), 100042);
  code = 0;
  EXPECT_EQ(aclInit(nullptr), 0);
  code = 100043;
  EXPECT_EQ(aclFinalize(), 100043);
  code = 0;
  EXPECT_EQ(aclFinalize(), 0);
}

TEST_F(Init, TheLastReferenceTellsTheFinalizeCallbacks) {
  aclFinalizeCallbackRegister(ACL_REG_TYPE_OTHER, note_finalize, nullptr);
  aclInit(nullptr);
  aclInit(nullptr);
  EXPECT_EQ(aclFinalizeReference(nullptr), 0);
  EXPECT_EQ(calls, 0);
  EXPECT_EQ(aclFinalizeReference(nullptr), 0);
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(aclFinalize(), ACL_ERROR_REPEAT_FINALIZE);
}

TEST_F(Init, RemovedCallbacksAreNotCalled) {
  aclInitCallbackRegister(ACL_REG_TYPE_OTHER, note_init, nullptr);
  aclFinalizeCallbackRegister(ACL_REG_TYPE_OTHER, note_finalize, nullptr);
  EXPECT_EQ(aclInitCallbackUnRegister(ACL_REG_TYPE_OTHER, note_init), 0);
  EXPECT_EQ(aclFinalizeCallbackUnRegister(ACL_REG_TYPE_OTHER, note_finalize), 0);
  aclInit(nullptr);
  aclFinalize();
  EXPECT_EQ(calls, 0);
}

TEST_F(Init, CallbacksAreFunctions) {
  EXPECT_EQ(aclInitCallbackRegister(ACL_REG_TYPE_OTHER, nullptr, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclInitCallbackUnRegister(ACL_REG_TYPE_OTHER, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclFinalizeCallbackRegister(ACL_REG_TYPE_OTHER, nullptr, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclFinalizeCallbackUnRegister(ACL_REG_TYPE_OTHER, nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_F(Init, OnlyOtherTakesSeveralCallbacks) {
  EXPECT_EQ(aclInitCallbackRegister(ACL_REG_TYPE_ACL_DVPP, note_init, nullptr), 0);
  EXPECT_EQ(aclInitCallbackRegister(ACL_REG_TYPE_ACL_DVPP, note_init, nullptr), ACL_ERROR_INTERNAL_ERROR);
  EXPECT_EQ(aclInitCallbackRegister(ACL_REG_TYPE_OTHER, note_init, nullptr), 0);
  EXPECT_EQ(aclInitCallbackRegister(ACL_REG_TYPE_OTHER, note_init, nullptr), 0);
  EXPECT_EQ(aclFinalizeCallbackRegister(ACL_REG_TYPE_ACL_DVPP, note_finalize, nullptr), 0);
  EXPECT_EQ(aclFinalizeCallbackRegister(ACL_REG_TYPE_ACL_DVPP, note_finalize, nullptr), ACL_ERROR_INTERNAL_ERROR);
}

TEST_F(Init, UnknownCallbacksCannotBeRemoved) {
  EXPECT_EQ(aclInitCallbackUnRegister(ACL_REG_TYPE_OTHER, note_init), ACL_ERROR_INTERNAL_ERROR);
  EXPECT_EQ(aclFinalizeCallbackUnRegister(ACL_REG_TYPE_OTHER, note_finalize), ACL_ERROR_INTERNAL_ERROR);
}

/// Calls the API when the destructors of the program's statics run. The driver may be gone by then: calls that would
/// need it are refused, and none crashes.
struct Afterlife {
  ~Afterlife() {
    if (!stream) return;
    const bool fine = aclrtDestroyStream(stream) == ACL_ERROR_RT_CONTEXT_RELEASE_ERROR &&
                      aclrtResetDevice(0) == ACL_ERROR_RT_CONTEXT_RELEASE_ERROR && aclFinalize() == 0 &&
                      aclGetRecentErrMsg() != nullptr;
    if (!fine) std::abort();
  }
  aclrtStream stream = nullptr;
};
Afterlife afterlife;

TEST_F(Init, TheApiMayBeCalledWhileTheProcessExits) {
  ASSERT_EQ(aclInit(nullptr), 0);
  ASSERT_EQ(aclrtSetDevice(0), 0);
  ASSERT_EQ(aclrtCreateStream(&afterlife.stream), 0);
}

TEST_F(Init, AProgramMayEndWithoutCleaningUp) {
  ASSERT_EQ(aclInit(nullptr), 0);
  ASSERT_EQ(aclrtSetDevice(0), 0);
  static aclrtStream stream = nullptr;
  ASSERT_EQ(aclrtCreateStream(&stream), 0);
  void* memory = nullptr;
  ASSERT_EQ(aclrtMalloc(&memory, 1U << 20, ACL_MEM_MALLOC_HUGE_FIRST), 0);
  EXPECT_EQ(aclrtMemsetAsync(memory, 1U << 20, 1, 1U << 20, stream), 0);
}

}  // namespace
