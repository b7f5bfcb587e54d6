// Communicators of one rank: how they are made, what they tell, how they end.
#include <gmock/gmock.h>

#include <cstring>
#include <set>
#include <string>

#include "support/comm_fixture.hpp"

namespace aclvk::test {
namespace {

using Comm = CommTest;

std::string name_of(HcclComm comm) {
  char name[COMM_NAME_MAX_LENGTH];
  EXPECT_EQ(HcclGetCommName(comm, name), HCCL_SUCCESS);
  return name;
}

HcclCommConfig named(const char* name) {
  HcclCommConfig config;
  HcclCommConfigInit(&config);
  std::strcpy(config.hcclCommName, name);
  return config;
}

TEST_F(Comm, HasOneRank) {
  uint32_t size = 7, rank = 7;
  EXPECT_EQ(HcclGetRankSize(comm, &size), HCCL_SUCCESS);
  EXPECT_EQ(HcclGetRankId(comm, &rank), HCCL_SUCCESS);
  EXPECT_EQ(size, 1U);
  EXPECT_EQ(rank, 0U);
}

TEST_F(Comm, WrongNumbersOfRanksAreRefused) {
  HcclRootInfo info;
  ASSERT_EQ(HcclGetRootInfo(&info), HCCL_SUCCESS);
  HcclComm made = nullptr;
  EXPECT_EQ(HcclCommInitRootInfo(0, &info, 0, &made), HCCL_E_PARA);
  EXPECT_EQ(HcclCommInitRootInfo(1, &info, 1, &made), HCCL_E_PARA);
  EXPECT_EQ(HcclCommInitRootInfo(2, &info, 0, &made), HCCL_E_NOT_SUPPORT);
  EXPECT_THAT(aclGetRecentErrMsg(), testing::HasSubstr("nRanks is 2"));
  EXPECT_EQ(made, nullptr);
}

TEST_F(Comm, NullIsRefused) {
  HcclRootInfo info;
  ASSERT_EQ(HcclGetRootInfo(&info), HCCL_SUCCESS);
  HcclComm made = nullptr;
  HcclResult result;
  char name[COMM_NAME_MAX_LENGTH];
  EXPECT_EQ(HcclGetRootInfo(nullptr), HCCL_E_PTR);
  EXPECT_EQ(HcclCommInitRootInfo(1, nullptr, 0, &made), HCCL_E_PTR);
  EXPECT_EQ(HcclCommInitRootInfo(1, &info, 0, nullptr), HCCL_E_PTR);
  EXPECT_EQ(HcclCommInitRootInfoConfig(1, &info, 0, nullptr, &made), HCCL_E_PTR);
  EXPECT_EQ(HcclGetRankSize(comm, nullptr), HCCL_E_PTR);
  EXPECT_EQ(HcclGetRankId(comm, nullptr), HCCL_E_PTR);
  EXPECT_EQ(HcclGetCommName(comm, nullptr), HCCL_E_PTR);
  EXPECT_EQ(HcclGetCommName(nullptr, name), HCCL_E_PTR);
  EXPECT_EQ(HcclGetCommAsyncError(comm, nullptr), HCCL_E_PTR);
  EXPECT_EQ(HcclGetCommAsyncError(nullptr, &result), HCCL_E_PTR);
}

TEST_F(Comm, RootInfoOfOthersIsRefused) {
  HcclRootInfo info{};
  HcclComm made = nullptr;
  EXPECT_EQ(HcclCommInitRootInfo(1, &info, 0, &made), HCCL_E_PARA);
  ASSERT_EQ(HcclGetRootInfo(&info), HCCL_SUCCESS);
  info.internal[20] = 'z';
  EXPECT_EQ(HcclCommInitRootInfo(1, &info, 0, &made), HCCL_E_PARA);
}

TEST_F(Comm, GeneratedNamesDiffer) {
  std::set<std::string> names{name_of(comm)};
  for (int i = 0; i < 8; ++i) {
    HcclRootInfo info;
    HcclComm made = nullptr;
    ASSERT_EQ(HcclGetRootInfo(&info), HCCL_SUCCESS);
    ASSERT_EQ(HcclCommInitRootInfo(1, &info, 0, &made), HCCL_SUCCESS);
    names.insert(name_of(made));
    EXPECT_EQ(HcclCommDestroy(made), HCCL_SUCCESS);
  }
  EXPECT_EQ(names.size(), 9U);
}

TEST_F(Comm, IsFoundByItsName) {
  HcclRootInfo info;
  HcclComm older = nullptr, newer = nullptr, found = nullptr;
  const HcclCommConfig config = named("tp_0");
  ASSERT_EQ(HcclGetRootInfo(&info), HCCL_SUCCESS);
  ASSERT_EQ(HcclCommInitRootInfoConfig(1, &info, 0, &config, &older), HCCL_SUCCESS);
  ASSERT_EQ(HcclCommInitRootInfoConfig(1, &info, 0, &config, &newer), HCCL_SUCCESS);
  EXPECT_EQ(HcclCommGetHandleWithName("tp_0", &found), HCCL_SUCCESS);
  EXPECT_EQ(found, newer);
  EXPECT_EQ(HcclCommDestroy(newer), HCCL_SUCCESS);
  EXPECT_EQ(HcclCommGetHandleWithName("tp_0", &found), HCCL_SUCCESS);
  EXPECT_EQ(found, older);
  EXPECT_EQ(HcclCommDestroy(older), HCCL_SUCCESS);
  EXPECT_EQ(HcclCommGetHandleWithName("tp_0", &found), HCCL_E_NOT_FOUND);
}

TEST_F(Comm, ConfigurationsAreReadAsFarAsTheyReach) {
  HcclRootInfo info;
  HcclComm made = nullptr;
  ASSERT_EQ(HcclGetRootInfo(&info), HCCL_SUCCESS);
  HcclCommConfig config = named("not read");
  const size_t older = 32;
  std::memcpy(config.reserved, &older, sizeof(older));
  ASSERT_EQ(HcclCommInitRootInfoConfig(1, &info, 0, &config, &made), HCCL_SUCCESS);
  EXPECT_NE(name_of(made), "not read");
  EXPECT_EQ(HcclCommDestroy(made), HCCL_SUCCESS);

  config = named("read");
  const size_t newer = sizeof(config) + 4096;
  std::memcpy(config.reserved, &newer, sizeof(newer));
  ASSERT_EQ(HcclCommInitRootInfoConfig(1, &info, 0, &config, &made), HCCL_SUCCESS);
  EXPECT_EQ(name_of(made), "read");
  EXPECT_EQ(HcclCommDestroy(made), HCCL_SUCCESS);
}

TEST_F(Comm, WrongConfigurationsAreRefused) {
  HcclRootInfo info;
  HcclComm made = nullptr;
  ASSERT_EQ(HcclGetRootInfo(&info), HCCL_SUCCESS);
  const auto made_with = [&](auto change) {
    HcclCommConfig config;
    HcclCommConfigInit(&config);
    change(config);
    return HcclCommInitRootInfoConfig(1, &info, 0, &config, &made);
  };
  EXPECT_EQ(made_with([](HcclCommConfig& c) { c.reserved[8] = 0; }), HCCL_E_PARA) << "the magic number";
  EXPECT_EQ(made_with([](HcclCommConfig& c) { std::memset(c.reserved, 0, 8); }), HCCL_E_PARA) << "the size";
  EXPECT_EQ(made_with([](HcclCommConfig& c) { c.hcclBufferSize = 0; }), HCCL_E_PARA);
  EXPECT_EQ(made_with([](HcclCommConfig& c) { c.hcclDeterministic = 3; }), HCCL_E_PARA);
  EXPECT_EQ(made_with([](HcclCommConfig& c) { c.hcclExecTimeOut = -2; }), HCCL_E_PARA);
  EXPECT_EQ(made_with([](HcclCommConfig& c) { std::memset(c.hcclCommName, 'a', 128); }), HCCL_E_PARA);
  EXPECT_EQ(made, nullptr);
}

TEST_F(Comm, OptionsAreKept) {
  HcclConfigValue value{7};
  EXPECT_EQ(HcclGetConfig(HCCL_DETERMINISTIC, &value), HCCL_SUCCESS);
  EXPECT_EQ(value.value, 0);
  EXPECT_EQ(HcclSetConfig(HCCL_DETERMINISTIC, {2}), HCCL_SUCCESS);
  EXPECT_EQ(HcclGetConfig(HCCL_DETERMINISTIC, &value), HCCL_SUCCESS);
  EXPECT_EQ(value.value, 2);
  EXPECT_EQ(HcclSetConfig(HCCL_DETERMINISTIC, {3}), HCCL_E_PARA);
  EXPECT_EQ(HcclSetConfig(HCCL_CONFIG_RESERVED, {0}), HCCL_E_NOT_SUPPORT);
  EXPECT_EQ(HcclSetCommConfig(comm, HCCL_DETERMINISTIC, {1}), HCCL_SUCCESS);
  EXPECT_EQ(HcclGetCommConfig(comm, HCCL_DETERMINISTIC, &value), HCCL_SUCCESS);
  EXPECT_EQ(value.value, 1);
  EXPECT_EQ(HcclSetConfig(HCCL_DETERMINISTIC, {0}), HCCL_SUCCESS);
}

TEST_F(Comm, OfAllDevicesOfAList) {
  HcclComm made = nullptr;
  int32_t devices[] = {0, 0};
  ASSERT_EQ(HcclCommInitAll(1, devices, &made), HCCL_SUCCESS);
  EXPECT_EQ(HcclCommDestroy(made), HCCL_SUCCESS);
  EXPECT_EQ(HcclCommInitAll(0, devices, &made), HCCL_E_PARA);
  EXPECT_EQ(HcclCommInitAll(2, devices, &made), HCCL_E_NOT_SUPPORT);
  EXPECT_EQ(HcclCommInitAll(1, nullptr, &made), HCCL_E_PTR);
  devices[0] = 1000;
  EXPECT_EQ(HcclCommInitAll(1, devices, &made), HCCL_E_PARA);
}

TEST_F(Comm, PartsOfIt) {
  HcclCommConfig config;
  HcclCommConfigInit(&config);
  uint32_t ranks[] = {0};
  HcclComm part = nullptr;
  ASSERT_EQ(HcclCreateSubCommConfig(&comm, 1, ranks, 5, 0, &config, &part), HCCL_SUCCESS);
  EXPECT_EQ(name_of(part), name_of(comm) + "_sub_5");
  EXPECT_EQ(HcclCommDestroy(part), HCCL_SUCCESS);

  part = nullptr;
  EXPECT_EQ(HcclCreateSubCommConfig(&comm, 1, nullptr, 0xFFFFFFFF, 0, &config, &part), HCCL_SUCCESS);
  EXPECT_EQ(part, nullptr) << "this rank is not a member";
  EXPECT_EQ(HcclCreateSubCommConfig(&comm, 2, ranks, 5, 0, &config, &part), HCCL_E_PARA);
  EXPECT_EQ(HcclCreateSubCommConfig(&comm, 1, ranks, 5, 1, &config, &part), HCCL_E_PARA);
  ranks[0] = 1;
  EXPECT_EQ(HcclCreateSubCommConfig(&comm, 1, ranks, 5, 0, &config, &part), HCCL_E_PARA);
}

TEST_F(Comm, MemoryIsAnnounced) {
  void* buffer = device(Numbers(64));
  int handle = 0;
  EXPECT_EQ(HcclCommSetMemoryRange(comm, buffer, 0, 0, 0), HCCL_E_PARA);
  EXPECT_EQ(HcclCommSetMemoryRange(comm, nullptr, 256, 0, 0), HCCL_E_PTR);
  EXPECT_EQ(HcclCommActivateCommMemory(comm, buffer, 64, 0, &handle, 0), HCCL_E_PARA) << "no range yet";
  EXPECT_EQ(HcclCommSetMemoryRange(comm, buffer, 256, 0, 0), HCCL_SUCCESS);
  EXPECT_EQ(HcclCommSetMemoryRange(comm, buffer, 256, 0, 0), HCCL_E_PARA);
  EXPECT_EQ(HcclCommActivateCommMemory(comm, buffer, 257, 0, &handle, 0), HCCL_E_PARA);
  EXPECT_EQ(HcclCommActivateCommMemory(comm, buffer, 256, 0, &handle, 0), HCCL_SUCCESS);
  EXPECT_EQ(HcclCommDeactivateCommMemory(comm, buffer), HCCL_SUCCESS);
  EXPECT_EQ(HcclCommDeactivateCommMemory(comm, buffer), HCCL_E_PARA);
  EXPECT_EQ(HcclCommUnsetMemoryRange(comm, buffer), HCCL_SUCCESS);
  EXPECT_EQ(HcclCommUnsetMemoryRange(comm, buffer), HCCL_E_PARA);

  void* window = nullptr;
  uint32_t peers[] = {0, 1};
  EXPECT_EQ(HcclCommRegister(comm, buffer, 256, &window, 0), HCCL_SUCCESS);
  EXPECT_NE(window, nullptr);
  EXPECT_EQ(HcclCommExchangeMem(comm, window, peers, 1), HCCL_SUCCESS);
  EXPECT_EQ(HcclCommExchangeMem(comm, window, peers, 2), HCCL_E_PARA);
  EXPECT_EQ(HcclCommDeregister(comm, window), HCCL_SUCCESS);
  EXPECT_EQ(HcclCommDeregister(comm, window), HCCL_E_PARA);
}

TEST_F(Comm, DestroyedOnceOnly) {
  EXPECT_EQ(HcclCommDestroy(nullptr), HCCL_SUCCESS);
  HcclComm made = nullptr;
  int32_t devices[] = {0};
  ASSERT_EQ(HcclCommInitAll(1, devices, &made), HCCL_SUCCESS);
  EXPECT_EQ(HcclCommDestroy(made), HCCL_SUCCESS);
  EXPECT_EQ(HcclCommDestroy(made), HCCL_E_PARA);
  uint32_t size = 0;
  EXPECT_EQ(HcclGetRankSize(made, &size), HCCL_E_PARA);
  EXPECT_EQ(HcclGetRankSize(s, &size), HCCL_E_PARA) << "a stream is no communicator";
}

TEST_F(Comm, ResultsHaveNames) {
  EXPECT_STREQ(HcclGetErrorString(HCCL_SUCCESS), "HCCL_SUCCESS");
  EXPECT_STREQ(HcclGetErrorString(HCCL_E_REMOTE), "HCCL_E_REMOTE");
  EXPECT_STREQ(HcclGetErrorString(static_cast<HcclResult>(777)), "unknown");
  EXPECT_EQ(HcclGetCommConfigCapability(), 12U);
}

TEST_F(Comm, AsyncErrorIsNone) {
  HcclResult error = HCCL_E_INTERNAL;
  EXPECT_EQ(HcclGetCommAsyncError(comm, &error), HCCL_SUCCESS);
  EXPECT_EQ(error, HCCL_SUCCESS);
}

TEST_F(Comm, WhatIsNotBuiltSaysSo) {
  HcclComm made = nullptr;
  EXPECT_EQ(HcclCommInitClusterInfo("table.json", 0, &made), HCCL_E_NOT_SUPPORT);
  EXPECT_THAT(aclGetRecentErrMsg(), testing::HasSubstr("HcclCommInitClusterInfo is not built"));
}

TEST(CommWithoutADevice, IsNotMade) {
  ASSERT_EQ(aclInit(nullptr), 0);
  HcclRootInfo info;
  EXPECT_EQ(HcclGetRootInfo(&info), HCCL_E_RUNTIME);
  ASSERT_EQ(aclFinalize(), 0);
}

/// Frameworks destroy communicators in destructors of statics.
TEST(CommAfterTheEnd, IsDestroyed) {
  ASSERT_EQ(aclInit(nullptr), 0);
  ASSERT_EQ(aclrtSetDevice(0), 0);
  HcclComm comm = nullptr;
  int32_t devices[] = {0};
  ASSERT_EQ(HcclCommInitAll(1, devices, &comm), HCCL_SUCCESS);
  ASSERT_EQ(aclrtResetDevice(0), 0);
  ASSERT_EQ(aclFinalize(), 0);
  EXPECT_EQ(HcclCommDestroy(comm), HCCL_SUCCESS);
}

struct WrongVariable : testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(WrongVariable, FailsTheMakingOfCommunicators) {
  setenv(GetParam().first, GetParam().second, 1);
  ASSERT_EQ(aclInit(nullptr), 0);
  ASSERT_EQ(aclrtSetDevice(0), 0);
  HcclRootInfo info;
  HcclComm comm = nullptr;
  ASSERT_EQ(HcclGetRootInfo(&info), HCCL_SUCCESS);
  EXPECT_EQ(HcclCommInitRootInfo(1, &info, 0, &comm), HCCL_E_PARA);
  EXPECT_THAT(aclGetRecentErrMsg(), testing::HasSubstr(GetParam().first));
  ASSERT_EQ(aclrtResetDevice(0), 0);
  ASSERT_EQ(aclFinalize(), 0);
}

INSTANTIATE_TEST_SUITE_P(Each, WrongVariable,
                         testing::Values(std::pair("HCCL_BUFFSIZE", "0"), std::pair("HCCL_BUFFSIZE", "many"),
                                         std::pair("HCCL_EXEC_TIMEOUT", "-1"), std::pair("HCCL_CONNECT_TIMEOUT", "119"),
                                         std::pair("HCCL_DETERMINISTIC", "maybe")),
                         [](const auto& tested) {
                           const std::string value = tested.param.second;
                           return std::string(tested.param.first) + "_" + (value == "-1" ? "negative" : value);
                         });

}  // namespace
}  // namespace aclvk::test
