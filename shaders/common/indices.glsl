// Indices as tensors hold them: int32, int64 and, from kernels of our own, uint32. 64-bit ones are two words; no tensor that a
// shader reaches has so many elements that the upper one matters.

const uint kNoIndex = ~0u;  // what no size exceeds

layout(constant_id = FIRST_CONSTANT + 2) const bool kFromEnd = true;  // an index below zero counts from the end

// The element that an index means among `size`; kNoIndex when there is none.
uint resolve_index(uvec4 index, uint dtype, uint size) {
  const bool wide = dtype == kInt64;
  const bool negative = dtype != kUint32 && int(wide ? index.y : index.x) < 0;
  const bool short_enough = !wide || index.y == (negative ? ~0u : 0u) && (int(index.x) < 0) == negative;
  const uint position = negative ? (kFromEnd ? index.x + size : kNoIndex) : index.x;
  return short_enough && position < size ? position : kNoIndex;
}
