// ACLVK_RECORD: what operators leave in a recording (docs/recording.md).
#include <cstdlib>

#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_cast.h"
#include "aclnnop/aclnn_div.h"
#include "aclnnop/aclnn_mul.h"
#include "support/capture_fixture.hpp"
#include "support/op_fixture.hpp"
#include "support/recorded_calls.hpp"

namespace {

using namespace aclvk::test;

using Floats = std::vector<float>;

/// F1 with everything recorded in `folder`.
class Record : public OneStream {
 protected:
  void SetUp() override {
    setenv("ACLVK_RECORD", folder.path().c_str(), 1);
    OneStream::SetUp();
  }

  std::vector<Json> calls() const { return recorded_calls(folder.path()); }
  Floats values(const Json& call, const char* name, const char* when) const {
    return recorded_values(folder.path(), call, name, when);
  }

  void launch(const Plan& plan, Launch second) {
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    ASSERT_EQ(plan(&size, &executor), 0) << aclGetRecentErrMsg();
    ASSERT_EQ(second(nullptr, size, executor, s), 0) << aclGetRecentErrMsg();
  }
  void add(const OpTensor& self, const OpTensor& other, const OpTensor& out, float alpha = 1) {
    const OpScalar factor(ACL_FLOAT, alpha);
    launch(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return aclnnAddGetWorkspaceSize(self.get(), other.get(), factor.get(), out.get(), size, executor);
        },
        aclnnAdd);
  }
  void multiply_in_place(const OpTensor& self, const OpTensor& other) {
    launch(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return aclnnInplaceMulGetWorkspaceSize(self.get(), other.get(), size, executor);
        },
        aclnnInplaceMul);
  }
  void synchronize() { ASSERT_EQ(aclrtSynchronizeStream(s), 0) << aclGetRecentErrMsg(); }

  Folder folder;
};

/// A tensor on the device that counts from `first`.
struct Counting : OpTensor {
  explicit Counting(Real first, Shape shape = {2, 3}, aclDataType type = ACL_FLOAT, View view = {})
      : OpTensor(type, std::move(shape), std::move(view)) {
    fill([=](std::int64_t i) { return Number(first + static_cast<Real>(i)); }).upload();
  }
};

