// aclmdl*Dump, the dump section of aclInit's configuration, aclDumpOpTensors and acl_dump.h.
#include "acl/rt/dump.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>

#include "acl/acl_dump.h"
#include "aclnn/acl_meta.h"
#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_div.h"
#include "support/capture_fixture.hpp"
#include "support/op_fixture.hpp"
#include "support/recorded_calls.hpp"

namespace {

using namespace aclvk::test;

using Floats = std::vector<float>;

class Dump : public OneStream {
 protected:
  /// A configuration file whose dump section has these members besides dump_path.
  std::string config(const std::string& members) const {
    return folder.file("config.json", R"({"dump": {"dump_path": ")" + folder.path() + "/dump\"" + members + "}}");
  }
  void start(const std::string& members) {
    ASSERT_EQ(aclmdlInitDump(), 0) << aclGetRecentErrMsg();
    ASSERT_EQ(aclmdlSetDump(config(members).c_str()), 0) << aclGetRecentErrMsg();
  }
  /// Where device 0 is dumped.
  std::string place() const { return acldumpGetPath(DATA_DUMP) + std::string("/0"); }

  void add(const OpTensor& self, const OpTensor& other, const OpTensor& out) {
    const OpScalar one(ACL_FLOAT, Real{1});
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    ASSERT_EQ(aclnnAddGetWorkspaceSize(self.get(), other.get(), one.get(), out.get(), &size, &executor), 0);
    ASSERT_EQ(aclnnAdd(nullptr, 0, executor, s), 0) << aclGetRecentErrMsg();
  }
  void divide(const OpTensor& self, const OpTensor& other, const OpTensor& out) {
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    ASSERT_EQ(aclnnDivGetWorkspaceSize(self.get(), other.get(), out.get(), &size, &executor), 0);
    ASSERT_EQ(aclnnDiv(nullptr, 0, executor, s), 0) << aclGetRecentErrMsg();
  }
  void synchronize() { ASSERT_EQ(aclrtSynchronizeStream(s), 0) << aclGetRecentErrMsg(); }

  Folder folder;
};

/// Two floats on the device.
struct Pair : OpTensor {
  Pair(float first, float second) : OpTensor(ACL_FLOAT, {2}) {
    fill([=](std::int64_t i) { return Number(i == 0 ? first : second); }).upload();
  }
};

constexpr const char* kOn = R"(, "dump_op_switch": "on")";
constexpr const char* kOnAll = R"(, "dump_op_switch": "on", "dump_mode": "all")";

using PlainDump = Plain;

TEST_F(PlainDump, BeforeInitIs100001) {
  EXPECT_EQ(aclmdlInitDump(), ACL_ERROR_UNINITIALIZE);
  EXPECT_EQ(aclmdlSetDump("config.json"), ACL_ERROR_UNINITIALIZE);
  EXPECT_EQ(aclmdlFinalizeDump(), ACL_ERROR_UNINITIALIZE);
}

TEST_F(PlainDump, AfterFinalizeIs100001) {
  ASSERT_EQ(aclInit(nullptr), 0);
  ASSERT_EQ(aclmdlInitDump(), 0);
  ASSERT_EQ(aclFinalize(), 0);
  EXPECT_EQ(aclmdlFinalizeDump(), ACL_ERROR_UNINITIALIZE);
}

TEST_F(PlainDump, AclFinalizeEndsIt) {
  ASSERT_EQ(aclInit(nullptr), 0);
  ASSERT_EQ(aclmdlInitDump(), 0);
  ASSERT_EQ(aclFinalize(), 0);
  ASSERT_EQ(aclInit(nullptr), 0);
  EXPECT_EQ(aclmdlInitDump(), 0);
}

TEST_F(Dump, TwiceIs100044) {
  EXPECT_EQ(aclmdlInitDump(), 0);
  EXPECT_EQ(aclmdlInitDump(), ACL_ERROR_DUMP_ALREADY_RUN);
}

TEST_F(Dump, WithoutInitDumpIs100045) {
  EXPECT_EQ(aclmdlSetDump(config(kOn).c_str()), ACL_ERROR_DUMP_NOT_RUN);
  EXPECT_EQ(aclmdlFinalizeDump(), ACL_ERROR_DUMP_NOT_RUN);
}

