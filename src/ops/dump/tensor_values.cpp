#include "ops/dump/tensor_values.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "ops/matmul/formats/fractal.hpp"
#include "ops/shape/matrix_view.hpp"
#include "ops/tensor/scalar.hpp"
#include "runtime/json_text.hpp"

namespace aclvk::ops {
namespace {

using runtime::json_text;

// The .npy format pads its header so that the data begins at a multiple of 64 bytes.
constexpr std::size_t kNpyAlignment = 64;

/// Calls `visit` with each element as a double; real and imaginary parts separately.
template <typename Visit>
void for_each_value(DType dtype, const std::vector<std::byte>& elements, Visit&& visit) {
  const std::size_t width = size_of(dtype);
  const bool complex = kind_of(dtype) == Kind::kComplex;
  for (std::size_t at = 0; at + width <= elements.size(); at += width) {
    const std::complex<double> value = Scalar(elements.data() + at, dtype).to_complex();
    visit(value.real());
    if (complex) visit(value.imag());
  }
}

struct Sums {
  std::uint64_t count = 0;
  std::uint64_t nan = 0;
  std::uint64_t positive_inf = 0;
  std::uint64_t negative_inf = 0;
  std::uint64_t finite = 0;
  double max = -std::numeric_limits<double>::infinity();
  double min = std::numeric_limits<double>::infinity();
  double sum = 0;
  double squares = 0;

  void add(double value) {
    ++count;
    nan += std::isnan(value);
    positive_inf += std::isinf(value) && value > 0;
    negative_inf += std::isinf(value) && value < 0;
    if (!std::isfinite(value)) return;
    ++finite;
    max = std::max(max, value);
    min = std::min(min, value);
    sum += value;
    squares += value * value;
  }

