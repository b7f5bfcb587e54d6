// Items, datasets and the channels that carry them.
#include <chrono>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "acl/acl_tdt.h"
#include "support/acl_fixture.hpp"

namespace aclvk::test {
namespace {

using TensorItem = Plain;
using ItemSet = Plain;
using Channel = Plain;

constexpr aclError kRefused = ACL_ERROR_INVALID_PARAM;

acltdtDataItem* new_item(void* data, int64_t bytes) {
  const int64_t dims[] = {bytes};
  return acltdtCreateDataItem(ACL_TENSOR_DATA_TENSOR, dims, 1, ACL_UINT8, data, static_cast<size_t>(bytes));
}

/// Sends one item with these bytes.
aclError send(acltdtChannelHandle* channel, const std::string& text, int32_t timeout) {
  std::string data = text;
  acltdtDataItem* item = new_item(data.data(), static_cast<int64_t>(data.size()));
  acltdtDataset* set = acltdtCreateDataset();
  EXPECT_EQ(acltdtAddDataItem(set, item), 0);
  const aclError result = acltdtSendTensor(channel, set, timeout);
  EXPECT_EQ(acltdtDestroyDataset(set), 0);
  EXPECT_EQ(acltdtDestroyDataItem(item), 0);
  return result;
}

std::string text_of(const acltdtDataItem* item) {
  return {static_cast<char*>(acltdtGetDataAddrFromItem(item)), acltdtGetDataSizeFromItem(item)};
}

/// Receives one item.
std::string receive(acltdtChannelHandle* channel, int32_t timeout) {
  acltdtDataset* set = acltdtCreateDataset();
  EXPECT_EQ(acltdtReceiveTensor(channel, set, timeout), 0);
  std::string text = text_of(acltdtGetDataItem(set, 0));
  EXPECT_EQ(acltdtDestroyDataset(set), 0);
  return text;
}

size_t size_of(acltdtChannelHandle* channel) {
  size_t size = 99;
  EXPECT_EQ(acltdtQueryChannelSize(channel, &size), 0);
  return size;
}

TEST_F(TensorItem, TellsWhatItWasMadeOf) {
  float data[6] = {};
  const int64_t dims[] = {2, 3};
  acltdtDataItem* item = acltdtCreateDataItem(ACL_TENSOR_DATA_TENSOR, dims, 2, ACL_FLOAT, data, sizeof(data));
  ASSERT_NE(item, nullptr);
  EXPECT_EQ(acltdtGetTensorTypeFromItem(item), ACL_TENSOR_DATA_TENSOR);
  EXPECT_EQ(acltdtGetDataTypeFromItem(item), ACL_FLOAT);
  EXPECT_EQ(acltdtGetDataAddrFromItem(item), data);
  EXPECT_EQ(acltdtGetDataSizeFromItem(item), sizeof(data));
  EXPECT_EQ(acltdtGetDimNumFromItem(item), 2U);
  int64_t read[3] = {-1, -1, -1};
  EXPECT_EQ(acltdtGetDimsFromItem(item, read, 3), 0);
  EXPECT_EQ(read[0], 2);
  EXPECT_EQ(read[1], 3);
  EXPECT_EQ(read[2], -1);
  size_t slices = 0;
  size_t slice = 9;
  EXPECT_EQ(acltdtGetSliceInfoFromItem(item, &slices, &slice), 0);
  EXPECT_EQ(slices, 1U);
  EXPECT_EQ(slice, 0U);
  EXPECT_EQ(acltdtDestroyDataItem(item), 0);
  EXPECT_EQ(acltdtDestroyDataItem(item), kRefused);
}

TEST_F(TensorItem, MayBeAScalarOrAMarkWithoutData) {
  acltdtDataItem* mark =
      acltdtCreateDataItem(ACL_TENSOR_DATA_END_OF_SEQUENCE, nullptr, 0, ACL_DT_UNDEFINED, nullptr, 0);
  ASSERT_NE(mark, nullptr);
  EXPECT_EQ(acltdtGetTensorTypeFromItem(mark), ACL_TENSOR_DATA_END_OF_SEQUENCE);
  EXPECT_EQ(acltdtGetDimNumFromItem(mark), 0U);
  EXPECT_EQ(acltdtGetDimsFromItem(mark, nullptr, 0), 0);
  EXPECT_EQ(acltdtDestroyDataItem(mark), 0);
}

TEST_F(TensorItem, IsNotMadeOfNonsense) {
  char byte = 0;
  const int64_t dims[129] = {};
  EXPECT_EQ(acltdtCreateDataItem(ACL_TENSOR_DATA_UNDEFINED, dims, 1, ACL_UINT8, &byte, 1), nullptr);
  EXPECT_EQ(acltdtCreateDataItem(static_cast<acltdtTensorType>(5), dims, 1, ACL_UINT8, &byte, 1), nullptr);
  EXPECT_EQ(acltdtCreateDataItem(ACL_TENSOR_DATA_TENSOR, nullptr, 1, ACL_UINT8, &byte, 1), nullptr);
  EXPECT_EQ(acltdtCreateDataItem(ACL_TENSOR_DATA_TENSOR, dims, 129, ACL_UINT8, &byte, 1), nullptr);
  EXPECT_EQ(acltdtCreateDataItem(ACL_TENSOR_DATA_TENSOR, dims, 1, ACL_UINT8, nullptr, 1), nullptr);
  EXPECT_NE(aclGetRecentErrMsg(), nullptr) << "and it is told why";
}

TEST_F(TensorItem, QuestionsToNULLHaveAnswers) {
  EXPECT_EQ(acltdtGetTensorTypeFromItem(nullptr), ACL_TENSOR_DATA_UNDEFINED);
  EXPECT_EQ(acltdtGetDataTypeFromItem(nullptr), ACL_DT_UNDEFINED);
  EXPECT_EQ(acltdtGetDataAddrFromItem(nullptr), nullptr);
  EXPECT_EQ(acltdtGetDataSizeFromItem(nullptr), 0U);
  EXPECT_EQ(acltdtGetDimNumFromItem(nullptr), 0U);
  int64_t dim = 0;
  size_t number = 0;
  EXPECT_EQ(acltdtGetDimsFromItem(nullptr, &dim, 1), kRefused);
  EXPECT_EQ(acltdtGetSliceInfoFromItem(nullptr, &number, &number), kRefused);
  EXPECT_EQ(acltdtDestroyDataItem(nullptr), kRefused);
}

TEST_F(TensorItem, AnswersNeedRoom) {
  char byte = 0;
  acltdtDataItem* item = new_item(&byte, 1);
  int64_t dim = 0;
  size_t number = 0;
  EXPECT_EQ(acltdtGetDimsFromItem(item, nullptr, 1), kRefused);
  EXPECT_EQ(acltdtGetDimsFromItem(item, &dim, 0), kRefused);
  EXPECT_EQ(acltdtGetSliceInfoFromItem(item, nullptr, &number), kRefused);
  EXPECT_EQ(acltdtGetSliceInfoFromItem(item, &number, nullptr), kRefused);
  EXPECT_EQ(acltdtDestroyDataItem(item), 0);
}

TEST_F(ItemSet, KeepsTheOrderAndNotTheItems) {
  char bytes[2] = {};
  acltdtDataItem* a = new_item(bytes, 1);
  acltdtDataItem* b = new_item(bytes, 2);
  acltdtDataset* set = acltdtCreateDataset();
  ASSERT_NE(set, nullptr);
  EXPECT_EQ(acltdtGetDatasetSize(set), 0U);
  EXPECT_STREQ(acltdtGetDatasetName(set), "");
  EXPECT_EQ(acltdtAddDataItem(set, a), 0);
  EXPECT_EQ(acltdtAddDataItem(set, b), 0);
  EXPECT_EQ(acltdtGetDatasetSize(set), 2U);
  EXPECT_EQ(acltdtGetDataItem(set, 0), a);
  EXPECT_EQ(acltdtGetDataItem(set, 1), b);
  EXPECT_EQ(acltdtGetDataItem(set, 2), nullptr);
  EXPECT_EQ(acltdtDestroyDataset(set), 0);
  EXPECT_EQ(acltdtDestroyDataset(set), kRefused);
  EXPECT_EQ(acltdtDestroyDataItem(a), 0) << "items outlive the set";
  EXPECT_EQ(acltdtDestroyDataItem(b), 0);
}

TEST_F(ItemSet, ChecksItsArguments) {
  char byte = 0;
  acltdtDataItem* item = new_item(&byte, 1);
  acltdtDataset* set = acltdtCreateDataset();
  EXPECT_EQ(acltdtAddDataItem(nullptr, item), kRefused);
  EXPECT_EQ(acltdtAddDataItem(set, nullptr), kRefused);
  EXPECT_EQ(acltdtAddDataItem(set, reinterpret_cast<acltdtDataItem*>(set)), kRefused);
  EXPECT_EQ(acltdtGetDatasetSize(nullptr), 0U);
  EXPECT_EQ(acltdtGetDatasetName(nullptr), nullptr);
  EXPECT_EQ(acltdtGetDataItem(nullptr, 0), nullptr);
  EXPECT_EQ(acltdtDestroyDataset(nullptr), kRefused);
  EXPECT_EQ(acltdtDestroyDataset(set), 0);
  EXPECT_EQ(acltdtDestroyDataItem(item), 0);
}

TEST_F(Channel, NeedsADeviceANameAndACapacity) {
  EXPECT_EQ(acltdtCreateChannel(0, nullptr), nullptr);
  EXPECT_EQ(acltdtCreateChannel(0, ""), nullptr);
  EXPECT_EQ(acltdtCreateChannel(0, std::string(128, 'x').c_str()), nullptr);
  EXPECT_EQ(acltdtCreateChannel(1000, "x"), nullptr);
  EXPECT_EQ(acltdtCreateChannelWithCapacity(0, nullptr, 2), nullptr);
  EXPECT_EQ(acltdtCreateChannelWithCapacity(0, "x", 0), nullptr);
  acltdtChannelHandle* channel = acltdtCreateChannel(0, "x");
  ASSERT_NE(channel, nullptr);
  EXPECT_EQ(acltdtDestroyChannel(channel), 0);
  EXPECT_EQ(acltdtDestroyChannel(channel), kRefused);
}

TEST_F(Channel, CarriesSetsInTheirOrder) {
  acltdtChannelHandle* channel = acltdtCreateChannel(0, "order");
  EXPECT_EQ(size_of(channel), 0U);
  EXPECT_EQ(send(channel, "first", 0), 0);
  EXPECT_EQ(send(channel, "second", 0), 0);
  EXPECT_EQ(size_of(channel), 2U);
  EXPECT_EQ(receive(channel, 0), "first");
  EXPECT_EQ(receive(channel, 0), "second");
  EXPECT_EQ(size_of(channel), 0U);
  EXPECT_EQ(acltdtDestroyChannel(channel), 0);
}

TEST_F(Channel, CarriesEverythingAboutEveryItem) {
  acltdtChannelHandle* channel = acltdtCreateChannel(0, "everything");
  int16_t data[6] = {1, 2, 3, 4, 5, 6};
  const int64_t dims[] = {3, 2};
  acltdtDataItem* tensor = acltdtCreateDataItem(ACL_TENSOR_DATA_TENSOR, dims, 2, ACL_INT16, data, sizeof(data));
  acltdtDataItem* end = acltdtCreateDataItem(ACL_TENSOR_DATA_END_OF_SEQUENCE, nullptr, 0, ACL_DT_UNDEFINED, nullptr, 0);
  acltdtDataset* set = acltdtCreateDataset();
  ASSERT_EQ(acltdtAddDataItem(set, tensor), 0);
  ASSERT_EQ(acltdtAddDataItem(set, end), 0);
  ASSERT_EQ(acltdtSendTensor(channel, set, 0), 0);
  std::memset(data, 0, sizeof(data));

  acltdtDataset* received = acltdtCreateDataset();
  ASSERT_EQ(acltdtReceiveTensor(channel, received, 0), 0);
  ASSERT_EQ(acltdtGetDatasetSize(received), 2U);
  EXPECT_STREQ(acltdtGetDatasetName(received), "everything");
  const acltdtDataItem* item = acltdtGetDataItem(received, 0);
  EXPECT_EQ(acltdtGetTensorTypeFromItem(item), ACL_TENSOR_DATA_TENSOR);
  EXPECT_EQ(acltdtGetDataTypeFromItem(item), ACL_INT16);
  int64_t read[2] = {};
  EXPECT_EQ(acltdtGetDimsFromItem(item, read, 2), 0);
  EXPECT_EQ(read[0], 3);
  EXPECT_EQ(read[1], 2);
  ASSERT_EQ(acltdtGetDataSizeFromItem(item), sizeof(data));
  EXPECT_EQ(static_cast<int16_t*>(acltdtGetDataAddrFromItem(item))[5], 6) << "the bytes of the time of the send";
  EXPECT_EQ(acltdtGetTensorTypeFromItem(acltdtGetDataItem(received, 1)), ACL_TENSOR_DATA_END_OF_SEQUENCE);

  EXPECT_EQ(acltdtDestroyDataset(received), 0);
  EXPECT_EQ(acltdtGetDataSizeFromItem(item), 0U) << "gone with the set that it came in";
  EXPECT_EQ(acltdtGetDataSizeFromItem(tensor), sizeof(data)) << "not those of the sender";
}

TEST_F(Channel, FillsASetAgain) {
  acltdtChannelHandle* channel = acltdtCreateChannel(0, "again");
  ASSERT_EQ(send(channel, "one", 0), 0);
  ASSERT_EQ(send(channel, "two", 0), 0);
  acltdtDataset* set = acltdtCreateDataset();
  ASSERT_EQ(acltdtReceiveTensor(channel, set, 0), 0);
  ASSERT_EQ(acltdtReceiveTensor(channel, set, 0), 0);
  EXPECT_EQ(acltdtGetDatasetSize(set), 1U);
  EXPECT_EQ(text_of(acltdtGetDataItem(set, 0)), "two");
  char byte = 0;
  EXPECT_EQ(acltdtAddDataItem(set, new_item(&byte, 1)), kRefused) << "what it holds is the channel's";
}

TEST_F(Channel, DoesNotOverwriteItemsOfTheProgram) {
  acltdtChannelHandle* channel = acltdtCreateChannel(0, "own");
  ASSERT_EQ(send(channel, "x", 0), 0);
  char byte = 0;
  acltdtDataset* set = acltdtCreateDataset();
  ASSERT_EQ(acltdtAddDataItem(set, new_item(&byte, 1)), 0);
  EXPECT_EQ(acltdtReceiveTensor(channel, set, 0), kRefused);
  EXPECT_EQ(size_of(channel), 1U);
}

TEST_F(Channel, SendsWhatItReceived) {
  acltdtChannelHandle* channel = acltdtCreateChannel(0, "relay");
  ASSERT_EQ(send(channel, "baton", 0), 0);
  acltdtDataset* set = acltdtCreateDataset();
  ASSERT_EQ(acltdtReceiveTensor(channel, set, 0), 0);
  EXPECT_EQ(acltdtSendTensor(channel, set, 0), 0);
  EXPECT_EQ(acltdtDestroyDataset(set), 0);
  EXPECT_EQ(receive(channel, 0), "baton");
}

TEST_F(Channel, IsFullAndEmpty) {
  acltdtChannelHandle* channel = acltdtCreateChannelWithCapacity(0, "narrow", 2);
  acltdtDataset* set = acltdtCreateDataset();
  EXPECT_EQ(acltdtReceiveTensor(channel, set, 0), ACL_ERROR_RT_QUEUE_EMPTY);
  EXPECT_EQ(acltdtReceiveTensor(channel, set, 5), ACL_ERROR_RT_QUEUE_EMPTY);
  EXPECT_EQ(send(channel, "a", 0), 0);
  EXPECT_EQ(send(channel, "b", 0), 0);
  EXPECT_EQ(send(channel, "c", 0), ACL_ERROR_RT_QUEUE_FULL);
  EXPECT_EQ(send(channel, "c", 5), ACL_ERROR_RT_QUEUE_FULL);
  EXPECT_EQ(receive(channel, 0), "a");
  EXPECT_EQ(send(channel, "c", 0), 0);
}

TEST_F(Channel, ChecksItsArguments) {
  acltdtChannelHandle* channel = acltdtCreateChannel(0, "checks");
  acltdtDataset* empty = acltdtCreateDataset();
  size_t size = 0;
  EXPECT_EQ(acltdtSendTensor(nullptr, empty, 0), kRefused);
  EXPECT_EQ(acltdtSendTensor(channel, nullptr, 0), kRefused);
  EXPECT_EQ(acltdtSendTensor(channel, empty, 0), kRefused) << "nothing to send";
  EXPECT_EQ(send(channel, "x", -2), kRefused);
  EXPECT_EQ(acltdtReceiveTensor(nullptr, empty, 0), kRefused);
  EXPECT_EQ(acltdtReceiveTensor(channel, nullptr, 0), kRefused);
  EXPECT_EQ(acltdtReceiveTensor(channel, empty, -2), kRefused);
  EXPECT_EQ(acltdtStopChannel(nullptr), kRefused);
  EXPECT_EQ(acltdtCleanChannel(nullptr), kRefused);
  EXPECT_EQ(acltdtDestroyChannel(nullptr), kRefused);
  EXPECT_EQ(acltdtQueryChannelSize(nullptr, &size), kRefused);
  EXPECT_EQ(acltdtQueryChannelSize(channel, nullptr), kRefused);
}

TEST_F(Channel, RefusesItemsThatAreGoneOrPointNowhere) {
  acltdtChannelHandle* channel = acltdtCreateChannel(0, "gone");
  char byte = 0;
  acltdtDataItem* item = new_item(&byte, 1);
  acltdtDataset* set = acltdtCreateDataset();
  ASSERT_EQ(acltdtAddDataItem(set, item), 0);
  ASSERT_EQ(acltdtDestroyDataItem(item), 0);
  EXPECT_EQ(acltdtSendTensor(channel, set, 0), kRefused);
  acltdtDataset* other = acltdtCreateDataset();
  ASSERT_EQ(acltdtAddDataItem(other, new_item(reinterpret_cast<void*>(uintptr_t{0x10}), 8)), 0);
  EXPECT_EQ(acltdtSendTensor(channel, other, 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(size_of(channel), 0U);
}

TEST_F(Channel, OfOneDeviceAndNameIsOne) {
  acltdtChannelHandle* in = acltdtCreateChannelWithCapacity(0, "pipe", 3);
  acltdtChannelHandle* out = acltdtCreateChannel(0, "pipe");
  acltdtChannelHandle* other = acltdtCreateChannel(0, "other");
  ASSERT_NE(out, nullptr);
  EXPECT_EQ(acltdtCreateChannelWithCapacity(0, "pipe", 4), nullptr) << "it has another capacity";
  EXPECT_EQ(send(in, "through", 0), 0);
  EXPECT_EQ(size_of(other), 0U);
  EXPECT_EQ(acltdtDestroyChannel(in), 0);
  EXPECT_EQ(receive(out, 0), "through") << "it lives as long as a handle";
  EXPECT_EQ(acltdtDestroyChannel(out), 0);
  acltdtChannelHandle* fresh = acltdtCreateChannelWithCapacity(0, "pipe", 4);
  EXPECT_NE(fresh, nullptr);
}

TEST_F(Channel, CanBeCleaned) {
  acltdtChannelHandle* channel = acltdtCreateChannelWithCapacity(0, "clean", 1);
  ASSERT_EQ(send(channel, "old", 0), 0);
  EXPECT_EQ(acltdtCleanChannel(channel), 0);
  EXPECT_EQ(size_of(channel), 0U);
  EXPECT_EQ(send(channel, "new", 0), 0);
  EXPECT_EQ(receive(channel, 0), "new");
}

TEST_F(Channel, MakesTheReceiverWait) {
  acltdtChannelHandle* channel = acltdtCreateChannel(0, "late");
  std::thread sender([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_EQ(send(channel, "here", -1), 0);
  });
  EXPECT_EQ(receive(channel, -1), "here");
  sender.join();
}

TEST_F(Channel, MakesTheSenderWait) {
  acltdtChannelHandle* channel = acltdtCreateChannelWithCapacity(0, "slow", 1);
  std::thread receiver([&] {
    for (int i = 0; i < 50; ++i) EXPECT_EQ(receive(channel, -1), std::to_string(i));
  });
  for (int i = 0; i < 50; ++i) EXPECT_EQ(send(channel, std::to_string(i), -1), 0);
  receiver.join();
}

TEST_F(Channel, WhenStoppedTakesNothingAndGivesWhatIsLeft) {
  acltdtChannelHandle* channel = acltdtCreateChannel(0, "stop");
  ASSERT_EQ(send(channel, "left", 0), 0);
  EXPECT_EQ(acltdtStopChannel(channel), 0);
  EXPECT_EQ(acltdtStopChannel(channel), 0);
  EXPECT_EQ(send(channel, "late", 0), ACL_ERROR_FAILURE);
  EXPECT_EQ(receive(channel, -1), "left");
  acltdtDataset* set = acltdtCreateDataset();
  EXPECT_EQ(acltdtReceiveTensor(channel, set, -1), ACL_ERROR_RT_END_OF_SEQUENCE);
  EXPECT_EQ(acltdtGetDatasetSize(set), 0U);
}

TEST_F(Channel, WakesWhoWaitsWhenItIsStoppedOrDestroyed) {
  acltdtChannelHandle* channel = acltdtCreateChannel(0, "wake");
  std::thread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_EQ(acltdtStopChannel(channel), 0);
  });
  acltdtDataset* set = acltdtCreateDataset();
  EXPECT_EQ(acltdtReceiveTensor(channel, set, -1), ACL_ERROR_RT_END_OF_SEQUENCE);
  stopper.join();

  acltdtChannelHandle* full = acltdtCreateChannelWithCapacity(0, "full", 1);
  ASSERT_EQ(send(full, "1", 0), 0);
  std::thread destroyer([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_EQ(acltdtDestroyChannel(full), 0);
  });
  EXPECT_EQ(send(full, "2", -1), ACL_ERROR_FAILURE);
  destroyer.join();
}

using ChannelOfADevice = OneStream;

TEST_F(ChannelOfADevice, SendsDeviceMemory) {
  acltdtChannelHandle* channel = acltdtCreateChannel(0, "device");
  void* memory = nullptr;
  ASSERT_EQ(aclrtMalloc(&memory, 16, ACL_MEM_MALLOC_HUGE_FIRST), 0);
  ASSERT_EQ(aclrtMemset(memory, 16, 'v', 16), 0);
  acltdtDataset* set = acltdtCreateDataset();
  ASSERT_EQ(acltdtAddDataItem(set, new_item(memory, 16)), 0);
  ASSERT_EQ(acltdtSendTensor(channel, set, 0), 0);
  EXPECT_EQ(aclrtFree(memory), 0);
  EXPECT_EQ(receive(channel, 0), std::string(16, 'v'));
}

}  // namespace
}  // namespace aclvk::test
