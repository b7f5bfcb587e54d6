#include <vector>

#include "base/error.hpp"
#include "ops/attention/rotate.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/index/indexed_kernels.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

/// The tensors of aclnnRopeWithSinCosCache.
struct Parameters {
  TensorParameters::ParamId positions, query, key, cache, query_out, key_out;
};

/// Columns of the cache whose angles are picked by one row of positions (multimodal RoPE has three).
struct Section {
  std::int64_t first;
  std::int64_t count;
};

/// Returns the sections; without mropeSection there is one, for the only row of positions.
std::vector<Section> sections_of(const TensorParameters& tensors, const Parameters& at,
                                 const std::vector<std::int64_t>& sizes) {
  const Tensor& cache = tensors[at.cache];
  const Shape& positions = tensors[at.positions].shape;
  check(cache.shape.size() == 2 && cache.shape[1] % 2 == 0, Code::kNnInvalid,
        "cosSinCache has shape {}; a row for each position is expected, of cosines and then the same number of sines.",
        cache.shape);
  const std::int64_t half = cache.shape[1] / 2;
  const bool has_rows = positions.size() == 2;
  std::vector<Section> sections;
  std::int64_t first = 0;
  for (const std::int64_t size : sizes) {
    check(size >= 0 && size <= half - first, Code::kNnInvalid,
          "mropeSection has {}; expected 0 to {}, the angles that no other section has.", size, half - first);
    sections.push_back({first, size});
    first += size;
  }
  if (!has_rows) sections = {{0, half}};
  const bool fits =
      has_rows ? positions[0] == static_cast<std::int64_t>(sections.size()) && first == half : positions.size() == 1;
  check(
      fits, Code::kNnInvalid,
      "positions has shape {}; with mropeSection, whose sum is {}, a row for each section is expected, which together "
      "are {} angles; else one dimension.",
      positions, first, half);
  return sections;
}

void check_heads(const TensorParameters& tensors, const Parameters& at, std::int64_t head_size,
                 std::int64_t rotary_columns) {
  const std::int64_t tokens = tensors[at.positions].shape.back();
  for (const auto param : {at.query, at.key}) {
    const Tensor& tensor = tensors[param];
    check(tensor.shape.size() == 2 && tensor.shape[0] == tokens && tensor.shape[1] % head_size == 0, Code::kNnInvalid,
          "{} has shape {}; {} tokens of heads with {} columns are expected.", tensors.name(param), tensor.shape,
          tokens, head_size);
  }
  check(rotary_columns <= head_size, Code::kNnInvalid,
        "cosSinCache has {} columns and headSize is {}; at most headSize columns are expected.", rotary_columns,
        head_size);
  tensors.check_shape(at.query_out, tensors[at.query].shape, "queryIn has shape");
  tensors.check_shape(at.key_out, tensors[at.key].shape, "keyIn has shape");
}

/// Gathers the angles of each token: (tokens, 2, half), cosines first.
Kernels gather_angles(const char* name, const Tensor& positions, const Tensor& cache,
                      const std::vector<Section>& sections, const Tensor& angles) {
  const std::int64_t half = angles.shape[2];
  Kernels kernels;
  for (std::size_t i = 0; i < sections.size(); ++i) {
    const Tensor row = positions.shape.size() == 2 ? selected(positions, 0, static_cast<std::int64_t>(i)) : positions;
    const Tensor index = repeated(repeated(row, 1, 1), 2, 1);
    const Tensor out = sliced(angles, 2, sections[i].first, sections[i].count);
    // A view from the section's first angle on: index i of a position reads row i of it, cosines and, half a row
    // later, sines.
    Tensor source = cache;
    source.offset += sections[i].first * cache.strides[1];
    source.shape[1] = cache.shape[1] - sections[i].first;
    const Shape steps{0, half * cache.strides[1], cache.strides[1]};
    append(kernels, gather_kernels({name, &source, &steps, &index, &out, {cache.shape[0], cache.strides[0], false}}));
  }
  return kernels;
}

/// Rotates the leading columns of each head and copies the others.
Kernels rotate_heads(const char* name, Rotary rotary, const Tensor& x, const Tensor& angles, std::int64_t head_size,
                     const Tensor& out) {
  const std::int64_t half = angles.shape[2];
  const Tensor in_heads = unflattened(x, 1, head_size);
  const Tensor out_heads = unflattened(out, 1, head_size);
  const auto rotated = [&](const Tensor& tensor) { return pair_views(sliced(tensor, 2, 0, 2 * half), rotary, true); };
  const auto [x1, x2] = rotated(in_heads);
  const auto [out1, out2] = rotated(out_heads);
  const Tensor cos = repeated(selected(angles, 1, 0), 1, 1);
  const Tensor sin = repeated(selected(angles, 1, 1), 1, 1);
  Kernels kernels = rotate_coordinate(name, {&x1, &cos, &x2, &sin, &out1}, true);
  append(kernels, rotate_coordinate(name, {&x2, &cos, &x1, &sin, &out2}, false));
  if (2 * half < head_size) {
    const std::int64_t rest = head_size - 2 * half;
    append(kernels, copy_kernels(name, sliced(out_heads, 2, 2 * half, rest), sliced(in_heads, 2, 2 * half, rest)));
  }
  return kernels;
}

}  // namespace

std::shared_ptr<Executor> plan_rope_with_cache(const RopeWithCache& call) {
  constexpr const char* kName = "aclnnRopeWithSinCosCache";
  TensorParameters tensors;
  Parameters at{};
  at.positions = tensors.input(call.positions);
  at.query = tensors.input(call.query);
  at.key = tensors.input(call.key);
  at.cache = tensors.input(call.cache);
  at.query_out = tensors.output(call.query_out);
  at.key_out = tensors.output(call.key_out);
  const auto sizes = call.sections ? required_ints(call.sections) : std::vector<std::int64_t>{};
  check_dtype(tensors[at.positions], "positions", {DType::kInt32, DType::kInt64});
  tensors.check_dtypes({at.query, at.key, at.cache, at.query_out, at.key_out}, kRotated);
  tensors.check_views();
  check(call.head_size > 0, Code::kNnInvalid, "headSize is {}; a positive number is expected.", call.head_size);
  const auto sections = sections_of(tensors, at, sizes);
  const std::int64_t half = tensors[at.cache].shape[1] / 2;
  check_heads(tensors, at, call.head_size, 2 * half);
  const Rotary rotary = call.is_neox_style ? Rotary::kHalf : Rotary::kInterleaved;
  const std::int64_t head_size = call.head_size;
  return staged_executor(kName, tensors, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
    check_disjoint(*bound[at.query_out], "queryOut", *bound[at.query], "queryIn");
    check_disjoint(*bound[at.query_out], "queryOut", *bound[at.key],
                   "keyIn");  // keyIn is read after queryOut is written
    check_disjoint(*bound[at.query_out], "queryOut", *bound[at.key_out], "keyOut");
    check_disjoint(*bound[at.key_out], "keyOut", *bound[at.key], "keyIn");
    const Tensor& cache = *bound[at.cache];
    const Tensor angles = staging.make({bound[at.query]->shape[0], 2, half}, cache.dtype);
    Kernels kernels = gather_angles(kName, *bound[at.positions], cache, sections, angles);
    append(kernels, rotate_heads(kName, rotary, *bound[at.query], angles, head_size, *bound[at.query_out]));
    append(kernels, rotate_heads(kName, rotary, *bound[at.key], angles, head_size, *bound[at.key_out]));
    return kernels;
  });
}

}  // namespace aclvk::ops