  /// Returns null unless there are finite values, because JSON has no infinities.
  std::string of_finite(double value) const { return finite > 0 ? json_text(value) : "null"; }
};

/// Unpacks 4-bit elements to one per byte, from the first element on.
std::vector<std::byte> in_whole_bytes(const std::vector<std::byte>& halves, std::int64_t offset) {
  std::vector<std::byte> bytes;
  for (const std::byte both : halves) {
    bytes.push_back(both & std::byte{15});
    bytes.push_back(both >> 4);
  }
  if (offset % 2 != 0) bytes.erase(bytes.begin());
  return bytes;
}

}  // namespace

NpyType npy_type(DType dtype) {
  switch (dtype) {
    case DType::kFloat: return {"<f4", nullptr};
    case DType::kFloat16: return {"<f2", nullptr};
    case DType::kDouble: return {"<f8", nullptr};
    case DType::kInt8: return {"|i1", nullptr};
    case DType::kInt16: return {"<i2", nullptr};
    case DType::kInt32: return {"<i4", nullptr};
    case DType::kInt64: return {"<i8", nullptr};
    case DType::kUint8: return {"|u1", nullptr};
    case DType::kUint16: return {"<u2", nullptr};
    case DType::kUint32: return {"<u4", nullptr};
    case DType::kUint64: return {"<u8", nullptr};
    case DType::kBool: return {"|b1", nullptr};
    case DType::kComplex64: return {"<c8", nullptr};
    case DType::kComplex128: return {"<c16", nullptr};
    case DType::kComplex32: return {"<f2", "real and imaginary parts of COMPLEX32", 2};
    case DType::kBfloat16: return {"<u2", "bits of BF16"};
    default: break;
  }
  if (size_of(dtype) == 1) return {"|u1", "the bytes of the elements"};
  return {nullptr, nullptr};
}

// Writes version 1.0 of the .npy format: the magic string, the version, a 16-bit length, and a Python literal.
std::string npy_header(const NpyType& type, const Shape& shape) {
  std::string sizes;
  for (const std::int64_t size : shape) sizes += std::to_string(size) + ", ";
  if (type.parts > 1) sizes += std::to_string(type.parts) + ", ";
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", type.descr, sizes);
  constexpr std::size_t kBefore = 10;  // the magic string, the version and the header's length
  text.append(kNpyAlignment - (kBefore + text.size() + 1) % kNpyAlignment, ' ');
  text += '\n';
  const auto length = static_cast<std::uint16_t>(text.size());
  std::string header("\x93NUMPY\x01\x00", 8);
  header += static_cast<char>(length & 0xff);
  header += static_cast<char>(length >> 8);
  return header + text;
}

std::vector<std::byte> row_major(const Tensor& tensor, const std::vector<std::byte>& memory) {
  const auto span = is_four_bit(tensor.dtype) ? in_whole_bytes(memory, tensor.offset) : memory;
  const std::size_t width = size_of(tensor.dtype);
  const auto count = static_cast<std::size_t>(tensor.elements());
  std::vector<std::byte> elements(count * width);
  if (tensor.strides == contiguous_strides(tensor.shape)) {
    std::copy_n(span.begin(), elements.size(), elements.begin());
  } else {
    // Counts like an odometer: `offset` is always that of `index`.
    Shape index(tensor.shape.size(), 0);
    std::int64_t offset = 0;
    for (std::size_t i = 0; i < count; ++i) {
      std::memcpy(elements.data() + i * width, span.data() + static_cast<std::size_t>(offset) * width, width);
      for (std::size_t dim = index.size(); dim-- > 0;) {
        offset += tensor.strides[dim];
        if (++index[dim] < tensor.shape[dim]) break;
        offset -= tensor.strides[dim] * tensor.shape[dim];
        index[dim] = 0;
      }
    }
  }
  if (tensor.dtype == DType::kBool) {
    for (std::byte& element : elements) element = element == std::byte{0} ? std::byte{0} : std::byte{1};
  }
  return elements;
}

std::vector<std::byte> row_major_of_blocks(const Tensor& tensor, const std::vector<std::byte>& blocks) {
  // FRACTAL_NZ stores (batch, column block, row block, row, column): blocks follow one another down a column of
  // blocks.
  const Shape storage = storage_of(tensor);
  const std::int64_t columns = storage.back();
  const std::int64_t rows = storage[storage.size() - 2];
  const std::int64_t row_blocks = storage[storage.size() - 3];
  const std::int64_t column_blocks = storage[storage.size() - 4];
  const std::size_t rank = tensor.shape.size();
  const std::int64_t width = tensor.shape[rank - 1];
  const std::int64_t height = tensor.shape[rank - 2];
  const bool transposed = is_transposed(tensor);
  const std::size_t bytes = size_of(tensor.dtype);
  std::vector<std::byte> elements(static_cast<std::size_t>(tensor.elements()) * bytes);
  for (std::int64_t i = 0; i < tensor.elements(); ++i) {
    std::int64_t row = i / width % height;
    std::int64_t column = i % width;
    if (transposed) std::swap(row, column);
    const std::int64_t block = (i / (width * height) * column_blocks + column / columns) * row_blocks + row / rows;
    const std::int64_t from = (block * rows + row % rows) * columns + column % columns;
    std::memcpy(elements.data() + static_cast<std::size_t>(i) * bytes,
                blocks.data() + static_cast<std::size_t>(from) * bytes, bytes);
  }
  return elements;
}

std::string statistics_of(DType dtype, const std::vector<std::byte>& elements, const std::vector<std::string>& names) {
  if (kind_of(dtype) == Kind::kOther) return "null";
  Sums sums;
  for_each_value(dtype, elements, [&](double value) { sums.add(value); });
  const auto finite = static_cast<double>(sums.finite);
  const std::pair<const char*, std::string> all[] = {
      {"Count", json_text(sums.count)},
      {"Max", sums.of_finite(sums.max)},
      {"Min", sums.of_finite(sums.min)},
      {"Avg", sums.of_finite(sums.sum / finite)},
      {"L2norm", sums.of_finite(std::sqrt(sums.squares))},
      {"Nan", json_text(sums.nan)},
      {"Positive Inf", json_text(sums.positive_inf)},
      {"Negative Inf", json_text(sums.negative_inf)},
  };
  runtime::JsonObject wanted;
  for (const auto& [name, value] : all) {
    if (names.empty() || std::find(names.begin(), names.end(), name) != names.end()) wanted.add_json(name, value);
  }
  return wanted.text();
}

bool overflows(DType dtype, const std::vector<std::byte>& elements) {
  if (kind_of(dtype) != Kind::kFloating && kind_of(dtype) != Kind::kComplex) return false;
  bool found = false;
  for_each_value(dtype, elements, [&](double value) { found = found || !std::isfinite(value); });
  return found;
}

}  // namespace aclvk::ops
