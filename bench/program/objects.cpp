#include "program/objects.hpp"

#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

namespace acl {

void check(int code, const char* call) {
  if (code == 0) return;
  const char* sentence = aclGetRecentErrMsg();
  throw std::runtime_error(std::string(call) + " answers " + std::to_string(code) + ". " + (sentence ? sentence : ""));
}

Session::Session() {
  ACL_CHECK(aclInit(nullptr));
  ACL_CHECK(aclrtSetDevice(0));
  ACL_CHECK(aclvkGetDeviceInfo(0, &device_));
}

Session::~Session() {
  aclrtResetDeviceForce(0);
  aclFinalize();
}

std::uint64_t Session::submissions() const {
  aclvkStatistics statistics;
  ACL_CHECK(aclvkGetStatistics(0, &statistics));
  return statistics.submissions;
}

Stream::Stream() { ACL_CHECK(aclrtCreateStream(&stream_)); }

Stream::~Stream() { aclrtDestroyStream(stream_); }

void Stream::wait() const { ACL_CHECK(aclrtSynchronizeStream(stream_)); }

Tensor::Tensor(std::size_t elements, float word, aclDataType type) {
  const auto size = static_cast<std::int64_t>(elements);
  const std::int64_t stride = 1;
  const std::size_t bytes = elements * aclDataTypeSize(type);
  std::uint32_t bits = 0;
  std::memcpy(&bits, &word, sizeof(bits));
  ACL_CHECK(aclrtMalloc(&memory_, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
  const std::vector<std::uint32_t> words(bytes / sizeof(bits), bits);
  ACL_CHECK(aclrtMemcpy(memory_, bytes, words.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE));
  tensor_ = aclCreateTensor(&size, 1, type, &stride, 0, ACL_FORMAT_ND, &size, 1, memory_);
}

Tensor::~Tensor() {
  aclDestroyTensor(tensor_);
  aclrtFree(memory_);
}

Scalar::Scalar(float value) : scalar_(aclCreateScalar(&value, ACL_FLOAT)) {}

Scalar::~Scalar() { aclDestroyScalar(scalar_); }

Model::~Model() {
  if (model_) aclmdlRIDestroy(model_);
}

void Model::run(aclrtStream stream) const { ACL_CHECK(aclmdlRIExecuteAsync(model_, stream)); }

}  // namespace acl
