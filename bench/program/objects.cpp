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

Tensor::Tensor(const Shape& shape, float word, aclDataType type) : shape_(shape), type_(type) {
  std::size_t elements = 1;
  for (const std::int64_t size : shape) elements *= static_cast<std::size_t>(size);
  const std::size_t bytes = elements * aclDataTypeSize(type);
  std::uint32_t bits = 0;
  std::memcpy(&bits, &word, sizeof(bits));
  ACL_CHECK(aclrtMalloc(&memory_, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
  // Unwritten pages may all be one shared zero page of the system, as in raw::Buffer.
  const std::vector<std::uint32_t> words((bytes + sizeof(bits) - 1) / sizeof(bits), bits);
  ACL_CHECK(aclrtMemcpy(memory_, bytes, words.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE));
  Shape strides(shape.size(), 1);
  for (std::size_t i = shape.size(); i-- > 1;) strides[i - 1] = strides[i] * shape[i];
  tensor_ = aclCreateTensor(shape.data(), shape.size(), type, strides.data(), 0, ACL_FORMAT_ND, shape.data(),
                            shape.size(), memory_);
}

Tensor::~Tensor() {
  aclDestroyTensor(tensor_);
  aclrtFree(memory_);
}

Transposed::Transposed(const Tensor& matrix) {
  const Tensor::Shape& stored = matrix.shape();
  const Tensor::Shape shape{stored[1], stored[0]};
  const Tensor::Shape strides{1, stored[1]};
  tensor_ = aclCreateTensor(shape.data(), shape.size(), matrix.type(), strides.data(), 0, ACL_FORMAT_ND, stored.data(),
                            stored.size(), matrix.memory());
}

Transposed::~Transposed() { aclDestroyTensor(tensor_); }

Scalar::Scalar(float value) : scalar_(aclCreateScalar(&value, ACL_FLOAT)) {}

Scalar::~Scalar() { aclDestroyScalar(scalar_); }

Model::~Model() {
  if (model_) aclmdlRIDestroy(model_);
}

void Model::run(aclrtStream stream) const { ACL_CHECK(aclmdlRIExecuteAsync(model_, stream)); }

Operator::Operator(const Plan& plan, Run run, std::size_t times) {
  std::uint64_t bytes = 0;
  aclOpExecutor* executor = nullptr;
  ACL_CHECK(plan(&bytes, &executor));
  if (bytes > 0) ACL_CHECK(aclrtMalloc(&workspace_, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
  aclmdlRI model = nullptr;
  ACL_CHECK(aclmdlRICaptureBegin(stream_, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
  ACL_CHECK(run(workspace_, bytes, executor, stream_));
  for (std::size_t i = 1; i < times; ++i) {
    ACL_CHECK(plan(&bytes, &executor));
    ACL_CHECK(run(workspace_, bytes, executor, stream_));
  }
  ACL_CHECK(aclmdlRICaptureEnd(stream_, &model));
  model_.emplace(model);
}

Operator::~Operator() {
  if (workspace_) aclrtFree(workspace_);
}

}  // namespace acl
