#include "ops/dump/exception_info.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <system_error>

#include "base/error.hpp"
#include "ops/dump/tensor_values.hpp"
#include "runtime/dump/dump_target.hpp"
#include "runtime/json_text.hpp"
#include "runtime/memory/copy.hpp"

namespace aclvk::ops {
namespace {

using runtime::json_array;
using runtime::JsonObject;

const void* data_of(const ExceptionTensor& tensor) {
  if (tensor.address_kind != ExceptionTensor::AddressKind::kIndirect) return tensor.address;
  const void* data = nullptr;
  runtime::copy_now(&data, tensor.address, sizeof(data));
  return data;
}

std::vector<std::byte> read(const ExceptionTensor& tensor) {
  std::vector<std::byte> bytes(tensor.bytes);
  if (tensor.address_kind == ExceptionTensor::AddressKind::kImmediate) {
    check(tensor.bytes <= sizeof(tensor.address), Code::kInvalidParam, "{} bytes do not fit into an address.",
          tensor.bytes);
    std::memcpy(bytes.data(), &tensor.address, bytes.size());
  } else {
    runtime::copy_now(bytes.data(), data_of(tensor), bytes.size());
  }
  return bytes;
}

/// Returns whether the data has the size of the shape; otherwise it is dumped as a vector of bytes.
bool fits(const ExceptionTensor& tensor) {
  if (tensor.shape.size() > kMaxRank || !npy_type(tensor.dtype).descr) return false;
  std::uint64_t bytes = size_of(tensor.dtype);
  for (const std::uint64_t size : tensor.shape) {
    // Stops before the product overflows.
    if (size != 0 && bytes > tensor.bytes / size) return false;
    bytes *= size;
  }
  return bytes == tensor.bytes;
}

std::string header_of(const ExceptionTensor& tensor) {
  if (!fits(tensor)) return npy_header({"|u1", nullptr}, Shape{static_cast<std::int64_t>(tensor.bytes)});
  Shape shape(tensor.shape.size());
  std::copy(tensor.shape.begin(), tensor.shape.end(), shape.begin());
  return npy_header(npy_type(tensor.dtype), shape);
}

JsonObject describe(const ExceptionTensor& tensor) {
  JsonObject all;
  all.add("role", tensor.role)
      .add("dtype", name_of(tensor.dtype))
      .add("format", tensor.format)
      .add_json("shape", json_array(tensor.shape))
      .add_json("origin_shape", json_array(tensor.origin_shape))
      .add("bytes", tensor.bytes)
      .add("address", fmt::format("{}", tensor.address))
      .add("placement", tensor.on_host ? "host" : "device")
      .add("arguments_offset", tensor.arguments_offset);
  return all;
}

/// Writes the data to a file and adds the file's name to the entry. Returns the error of a failed write.
std::error_code write_data(runtime::DumpTarget& target, const std::string& name, const ExceptionTensor& tensor,
                           JsonObject& entry) {
  std::vector<std::byte> data;
  try {
    data = read(tensor);
  } catch (const std::exception& exception) {
    entry.add("missing", exception.what());
    return {};
  }
  if (const std::error_code error = target.write_file(name, header_of(tensor), data)) {
    entry.add("missing", error.message());
    return error;
  }
  entry.add("file", name);
  if (!fits(tensor)) {
    entry.add("holds", "bytes");
  } else if (const char* is = npy_type(tensor.dtype).is) {
    entry.add("holds", is);
  }
  return {};
}

}  // namespace

// Writes as many files as possible, and fails at the end if one could not be written.
void save_exception_info(const std::string& folder, const std::string& file, const std::string& tag,
                         const std::vector<ExceptionTensor>& tensors) {
  runtime::DumpOptions options;
  options.to_listener = true;
  runtime::DumpTarget target(folder, options);
  std::string failure;
  const auto note = [&](const std::string& name, const std::error_code& error) {
    if (!error || !failure.empty()) return;
    failure = fmt::format("File \"{}/{}\" cannot be written: {}.", folder, name, error.message());
  };
  std::vector<std::string> entries;
  std::map<std::string, int> counts;
  for (const ExceptionTensor& tensor : tensors) {
    JsonObject entry = describe(tensor);
    const std::string name = fmt::format("{}.{}{}.npy", file, tensor.role, counts[tensor.role]++);
    note(name, write_data(target, name, tensor, entry));
    entries.push_back(entry.text());
  }
  const auto all = JsonObject().add("tag", tag).add_json("tensors", runtime::json_array_of(entries));
  note(file + ".json", target.write_file(file + ".json", all.text() + "\n", {}));
  check(failure.empty(), Code::kInvalidDumpConfig, "{}", failure);
}

}  // namespace aclvk::ops