TEST_F(Dump, CanBeStartedAgain) {
  EXPECT_EQ(aclmdlInitDump(), 0);
  EXPECT_EQ(aclmdlFinalizeDump(), 0);
  EXPECT_EQ(aclmdlFinalizeDump(), ACL_ERROR_DUMP_NOT_RUN);
  EXPECT_EQ(aclmdlInitDump(), 0);
}

TEST_F(Dump, ABadFileHasTheCodeOfItsFault) {
  ASSERT_EQ(aclmdlInitDump(), 0);
  EXPECT_EQ(aclmdlSetDump(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclmdlSetDump((folder.path() + "/none").c_str()), ACL_ERROR_INVALID_FILE);
  EXPECT_EQ(aclmdlSetDump(folder.path().c_str()), ACL_ERROR_INVALID_FILE);
  EXPECT_EQ(aclmdlSetDump(folder.file("bad", "{ bad").c_str()), ACL_ERROR_PARSE_FILE);
  EXPECT_EQ(aclmdlSetDump(folder.file("other", "{}").c_str()), ACL_ERROR_INVALID_DUMP_CONFIG);
  EXPECT_EQ(aclmdlSetDump(folder.file("text", R"({"dump": "x"})").c_str()), ACL_ERROR_INVALID_DUMP_CONFIG);
  EXPECT_EQ(aclmdlSetDump(folder.file("empty", R"({"dump": {}})").c_str()), ACL_ERROR_INVALID_DUMP_CONFIG);
}

TEST_F(Dump, ABadMemberIs100009) {
  ASSERT_EQ(aclmdlInitDump(), 0);
  for (const char* members :
       {R"(, "dump_mode": "some")", R"(, "dump_op_switch": true)", R"(, "dump_data": "text")", R"(, "dump_level": 1)",
        R"(, "dump_debug": "1")", R"(, "dump_step": "a")", R"(, "dump_step": "5-3")", R"(, "dump_scene": "x")",
        R"(, "dump_stats": "Max")", R"(, "dump_stats": ["Maximum"])", R"(, "dump_list": "all")"}) {
    EXPECT_EQ(aclmdlSetDump(config(members).c_str()), ACL_ERROR_INVALID_DUMP_CONFIG) << members;
  }
}

TEST_F(Dump, AFolderThatCannotBeMadeIs100009) {
  ASSERT_EQ(aclmdlInitDump(), 0);
  folder.file("dump", "a file where the folder should be");
  EXPECT_EQ(aclmdlSetDump(config(kOn).c_str()), ACL_ERROR_INVALID_DUMP_CONFIG);
  EXPECT_EQ(acldumpGetPath(DATA_DUMP), nullptr);
}

TEST_F(Dump, OutputsAreDumpedByDefault) {
  const Pair self(1, 2), out(0, 0);
  start(kOn);
  add(self, self, out);
  synchronize();
  const auto calls = recorded_calls(place());
  ASSERT_EQ(calls.size(), 1U);
  EXPECT_EQ(calls[0]["operator"], "aclnnAdd");
  EXPECT_FALSE(argument_of(calls[0], "self").contains("before"));
  EXPECT_EQ(recorded_values(place(), calls[0], "out", "after"), (Floats{2, 4}));
}

TEST_F(Dump, ModeInputDumpsInputsOnly) {
  const Pair self(1, 2), out(0, 0);
  start(R"(, "dump_op_switch": "on", "dump_mode": "input")");
  add(self, self, out);
  synchronize();
  const auto calls = recorded_calls(place());
  ASSERT_EQ(calls.size(), 1U);
  EXPECT_EQ(recorded_values(place(), calls[0], "self", "before"), (Floats{1, 2}));
  EXPECT_FALSE(argument_of(calls[0], "out").contains("after"));
}

TEST_F(Dump, WithoutTheSwitchNothingIsDumped) {
  const Pair self(1, 2), out(0, 0);
  start("");
  add(self, self, out);
  synchronize();
  EXPECT_EQ(acldumpGetPath(DATA_DUMP), nullptr);
  EXPECT_FALSE(std::filesystem::exists(folder.path() + "/dump"));
}

TEST_F(Dump, AfterTheEndNothingMoreIsDumped) {
  const Pair self(1, 2), out(0, 0);
  start(kOn);
  const std::string dumped = place();
  add(self, self, out);
  ASSERT_EQ(aclmdlFinalizeDump(), 0);
  add(self, self, out);
  synchronize();
  EXPECT_EQ(recorded_calls(dumped).size(), 1U);
  EXPECT_EQ(acldumpGetPath(DATA_DUMP), nullptr);
}

TEST_F(Dump, AnOperatorPlannedBeforeTheStartIsDumpedWithoutNames) {
  const Pair self(1, 2), out(0, 0);
  const OpScalar one(ACL_FLOAT, Real{1});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  ASSERT_EQ(aclnnAddGetWorkspaceSize(self.get(), self.get(), one.get(), out.get(), &size, &executor), 0);
  start(kOnAll);
  ASSERT_EQ(aclnnAdd(nullptr, 0, executor, s), 0);
  synchronize();
  const auto calls = recorded_calls(place());
  ASSERT_EQ(calls.size(), 1U);
  EXPECT_EQ(recorded_values(place(), calls[0], "input1", "before"), (Floats{1, 2}));
  EXPECT_EQ(recorded_values(place(), calls[0], "output0", "after"), (Floats{2, 4}));
}

TEST_F(Dump, StatisticsTakeThePlaceOfValues) {
  const Pair self(1, INFINITY), out(0, 0);
  start(R"(, "dump_op_switch": "on", "dump_data": "stats", "dump_stats": ["Max", "Positive Inf", "Nan"])");
  add(self, self, out);
  synchronize();
  const Json after = argument_of(recorded_calls(place()).at(0), "out")["after"];
  EXPECT_EQ(after, Json({{"statistics", {{"Max", 2.0}, {"Positive Inf", 1}, {"Nan", 0}}}}));
}

TEST_F(Dump, DebugKeepsOperatorsThatOverflow) {
  const Pair self(1, 2), zero(0, 1), out(0, 0);
  start(R"(, "dump_debug": "on")");
  add(self, self, out);
  divide(self, zero, out);
  synchronize();
  ASSERT_NE(acldumpGetPath(OVERFLOW_DUMP), nullptr);
  EXPECT_EQ(acldumpGetPath(DATA_DUMP), nullptr);
  const std::string dumped = acldumpGetPath(OVERFLOW_DUMP) + std::string("/0");
  const auto calls = recorded_calls(dumped);
  ASSERT_EQ(calls.size(), 1U);
  EXPECT_EQ(calls[0]["operator"], "aclnnDiv");
  EXPECT_EQ(recorded_values(dumped, calls[0], "other", "before"), (Floats{0, 1}));
  EXPECT_EQ(recorded_values(dumped, calls[0], "out", "after"), (Floats{INFINITY, 2}));
}

TEST_F(Dump, StepsChooseReplays) {
  const Pair self(1, 2), out(0, 0);
  start(R"(, "dump_op_switch": "on", "dump_step": "0|2-3")");
  aclmdlRI model = nullptr;
  ASSERT_EQ(aclmdlRICaptureBegin(s, ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL), 0);
  add(self, self, out);
  ASSERT_EQ(aclmdlRICaptureEnd(s, &model), 0) << aclGetRecentErrMsg();
  for (int i = 0; i < 5; ++i) {
    ASSERT_EQ(aclmdlRIExecuteAsync(model, s), 0);
  }
  synchronize();
  std::vector<int> replays;
  for (const Json& call : recorded_calls(place())) {
    if (call.contains("replay")) replays.push_back(call["replay"]);
  }
  EXPECT_EQ(replays, (std::vector<int>{0, 2, 3}));
}

TEST_F(Dump, TensorsOfOtherOperatorsAreDumpedInStreamOrder) {
  const Pair first(1, 2), second(0, 0);
  start(kOnAll);
  aclTensor* tensors[] = {first.get(), second.get()};
  ASSERT_EQ(aclDumpOpTensors("Mine", "layer/1", tensors, 1, 1, s), 0) << aclGetRecentErrMsg();
  add(first, first, second);
  ASSERT_EQ(aclDumpOpTensors("Mine", "layer/1", tensors, 1, 1, s), 0);
  synchronize();
  std::vector<Json> mine;
  for (const Json& call : recorded_calls(place())) {
    if (call["operator"] == "Mine") mine.push_back(call);
  }
  ASSERT_EQ(mine.size(), 2U);
  EXPECT_EQ(mine[0]["name"], "layer/1");
  EXPECT_EQ(recorded_values(place(), mine[0], "input0", "before"), (Floats{1, 2}));
  EXPECT_EQ(recorded_values(place(), mine[0], "output0", "after"), (Floats{0, 0}));
  EXPECT_EQ(recorded_values(place(), mine[1], "output0", "after"), (Floats{2, 4}));
}

TEST_F(Dump, TensorsAreCheckedEvenWhenNothingIsDumped) {
  const Pair first(1, 2);
  aclTensor* tensors[] = {first.get(), nullptr};
  EXPECT_EQ(aclDumpOpTensors("Mine", "name", tensors, 1, 0, s), 0);
  EXPECT_EQ(aclDumpOpTensors("Mine", "name", nullptr, 0, 0, s), 0);
  EXPECT_EQ(aclDumpOpTensors(nullptr, "name", tensors, 1, 0, s), ACLNN_ERR_PARAM_NULLPTR);
  EXPECT_EQ(aclDumpOpTensors("Mine", nullptr, tensors, 1, 0, s), ACLNN_ERR_PARAM_NULLPTR);
  EXPECT_EQ(aclDumpOpTensors("Mine", "name", nullptr, 1, 0, s), ACLNN_ERR_PARAM_NULLPTR);
  EXPECT_EQ(aclDumpOpTensors("Mine", "name", nullptr, SIZE_MAX, 1, s), ACLNN_ERR_PARAM_NULLPTR);
  EXPECT_EQ(aclDumpOpTensors("Mine", "name", tensors, 1, 1, s), ACLNN_ERR_PARAM_NULLPTR);
}

TEST_F(Dump, TensorsOnADestroyedStreamAre361001) {
  const Pair first(1, 2);
  aclTensor* tensors[] = {first.get()};
  start(kOn);
  const aclrtStream gone = new_stream();
  ASSERT_EQ(aclrtDestroyStream(gone), 0);
  EXPECT_EQ(aclDumpOpTensors("Mine", "name", tensors, 1, 0, gone), kLaunchRefused);
}

TEST_F(Dump, ValuesThatCannotBeReadAreMissingWithAReason) {
  const Pair first(1, 2);
  ASSERT_EQ(aclSetRawTensorAddr(first.get(), nullptr), 0);
  aclTensor* tensors[] = {first.get()};
  start(kOnAll);
  ASSERT_EQ(aclDumpOpTensors("Mine", "name", tensors, 1, 0, s), 0);
  synchronize();
  const Json before = argument_of(recorded_calls(place()).at(0), "input0")["before"];
  EXPECT_FALSE(before.contains("file"));
  EXPECT_FALSE(before["missing"].get<std::string>().empty());
}

// The callback has no user pointer.
struct Received {
  std::map<std::string, std::string> files;
  int last_chunks = 0;
  int flag = 0;
} received;

int32_t receive(const acldumpChunk* chunk, int32_t bytes) {
  EXPECT_EQ(static_cast<std::size_t>(bytes), sizeof(acldumpChunk) + chunk->bufLen);
  std::string& file = received.files[chunk->fileName];
  EXPECT_EQ(static_cast<std::size_t>(chunk->offset), file.size());
  file.append(reinterpret_cast<const char*>(chunk->dataBuf), chunk->bufLen);
  received.last_chunks += static_cast<int>(chunk->isLastChunk);
  received.flag = chunk->flag;
  return 0;
}

TEST_F(Dump, ACallbackTakesThePlaceOfFiles) {
  const Pair self(1, 2), out(0, 0);
  EXPECT_EQ(acldumpRegCallback(nullptr, 0), ACL_ERROR_INVALID_PARAM);
  ASSERT_EQ(acldumpRegCallback(receive, 7), 0);
  start(kOn);
  const std::string dumped = place();
  add(self, self, out);
  synchronize();
  EXPECT_FALSE(std::filesystem::exists(dumped));
  EXPECT_EQ(received.files.size(), 2U);
  EXPECT_EQ(received.last_chunks, 2);
  EXPECT_EQ(received.flag, 7);
  ASSERT_EQ(received.files.count(dumped + "/calls.jsonl"), 1U);
  const Json call = Json::parse(received.files[dumped + "/calls.jsonl"]);
  const std::string file = dumped + "/" + argument_of(call, "out")["after"]["file"].get<std::string>();
  ASSERT_EQ(received.files.count(file), 1U);
  acldumpUnregCallback();
  add(self, self, out);
  synchronize();
  EXPECT_EQ(received.files.size(), 2U);
  EXPECT_EQ(recorded_calls(dumped).size(), 1U);
}

TEST_F(Dump, LargeDataComesInSeveralPieces) {
  const OpTensor large(ACL_FLOAT, {1 << 20});
  large.upload();
  received = {};
  ASSERT_EQ(acldumpRegCallback(receive, 0), 0);
  start(kOnAll);
  aclTensor* tensors[] = {large.get()};
  ASSERT_EQ(aclDumpOpTensors("Mine", "name", tensors, 1, 0, s), 0);
  synchronize();
  acldumpUnregCallback();
  ASSERT_EQ(received.files.size(), 2U);
  std::size_t largest = 0;
  for (const auto& [name, content] : received.files) largest = std::max(largest, content.size());
  EXPECT_EQ(largest % 64, 0U);
  EXPECT_GT(largest, 4U << 20);
}

TEST_F(Dump, ArgumentsAreDumpedWithoutValues) {
  const Pair self(1, 2), out(0, 0);
  const std::string path = folder.path() + "/arguments";
  EXPECT_EQ(aclopStopDumpArgs(ACL_OP_DUMP_OP_AICORE_ARGS), ACL_ERROR_DUMP_NOT_RUN);
  EXPECT_EQ(aclopStartDumpArgs(ACL_OP_DUMP_OP_AICORE_ARGS, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclopStartDumpArgs(0, path.c_str()), ACL_ERROR_INVALID_PARAM);
  ASSERT_EQ(aclopStartDumpArgs(ACL_OP_DUMP_OP_AICORE_ARGS, path.c_str()), 0);
  add(self, self, out);
  EXPECT_EQ(aclopStartDumpArgs(ACL_OP_DUMP_OP_AICORE_ARGS, path.c_str()), ACL_ERROR_DUMP_ALREADY_RUN);
  EXPECT_EQ(aclopStopDumpArgs(0), ACL_ERROR_INVALID_PARAM);
  ASSERT_EQ(aclopStopDumpArgs(ACL_OP_DUMP_OP_AICORE_ARGS), 0);
  add(self, self, out);
  synchronize();
  const auto calls = recorded_calls(path);
  ASSERT_EQ(calls.size(), 1U) << "the refused call leaves the file as it is";
  EXPECT_EQ(argument_of(calls[0], "self")["shape"], Json({2}));
  EXPECT_FALSE(argument_of(calls[0], "self").contains("before"));
  const auto files = std::distance(std::filesystem::directory_iterator(path), std::filesystem::directory_iterator());
  EXPECT_EQ(files, 1);
}

TEST_F(Dump, AnUnknownKindHasNoPath) {
  EXPECT_EQ(acldumpGetPath(static_cast<acldumpType>(0)), nullptr);
  EXPECT_EQ(acldumpGetPath(static_cast<acldumpType>(9)), nullptr);
  EXPECT_EQ(acldumpGetPath(AIC_ERR_BRIEF_DUMP), nullptr);
}

TEST_F(Dump, TheSceneSaysWhereFailedOperatorsGo) {
  start(R"(, "dump_scene": "aic_err_norm_dump")");
  const std::string base = folder.path() + "/dump/extra-info/data-dump";
  EXPECT_EQ(acldumpGetPath(AIC_ERR_BRIEF_DUMP), nullptr);
  ASSERT_NE(acldumpGetPath(AIC_ERR_NORM_DUMP), nullptr);
  EXPECT_EQ(acldumpGetPath(AIC_ERR_NORM_DUMP), base);
  char path[ACL_DUMP_MAX_FILE_PATH_LENGTH] = {};
  ASSERT_EQ(acldumpGetExceptionInfoPath(path, sizeof(path)), 0);
  EXPECT_EQ(path, base + "/0");
  EXPECT_EQ(acldumpGetExceptionInfoPath(nullptr, sizeof(path)), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(acldumpGetExceptionInfoPath(path, std::strlen(path)), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(acldumpGetExceptionInfoPath(path, std::strlen(path) + 1), 0);
}

TEST_F(PlainDump, WithoutASceneFailedOperatorsGoToTheWorkingFolder) {
  char path[ACL_DUMP_MAX_FILE_PATH_LENGTH] = {};
  ASSERT_EQ(acldumpGetExceptionInfoPath(path, sizeof(path)), 0);
  EXPECT_STREQ(path, "./extra-info/data-dump/0");
}

TEST_F(PlainDump, WithoutASceneFailedOperatorsGoToTheFolderThatTheUserHasNamed) {
  setenv("ASCEND_WORK_PATH", "/elsewhere", 1);
  char path[ACL_DUMP_MAX_FILE_PATH_LENGTH] = {};
  ASSERT_EQ(acldumpGetExceptionInfoPath(path, sizeof(path)), 0);
  EXPECT_STREQ(path, "/elsewhere/extra-info/data-dump/0");
}

acldumpTensorInfo info_of(void* address, acldumpTensorType type) {
  acldumpTensorInfo info{};
  info.type = type;
  info.tensorSize = 8;
  info.format = ACL_FORMAT_ND;
  info.dataType = ACL_FLOAT;
  info.tensorAddr = static_cast<int64_t*>(address);
  info.shapeNum = 1;
  info.shape[0] = 2;
  return info;
}

TEST_F(Dump, TensorsOfAFailedOperatorAreSaved) {
  start(R"(, "dump_scene": "lite_exception")");
  const Pair device(1, 2);
  float host[] = {3, 4};
  void* const word = device.memory();
  void* cell = nullptr;
  ASSERT_EQ(aclrtMalloc(&cell, 8, ACL_MEM_MALLOC_NORMAL_ONLY), 0);
  ASSERT_EQ(aclrtMemcpy(cell, 8, &word, 8, ACL_MEMCPY_HOST_TO_DEVICE), 0);
  acldumpTensorInfo infos[] = {info_of(device.memory(), ACL_DUMP_TENSOR_INPUT), info_of(host, ACL_DUMP_TENSOR_INPUT),
                               info_of(cell, ACL_DUMP_TENSOR_OUTPUT), info_of(nullptr, ACL_DUMP_TENSOR_WORKSPACE),
                               info_of(nullptr, ACL_DUMP_TENSOR_INPUT)};
  infos[1].placement = ACL_DUMP_PLACEMENT_HOST;
  infos[2].addrType = ACL_DUMP_ADDR_PTR_PTR;
  const float immediate[] = {5, 6};
  std::memcpy(&infos[4].tensorAddr, immediate, 8);
  infos[4].addrType = ACL_DUMP_ADDR_RAW;
  ASSERT_EQ(acldumpSaveExceptionInfo("failed", "tag", infos, 5), 0) << aclGetRecentErrMsg();
  const std::string base = acldumpGetPath(AIC_ERR_BRIEF_DUMP) + std::string("/0/");
  const Json saved = Json::parse(text_of_file(base + "failed.json"));
  EXPECT_EQ(saved["tag"], "tag");
  ASSERT_EQ(saved["tensors"].size(), 5U);
  EXPECT_EQ(Npy(base + "failed.input0.npy").values<float>(), (Floats{1, 2}));
  EXPECT_EQ(Npy(base + "failed.input1.npy").values<float>(), (Floats{3, 4}));
  EXPECT_EQ(Npy(base + "failed.output0.npy").values<float>(), (Floats{1, 2}));
  EXPECT_EQ(Npy(base + "failed.input2.npy").values<float>(), (Floats{5, 6}));
  EXPECT_TRUE(saved["tensors"][3].contains("missing"));
  EXPECT_EQ(aclrtFree(cell), 0);
}

TEST_F(Dump, TensorsOfAFailedOperatorThatCannotBeWrittenAre100009) {
  start(R"(, "dump_scene": "lite_exception")");
  acldumpTensorInfo info = info_of(nullptr, ACL_DUMP_TENSOR_INPUT);
  info.addrType = ACL_DUMP_ADDR_RAW;
  const std::string base = acldumpGetPath(AIC_ERR_BRIEF_DUMP) + std::string("/0/");
  for (const std::string blocked : {"failed.json", "failed.input0.npy"}) {
    std::filesystem::remove(base + blocked);
    std::filesystem::create_directories(base + blocked);
    EXPECT_EQ(acldumpSaveExceptionInfo("failed", "tag", &info, 1), ACL_ERROR_INVALID_DUMP_CONFIG);
    const char* sentence = aclGetRecentErrMsg();
    ASSERT_NE(sentence, nullptr);
    EXPECT_NE(std::string(sentence).find(blocked), std::string::npos) << sentence;
    std::filesystem::remove_all(base + blocked);
  }
  EXPECT_TRUE(Json::parse(text_of_file(base + "failed.json"))["tensors"][0].contains("missing"));
  EXPECT_EQ(acldumpSaveExceptionInfo("failed", "tag", &info, 1), 0) << aclGetRecentErrMsg();
}

TEST_F(Dump, WrongTensorsOfAFailedOperatorAre100000) {
  acldumpTensorInfo info = info_of(nullptr, ACL_DUMP_TENSOR_INPUT);
  EXPECT_EQ(acldumpSaveExceptionInfo(nullptr, nullptr, &info, 1), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(acldumpSaveExceptionInfo("", nullptr, &info, 1), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(acldumpSaveExceptionInfo("../x", nullptr, &info, 1), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(acldumpSaveExceptionInfo("x", nullptr, nullptr, 1), ACL_ERROR_INVALID_PARAM);
  info.shapeNum = ACL_DUMP_MAX_SHAPE_NUM + 1;
  EXPECT_EQ(acldumpSaveExceptionInfo("x", nullptr, &info, 1), ACL_ERROR_INVALID_PARAM);
}

/// aclInit with a dump section.
class ConfiguredDump : public Dump {
 protected:
  void SetUp() override {}
};

TEST_F(ConfiguredDump, TheSectionOfAclInitStartsIt) {
  ASSERT_EQ(aclInit(config(kOn).c_str()), 0) << aclGetRecentErrMsg();
  ASSERT_EQ(aclrtSetDevice(0), 0);
  ASSERT_EQ(aclrtCreateStream(&s), 0);
  EXPECT_EQ(aclmdlInitDump(), ACL_ERROR_DUMP_ALREADY_RUN);
  EXPECT_EQ(aclmdlFinalizeDump(), ACL_ERROR_DUMP_NOT_RUN);
  const std::string dumped = place();
  const Pair self(1, 2), out(0, 0);
  add(self, self, out);
  synchronize();
  EXPECT_EQ(recorded_calls(dumped).size(), 1U);
  ASSERT_EQ(aclFinalize(), 0);
  add(self, self, out);
  synchronize();
  EXPECT_EQ(recorded_calls(dumped).size(), 1U);
}

TEST_F(ConfiguredDump, ABadSectionIs100009AndAclInitHasNotHappened) {
  EXPECT_EQ(aclInit(config(R"(, "dump_mode": "x")").c_str()), ACL_ERROR_INVALID_DUMP_CONFIG);
  EXPECT_EQ(aclmdlInitDump(), ACL_ERROR_UNINITIALIZE);
  EXPECT_EQ(aclInit(nullptr), 0);
}

}  // namespace
