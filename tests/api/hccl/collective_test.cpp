// Collectives of one rank: what is received, in which order, also in captures and groups; what is refused.
#include <numeric>
#include <utility>

#include "support/comm_fixture.hpp"

namespace aclvk::test {
namespace {

constexpr std::uint64_t kCount = 1009;

class Collective : public CommTest {
 protected:
  explicit Collective(const char* compatibility = "lenient") : CommTest(compatibility) {
    std::iota(sent.begin(), sent.end(), 17);
    from = device(sent);
    to = device(Numbers(kCount));
  }

  HcclResult all_reduce(HcclDataType type = HCCL_DATA_TYPE_INT32, HcclReduceOp op = HCCL_REDUCE_SUM) {
    return HcclAllReduce(from, to, kCount, type, op, comm, s);
  }

  Numbers sent = Numbers(kCount);
  void* from = nullptr;
  void* to = nullptr;
};

struct StrictCollective : Collective {
  StrictCollective() : Collective("strict") {}
};

/// A collective from one buffer to another, under its name.
struct Movement {
  const char* name;
  HcclResult (*call)(void* from, void* to, std::uint64_t count, HcclComm comm, aclrtStream stream);
};

constexpr auto kType = HCCL_DATA_TYPE_INT32;
constexpr std::uint64_t kNone = 0;

const Movement kMovements[] = {
    {"AllReduce",
     [](void* from, void* to, std::uint64_t count, HcclComm comm, aclrtStream stream) {
       return HcclAllReduce(from, to, count, kType, HCCL_REDUCE_MAX, comm, stream);
     }},
    {"Reduce",
     [](void* from, void* to, std::uint64_t count, HcclComm comm, aclrtStream stream) {
       return HcclReduce(from, to, count, kType, HCCL_REDUCE_PROD, 0, comm, stream);
     }},
    {"Scatter", [](void* from, void* to, std::uint64_t count, HcclComm comm,
                   aclrtStream stream) { return HcclScatter(from, to, count, kType, 0, comm, stream); }},
    {"AllGather", [](void* from, void* to, std::uint64_t count, HcclComm comm,
                     aclrtStream stream) { return HcclAllGather(from, to, count, kType, comm, stream); }},
    {"ReduceScatter",
     [](void* from, void* to, std::uint64_t count, HcclComm comm, aclrtStream stream) {
       return HcclReduceScatter(from, to, count, kType, HCCL_REDUCE_SUM, comm, stream);
     }},
    {"AllGatherV",
     [](void* from, void* to, std::uint64_t count, HcclComm comm, aclrtStream stream) {
       return HcclAllGatherV(from, count, to, &count, &kNone, kType, comm, stream);
     }},
    {"ReduceScatterV",
     [](void* from, void* to, std::uint64_t count, HcclComm comm, aclrtStream stream) {
       return HcclReduceScatterV(from, &count, &kNone, to, count, kType, HCCL_REDUCE_MIN, comm, stream);
     }},
    {"AlltoAll", [](void* from, void* to, std::uint64_t count, HcclComm comm,
                    aclrtStream stream) { return HcclAlltoAll(from, count, kType, to, count, kType, comm, stream); }},
    {"AlltoAllV",
     [](void* from, void* to, std::uint64_t count, HcclComm comm, aclrtStream stream) {
       return HcclAlltoAllV(from, &count, &kNone, kType, to, &count, &kNone, kType, comm, stream);
     }},
    {"AlltoAllVC", [](void* from, void* to, std::uint64_t count, HcclComm comm,
                      aclrtStream stream) { return HcclAlltoAllVC(from, &count, kType, to, kType, comm, stream); }},
};

struct EachMovement : Collective, testing::WithParamInterface<Movement> {
  HcclResult call(std::uint64_t count = kCount) { return GetParam().call(from, to, count, comm, s); }
};

TEST_P(EachMovement, GivesTheRankWhatItSends) {
  ASSERT_EQ(call(), HCCL_SUCCESS) << aclGetRecentErrMsg();
  sync(s);
  EXPECT_EQ(numbers(to, kCount), sent);
}

TEST_P(EachMovement, IsInTheOrderOfTheStream) {
  ASSERT_EQ(aclrtMemsetAsync(from, kCount * 4, 3, kCount * 4, s), 0);
  ASSERT_EQ(call(), HCCL_SUCCESS);
  ASSERT_EQ(aclrtMemsetAsync(from, kCount * 4, 5, kCount * 4, s), 0) << "the send buffer is free again";
  sync(s);
  EXPECT_EQ(numbers(to, kCount), Numbers(kCount, 0x03030303));
}

TEST_P(EachMovement, IsCapturedAndReplayed) {
  aclmdlRI model = capture([&] { ASSERT_EQ(call(), HCCL_SUCCESS) << aclGetRecentErrMsg(); });
  EXPECT_EQ(numbers(to, kCount), Numbers(kCount)) << "a capture moves nothing";
  run(model, s);
  EXPECT_EQ(numbers(to, kCount), sent);
  ASSERT_EQ(aclrtMemset(from, kCount * 4, 9, kCount * 4), 0);
  run(model, s);
  EXPECT_EQ(numbers(to, kCount), Numbers(kCount, 0x09090909));
}

TEST_P(EachMovement, OfNothingMovesNothing) {
  EXPECT_EQ(call(0), HCCL_SUCCESS);
  sync(s);
  EXPECT_EQ(numbers(to, kCount), Numbers(kCount));
}

TEST_P(EachMovement, RefusesNullAndWrongHandles) {
  EXPECT_EQ(GetParam().call(from, to, kCount, nullptr, s), HCCL_E_PTR);
  EXPECT_EQ(GetParam().call(from, to, kCount, comm, nullptr), HCCL_E_PTR) << "NULL is not the default stream here";
  EXPECT_EQ(GetParam().call(nullptr, to, kCount, comm, s), HCCL_E_PTR);
  EXPECT_EQ(GetParam().call(from, nullptr, kCount, comm, s), HCCL_E_PTR);
  EXPECT_EQ(GetParam().call(from, to, kCount, s, s), HCCL_E_PARA) << "a stream is no communicator";
  EXPECT_EQ(GetParam().call(from, to, kCount, comm, comm), HCCL_E_PARA) << "a communicator is no stream";
  EXPECT_EQ(GetParam().call(from, to, 0x800000000, comm, s), HCCL_E_PARA);
}

TEST_P(EachMovement, WaitsForTheEndOfItsGroup) {
  ASSERT_EQ(HcclGroupStart(), HCCL_SUCCESS);
  ASSERT_EQ(HcclGroupStart(), HCCL_SUCCESS);
  ASSERT_EQ(call(), HCCL_SUCCESS);
  ASSERT_EQ(HcclGroupEnd(), HCCL_SUCCESS);
  sync(s);
  EXPECT_EQ(numbers(to, kCount), Numbers(kCount)) << "the outer group is open";
  ASSERT_EQ(HcclGroupEnd(), HCCL_SUCCESS);
  sync(s);
  EXPECT_EQ(numbers(to, kCount), sent);
}

TEST_P(EachMovement, IsRefusedWhileTheCommunicatorIsSuspended) {
  ASSERT_EQ(HcclCommSuspend(comm), HCCL_SUCCESS);
  EXPECT_EQ(call(), HCCL_E_SUSPENDING);
  ASSERT_EQ(HcclCommResume(comm), HCCL_SUCCESS);
  EXPECT_EQ(call(), HCCL_SUCCESS);
  sync(s);
}

INSTANTIATE_TEST_SUITE_P(All, EachMovement, testing::ValuesIn(kMovements),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST_F(Collective, InPlaceNothingMoves) {
  EXPECT_EQ(HcclAllReduce(from, from, kCount, kType, HCCL_REDUCE_SUM, comm, s), HCCL_SUCCESS);
  EXPECT_EQ(HcclAllGather(from, from, kCount, kType, comm, s), HCCL_SUCCESS);
  EXPECT_EQ(HcclBroadcast(from, kCount, kType, 0, comm, s), HCCL_SUCCESS);
  EXPECT_EQ(HcclBarrier(comm, s), HCCL_SUCCESS);
  sync(s);
  EXPECT_EQ(numbers(from, kCount), sent);
  EXPECT_EQ(HcclAlltoAll(from, kCount, kType, from, kCount, kType, comm, s), HCCL_E_PARA) << "the board refuses it";
}

TEST_F(Collective, DisplacementsAreInElements) {
  const std::uint64_t counts[] = {5}, sends[] = {10}, receives[] = {100};
  ASSERT_EQ(HcclAlltoAllV(from, counts, sends, kType, to, counts, receives, kType, comm, s), HCCL_SUCCESS);
  sync(s);
  Numbers want(kCount);
  for (int i = 0; i < 5; ++i) want[100 + i] = sent[10 + i];
  EXPECT_EQ(numbers(to, kCount), want);
}

TEST_F(Collective, SidesThatDifferAreRefused) {
  const std::uint64_t five[] = {5}, six[] = {6};
  EXPECT_EQ(HcclAlltoAll(from, 5, kType, to, 6, kType, comm, s), HCCL_E_PARA);
  EXPECT_EQ(HcclAlltoAll(from, 5, kType, to, 5, HCCL_DATA_TYPE_FP32, comm, s), HCCL_E_PARA);
  EXPECT_EQ(HcclAlltoAllV(from, five, &kNone, kType, to, six, &kNone, kType, comm, s), HCCL_E_PARA);
  EXPECT_EQ(HcclAllGatherV(from, 5, to, six, &kNone, kType, comm, s), HCCL_E_PARA);
  EXPECT_EQ(HcclAlltoAllV(from, nullptr, &kNone, kType, to, five, &kNone, kType, comm, s), HCCL_E_PTR);
}

TEST_F(Collective, RootsAreRanks) {
  EXPECT_EQ(HcclBroadcast(from, kCount, kType, 1, comm, s), HCCL_E_PARA);
  EXPECT_EQ(HcclReduce(from, to, kCount, kType, HCCL_REDUCE_SUM, 1, comm, s), HCCL_E_PARA);
  EXPECT_EQ(HcclScatter(from, to, kCount, kType, 7, comm, s), HCCL_E_PARA);
}

TEST_F(Collective, EachTypeMovesItsBytes) {
  const std::pair<int, std::size_t> sizes[] = {
      {HCCL_DATA_TYPE_INT8, 1},  {HCCL_DATA_TYPE_FP16, 2}, {HCCL_DATA_TYPE_UINT16, 2}, {HCCL_DATA_TYPE_FP32, 4},
      {HCCL_DATA_TYPE_INT64, 8}, {HCCL_DATA_TYPE_FP64, 8}, {HCCL_DATA_TYPE_BFP16, 2},  {HCCL_DATA_TYPE_FP8E5M2, 1}};
  for (const auto& [type, size] : sizes) {
    ASSERT_EQ(aclrtMemset(to, kCount * 4, 0, kCount * 4), 0);
    ASSERT_EQ(HcclAllGather(from, to, 16, static_cast<HcclDataType>(type), comm, s), HCCL_SUCCESS) << type;
    sync(s);
    Numbers want(kCount);
    std::copy_n(sent.begin(), 4 * size, want.begin());
    EXPECT_EQ(numbers(to, kCount), want) << type;
  }
  for (const int type : {12, 13, 18, 255, -1}) {
    EXPECT_EQ(HcclAllGather(from, to, 16, static_cast<HcclDataType>(type), comm, s), HCCL_E_NOT_SUPPORT) << type;
  }
}

TEST_F(Collective, UnknownReductionsAreRefused) {
  EXPECT_EQ(all_reduce(kType, static_cast<HcclReduceOp>(4)), HCCL_E_NOT_SUPPORT);
  EXPECT_EQ(all_reduce(HCCL_DATA_TYPE_FP8E4M3), HCCL_E_NOT_SUPPORT);
  EXPECT_EQ(HcclReduceScatter(from, to, kCount, kType, HCCL_REDUCE_RESERVED, comm, s), HCCL_E_NOT_SUPPORT);
}

TEST_F(StrictCollective, ReducesWhatTheBoardReduces) {
  EXPECT_EQ(all_reduce(HCCL_DATA_TYPE_INT32, HCCL_REDUCE_PROD), HCCL_SUCCESS);
  EXPECT_EQ(all_reduce(HCCL_DATA_TYPE_INT16, HCCL_REDUCE_SUM), HCCL_SUCCESS);
  EXPECT_EQ(all_reduce(HCCL_DATA_TYPE_INT16, HCCL_REDUCE_PROD), HCCL_E_NOT_SUPPORT);
  EXPECT_EQ(all_reduce(HCCL_DATA_TYPE_UINT8, HCCL_REDUCE_SUM), HCCL_E_NOT_SUPPORT);
  sync(s);
}

TEST_F(Collective, AGroupIsOfOneKind) {
  ASSERT_EQ(HcclGroupStart(), HCCL_SUCCESS);
  bool open = false;
  EXPECT_EQ(HcclGroupStatusGet(&open), HCCL_SUCCESS);
  EXPECT_TRUE(open);
  HcclSendRecvItem items[] = {{HCCL_SEND, from, 8, kType, 0}, {HCCL_RECV, to, 8, kType, 0}};
  EXPECT_EQ(HcclBatchSendRecv(items, 2, comm, s), HCCL_E_NOT_SUPPORT);
  ASSERT_EQ(HcclGroupEnd(), HCCL_SUCCESS);
  EXPECT_EQ(HcclGroupStatusGet(&open), HCCL_SUCCESS);
  EXPECT_FALSE(open);
  EXPECT_EQ(HcclGroupEnd(), HCCL_E_PARA);
}

TEST_F(Collective, OnePeerIsNotEnoughToSendTo) {
  EXPECT_EQ(HcclSend(from, kCount, kType, 0, comm, s), HCCL_E_PARA);
  EXPECT_EQ(HcclRecv(to, kCount, kType, 1, comm, s), HCCL_E_PARA);
  EXPECT_EQ(HcclSend(from, 0, kType, 0, comm, s), HCCL_SUCCESS);
  EXPECT_EQ(HcclRecv(nullptr, kCount, kType, 0, comm, s), HCCL_E_PTR);
}

TEST_F(Collective, ABatchSendsToTheRankItself) {
  auto* source = static_cast<std::int32_t*>(from);
  auto* target = static_cast<std::int32_t*>(to);
  HcclSendRecvItem items[] = {{HCCL_SEND, source, 8, kType, 0},
                              {HCCL_SEND, source + 8, 3, kType, 0},
                              {HCCL_RECV, target + 20, 8, kType, 0},
                              {HCCL_RECV, target, 3, kType, 0}};
  ASSERT_EQ(HcclBatchSendRecv(items, 4, comm, s), HCCL_SUCCESS) << aclGetRecentErrMsg();
  sync(s);
  Numbers want(kCount);
  for (int i = 0; i < 8; ++i) want[20 + i] = sent[i];
  for (int i = 0; i < 3; ++i) want[i] = sent[8 + i];
  EXPECT_EQ(numbers(to, kCount), want);

  EXPECT_EQ(HcclBatchSendRecv(items, 3, comm, s), HCCL_E_PARA) << "one is left over";
  EXPECT_EQ(HcclBatchSendRecv(items, 0, comm, s), HCCL_SUCCESS);
  items[3].count = 4;
  EXPECT_EQ(HcclBatchSendRecv(items, 4, comm, s), HCCL_E_PARA) << "a pair differs";
  items[3] = {HCCL_RECV, target, 3, kType, 1};
  EXPECT_EQ(HcclBatchSendRecv(items, 4, comm, s), HCCL_E_PARA) << "there is no rank 1";
  items[3] = {HCCL_RECV, nullptr, 3, kType, 0};
  EXPECT_EQ(HcclBatchSendRecv(items, 4, comm, s), HCCL_E_PTR);
}

TEST_F(Collective, MemoryThatIsNotThereIsRefused) {
  char outside[64] = {};
  EXPECT_EQ(HcclAllReduce(outside, outside + 32, 8, kType, HCCL_REDUCE_SUM, comm, s), HCCL_E_RUNTIME);
}

TEST_F(Collective, AModelOutlivesItsCommunicator) {
  HcclComm other = nullptr;
  int32_t devices[] = {0};
  ASSERT_EQ(HcclCommInitAll(1, devices, &other), HCCL_SUCCESS);
  aclmdlRI model = capture([&] { ASSERT_EQ(HcclAllGather(from, to, kCount, kType, other, s), HCCL_SUCCESS); });
  ASSERT_EQ(HcclCommDestroy(other), HCCL_SUCCESS);
  run(model, s);
  EXPECT_EQ(numbers(to, kCount), sent);
}

}  // namespace
}  // namespace aclvk::test