TEST_F(Record, ACallHasItsNameArgumentsAndValues) {
  const Counting self(0), other(10), out(0);
  add(self, other, out, 2);
  synchronize();
  ASSERT_EQ(calls().size(), 1U);
  const Json call = calls()[0];
  EXPECT_EQ(call["operator"], "aclnnAdd");
  EXPECT_EQ(call["sequence"], 1);
  EXPECT_EQ(call["device"], 0);
  EXPECT_EQ(call["captured"], false);
  EXPECT_EQ(call["arguments"].size(), 4U);
  const Json tensor = argument_of(call, "self");
  EXPECT_EQ(tensor["role"], "input");
  EXPECT_EQ(tensor["dtype"], "FLOAT");
  EXPECT_EQ(tensor["shape"], Json({2, 3}));
  EXPECT_EQ(tensor["strides"], Json({3, 1}));
  EXPECT_EQ(tensor["offset"], 0);
  EXPECT_EQ(tensor["storage_shape"], Json({6}));
  EXPECT_EQ(tensor["format"], static_cast<int>(ACL_FORMAT_ND));
  EXPECT_FALSE(tensor.contains("after"));
  EXPECT_EQ(argument_of(call, "alpha")["value"], Json({{"dtype", "FLOAT"}, {"value", 2.0}}));
  EXPECT_EQ(argument_of(call, "out")["role"], "output");
  EXPECT_FALSE(argument_of(call, "out").contains("before"));
  EXPECT_EQ(values(call, "self", "before"), (Floats{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(values(call, "other", "before"), (Floats{10, 11, 12, 13, 14, 15}));
  EXPECT_EQ(values(call, "out", "after"), (Floats{20, 23, 26, 29, 32, 35}));
}

TEST_F(Record, ThreadAndStreamAreReported) {
  const Counting self(0), out(0);
  add(self, self, out);
  on_another_thread([&] {
    aclrtSetDevice(0);
    s = new_stream();
    add(self, self, out);
  });
  ASSERT_EQ(aclrtSynchronizeDevice(), 0);
  ASSERT_EQ(calls().size(), 2U);
  EXPECT_NE(calls()[0]["thread"], calls()[1]["thread"]);
  EXPECT_NE(calls()[0]["stream"], calls()[1]["stream"]);
}

TEST_F(Record, AnOperatorThatReadsWhatItWritesHasBothValues) {
  const Counting self(1), other(2);
  multiply_in_place(self, other);
  synchronize();
  const Json call = calls().at(0);
  EXPECT_EQ(argument_of(call, "selfRef")["role"], "in-place");
  EXPECT_EQ(values(call, "selfRef", "before"), (Floats{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(values(call, "selfRef", "after"), (Floats{2, 6, 12, 20, 30, 42}));
}

TEST_F(Record, OneTensorTwiceIsTwoInputs) {
  const Counting self(1), out(0);
  add(self, self, out);
  synchronize();
  EXPECT_EQ(argument_of(calls().at(0), "self")["role"], "input");
  EXPECT_EQ(argument_of(calls().at(0), "other")["role"], "input");
  EXPECT_EQ(argument_of(calls().at(0), "out")["role"], "output");
}

TEST_F(Record, AnOutputThatIsAnInputIsAnOutput) {
  const Counting self(1), other(1);
  add(self, other, self);
  synchronize();
  EXPECT_EQ(argument_of(calls().at(0), "self")["role"], "input");
  EXPECT_EQ(argument_of(calls().at(0), "out")["role"], "output");
  EXPECT_EQ(values(calls().at(0), "self", "before"), (Floats{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(values(calls().at(0), "out", "after"), (Floats{2, 4, 6, 8, 10, 12}));
}

TEST_F(Record, ValuesAreThoseInStreamOrder) {
  const Counting self(1), other(2);
  multiply_in_place(self, other);
  multiply_in_place(self, other);
  synchronize();
  ASSERT_EQ(calls().size(), 2U);
  EXPECT_EQ(values(calls()[1], "selfRef", "before"), values(calls()[0], "selfRef", "after"));
  EXPECT_NE(values(calls()[1], "selfRef", "after"), values(calls()[0], "selfRef", "after"));
}

TEST_F(Record, ABlockedStreamBlocksNoOtherAndKeepsItsOrder) {
  const Counting self(1), out(0);
  BlockedStream blocked(s);
  add(self, self, out);
  EXPECT_TRUE(calls().empty());
  const Counting later(100);
  ASSERT_EQ(aclrtMemcpy(self.memory(), 24, later.memory(), 24, ACL_MEMCPY_DEVICE_TO_DEVICE), 0);
  blocked.release();
  synchronize();
  EXPECT_EQ(values(calls().at(0), "self", "before"), (Floats{100, 101, 102, 103, 104, 105}));
  EXPECT_EQ(values(calls().at(0), "out", "after"), (Floats{200, 202, 204, 206, 208, 210}));
}

TEST_F(Record, AViewIsWrittenRowByRow) {
  const Counting self(0, {2, 3}, ACL_FLOAT, {{1, 4}, 2, 0});
  const Counting out(0);
  add(self, self, out);
  synchronize();
  const Json tensor = argument_of(calls().at(0), "self");
  EXPECT_EQ(tensor["strides"], Json({1, 4}));
  EXPECT_EQ(tensor["offset"], 2);
  EXPECT_EQ(values(calls().at(0), "self", "before"), (Floats{0, 1, 2, 3, 4, 5}));
  const Npy file(folder.path() + "/" + tensor["before"]["file"].get<std::string>());
  EXPECT_NE(file.header.find("'descr': '<f4'"), std::string::npos) << file.header;
  EXPECT_NE(file.header.find("'shape': (2, 3, )"), std::string::npos) << file.header;
}

TEST_F(Record, Bfloat16IsKeptAsBits) {
  const Counting self(1, {2}, ACL_BF16), out(0, {2}, ACL_BF16);
  add(self, self, out);
  synchronize();
  const Json tensor = argument_of(calls().at(0), "out");
  EXPECT_EQ(tensor["after"]["holds"], "bits of BF16");
  EXPECT_EQ(recorded_values<std::uint16_t>(folder.path(), calls().at(0), "out", "after"),
            (std::vector<std::uint16_t>{0x4000, 0x4080}));
}

TEST_F(Record, ScalarsAndEmptyTensorsHaveValuesToo) {
  const Counting scalar(3, {}), out(0, {});
  add(scalar, scalar, out);
  const Counting empty(0, {0, 4}), empty_out(0, {0, 4});
  add(empty, empty, empty_out);
  synchronize();
  ASSERT_EQ(calls().size(), 2U);
  EXPECT_EQ(values(calls()[0], "out", "after"), Floats{6});
  EXPECT_EQ(values(calls()[1], "out", "after"), Floats{});
}

TEST_F(Record, AttributesAreReportedWithTheirKinds) {
  const Counting self(1), other(2), out(0);
  launch(
      [&](uint64_t* size, aclOpExecutor** executor) {
        return aclnnDivModGetWorkspaceSize(self.get(), other.get(), 2, out.get(), size, executor);
      },
      aclnnDivMod);
  const OpTensor numbers(ACL_INT32, {2, 3});
  launch(
      [&](uint64_t* size, aclOpExecutor** executor) {
        return aclnnCastGetWorkspaceSize(self.get(), ACL_INT32, numbers.get(), size, executor);
      },
      aclnnCast);
  synchronize();
  EXPECT_EQ(argument_of(calls().at(0), "mode"), Json({{"name", "mode"}, {"kind", "int"}, {"value", 2}}));
  EXPECT_EQ(argument_of(calls().at(1), "dtype")["value"], "INT32");
  EXPECT_EQ(recorded_values<std::int32_t>(folder.path(), calls().at(1), "out", "after"),
            (std::vector<std::int32_t>{1, 2, 3, 4, 5, 6}));
}

TEST_F(Record, ARepeatedExecutorTellsTheAddressesOfEachRun) {
  const Counting self(1), other(1), second(50), out(0);
  const OpScalar one(ACL_FLOAT, Real{1});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  ASSERT_EQ(aclnnAddGetWorkspaceSize(self.get(), other.get(), one.get(), out.get(), &size, &executor), 0);
  ASSERT_EQ(aclSetAclOpExecutorRepeatable(executor), 0);
  ASSERT_EQ(aclnnAdd(nullptr, 0, executor, s), 0);
  ASSERT_EQ(aclSetInputTensorAddr(executor, 1, other.get(), second.memory()), 0);
  ASSERT_EQ(aclnnAdd(nullptr, 0, executor, s), 0);
  synchronize();
  aclDestroyAclOpExecutor(executor);
  ASSERT_EQ(calls().size(), 2U);
  EXPECT_EQ(values(calls()[1], "self", "before"), (Floats{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(values(calls()[1], "other", "before"), (Floats{50, 51, 52, 53, 54, 55}));
  EXPECT_EQ(values(calls()[1], "out", "after"), (Floats{51, 53, 55, 57, 59, 61}));
}

TEST_F(Record, ALaunchThatFailsIsReportedWithItsCode) {
  const Counting self(1), out(0);
  const OpScalar one(ACL_FLOAT, Real{1});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  ASSERT_EQ(aclSetRawTensorAddr(out.get(), reinterpret_cast<void*>(64)), 0);
  ASSERT_EQ(aclnnAddGetWorkspaceSize(self.get(), self.get(), one.get(), out.get(), &size, &executor), 0);
  EXPECT_EQ(aclnnAdd(nullptr, 0, executor, s), kLaunchRefused);
  synchronize();
  ASSERT_EQ(calls().size(), 1U);
  EXPECT_EQ(calls()[0]["error"]["code"], kLaunchRefused);
  EXPECT_NE(calls()[0]["error"]["sentence"].get<std::string>().find("0x40"), std::string::npos);
  EXPECT_FALSE(argument_of(calls()[0], "out").contains("after"));
}

TEST_F(Record, AnOlderRecordingInTheFolderIsReplaced) {
  folder.file("calls.jsonl", "{\"old\": 1}\n");
  const Counting self(1), out(0);
  add(self, self, out);
  synchronize();
  ASSERT_EQ(calls().size(), 1U);
  EXPECT_FALSE(calls()[0].contains("old"));
}

TEST_F(Record, EachReplayOfACapturedOperatorHasItsValues) {
  const Counting self(1), other(2);
  aclmdlRI model = nullptr;
  ASSERT_EQ(aclmdlRICaptureBegin(s, ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL), 0);
  multiply_in_place(self, other);
  ASSERT_EQ(aclmdlRICaptureEnd(s, &model), 0) << aclGetRecentErrMsg();
  ASSERT_EQ(calls().size(), 1U);
  EXPECT_EQ(calls()[0]["captured"], true);
  EXPECT_EQ(calls()[0]["values"], "of each run of the model");
  EXPECT_FALSE(argument_of(calls()[0], "selfRef").contains("before"));
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(aclmdlRIExecuteAsync(model, s), 0);
  }
  synchronize();
  ASSERT_EQ(calls().size(), 3U);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(calls()[1 + i]["replay"], i);
    EXPECT_EQ(calls()[1 + i]["captured_as"], calls()[0]["sequence"]);
    EXPECT_GT(calls()[1 + i]["sequence"], calls()[i]["sequence"]);
  }
  EXPECT_EQ(values(calls()[1], "selfRef", "before"), (Floats{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(values(calls()[2], "selfRef", "before"), values(calls()[1], "selfRef", "after"));
  EXPECT_EQ(values(calls()[2], "selfRef", "after"), (Floats{4, 18, 48, 100, 180, 294}));
  EXPECT_EQ(aclmdlRIDestroy(model), 0);
}

TEST_F(Record, ListsOfTasksShowTheProgramsOwnOnly) {
  const Counting self(1), other(2);
  aclmdlRI model = nullptr;
  ASSERT_EQ(aclmdlRICaptureBegin(s, ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL), 0);
  multiply_in_place(self, other);
  ASSERT_EQ(aclmdlRICaptureEnd(s, &model), 0) << aclGetRecentErrMsg();
  uint32_t streams = 1;
  aclrtStream stream = nullptr;
  ASSERT_EQ(aclmdlRIGetStreams(model, &stream, &streams), 0);
  uint32_t tasks = 0;
  ASSERT_EQ(aclmdlRIGetTasksByStream(stream, nullptr, &tasks), 0);
  EXPECT_EQ(tasks, 1U);
  const std::string path = folder.path() + "/trace.json";
  ASSERT_EQ(aclmdlRIDebugJsonPrint(model, path.c_str(), 0), 0);
  const Json trace = Json::parse(text_of_file(path));
  ASSERT_EQ(trace.size(), 1U);
  EXPECT_EQ(trace[0]["name"], "aclnnInplaceMul");
  EXPECT_EQ(aclmdlRIDestroy(model), 0);
}

TEST_F(Record, OperatorsOfABuiltModelAreRecordedInEachRun) {
  const Counting self(1), other(2);
  aclmdlRI model = nullptr;
  const aclrtStream executing = s;
  ASSERT_EQ(aclrtCreateStreamWithConfig(&s, 0, ACL_STREAM_PERSISTENT), 0);
  multiply_in_place(self, other);
  ASSERT_EQ(aclmdlRIBuildBegin(&model, 0), 0) << aclGetRecentErrMsg();
  ASSERT_EQ(aclmdlRIBindStream(model, s, ACL_MODEL_STREAM_FLAG_HEAD), 0) << aclGetRecentErrMsg();
  multiply_in_place(self, other);
  ASSERT_EQ(aclmdlRIEndTask(model, s), 0) << aclGetRecentErrMsg();
  ASSERT_EQ(aclmdlRIBuildEnd(model, nullptr), 0) << aclGetRecentErrMsg();
  ASSERT_EQ(calls().size(), 2U);
  for (const Json& call : calls()) EXPECT_EQ(call["captured"], true);
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(aclmdlRIExecuteAsync(model, executing), 0) << aclGetRecentErrMsg();
  }
  ASSERT_EQ(aclrtSynchronizeStream(executing), 0) << aclGetRecentErrMsg();
  ASSERT_EQ(calls().size(), 6U);
  for (std::size_t i = 2; i < 6; ++i) {
    EXPECT_EQ(calls()[i]["replay"], (i - 2) / 2);
    EXPECT_EQ(calls()[i]["captured_as"], calls()[i % 2]["sequence"]);
  }
  EXPECT_EQ(values(calls()[5], "selfRef", "before"), values(calls()[4], "selfRef", "after"));
  EXPECT_EQ(aclmdlRIDestroy(model), 0);
}

TEST_F(Record, ATaskGroupStaysAGroupOfKernels) {
  const Counting self(1), other(2);
  aclmdlRI model = nullptr;
  aclrtTaskGrp group = nullptr;
  ASSERT_EQ(aclmdlRICaptureBegin(s, ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL), 0);
  ASSERT_EQ(aclmdlRICaptureTaskGrpBegin(s), 0);
  multiply_in_place(self, other);
  ASSERT_EQ(aclmdlRICaptureTaskGrpEnd(s, &group), 0) << aclGetRecentErrMsg();
  ASSERT_EQ(aclmdlRICaptureEnd(s, &model), 0) << aclGetRecentErrMsg();
  const Counting third(3);
  const aclrtStream updating = new_stream();
  ASSERT_EQ(aclmdlRICaptureTaskUpdateBegin(updating, group), 0) << aclGetRecentErrMsg();
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  ASSERT_EQ(aclnnInplaceMulGetWorkspaceSize(self.get(), third.get(), &size, &executor), 0);
  EXPECT_EQ(aclnnInplaceMul(nullptr, 0, executor, updating), 0) << aclGetRecentErrMsg();
  ASSERT_EQ(aclmdlRICaptureTaskUpdateEnd(updating), 0) << aclGetRecentErrMsg();
  ASSERT_EQ(aclmdlRIExecuteAsync(model, s), 0);
  synchronize();
  ASSERT_EQ(calls().size(), 2U);
  for (const Json& call : calls()) EXPECT_EQ(call["values"], "none: a task group takes kernels only");
  const auto bytes = self.download();
  EXPECT_EQ(self.in(bytes, 5), Number(6 * 8));
  EXPECT_EQ(aclmdlRIDestroy(model), 0);
}

}  // namespace
