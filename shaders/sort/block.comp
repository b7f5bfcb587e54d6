#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : enable
// variants: narrow wide
// Sorts rows into runs of records: a row of at most `span` elements (a power of two) becomes one run, a longer one `chunks` of them. A thread
// sorts eight elements in registers; a workgroup then merges runs pairwise in shared memory, doubling their width in each round: each
// thread produces the eight records of its position (merge path). Positions past the end of a row have the greatest key, so they stay last.

#include "sort/block.args.h"
#define OPERANDS 2
#define OWN_ARGUMENTS BLOCK_ARGUMENTS
#include "common/kernel.glsl"
#include "common/dtype.glsl"
#include "sort/records.glsl"

ACLVK_CONSTANTS(BLOCK_CONSTANTS)
#include "sort/keys.glsl"

const uint kPerThread = 8;

// --- records in shared memory ---

#if defined(VARIANT_wide)
#define MOST 1024
shared uint high_keys[MOST];
#else
#define MOST 2048
#endif
shared uint keys[MOST];
shared uint indices[MOST];

void put(uint at, Record record) {
  keys[at] = record.x;
#if defined(VARIANT_wide)
  high_keys[at] = record.y;
  indices[at] = record.z;
#else
  indices[at] = record.y;
#endif
}

Record fetch(uint at) {
#if defined(VARIANT_wide)
  return uvec4(keys[at], high_keys[at], indices[at], 0u);
#else
  return uvec2(keys[at], indices[at]);
#endif
}

Record records[kPerThread];

#define EXCHANGE(i, j)                                       \
  {                                                          \
    const Record first = records[i];                         \
    const Record second = records[j];                        \
    const bool swapped = is_less(second, first);             \
    records[i] = swapped ? second : first;                   \
    records[j] = swapped ? first : second;                   \
  }
#define EVEN_PAIRS EXCHANGE(0, 1) EXCHANGE(2, 3) EXCHANGE(4, 5) EXCHANGE(6, 7)
#define ODD_PAIRS EXCHANGE(1, 2) EXCHANGE(3, 4) EXCHANGE(5, 6)

// Odd-even transposition sort: only adjacent records are exchanged, so it is stable. A sorting network for more elements would cost more
// compile time than it saves.
void sort_vec8() {
  EVEN_PAIRS ODD_PAIRS EVEN_PAIRS ODD_PAIRS EVEN_PAIRS ODD_PAIRS EVEN_PAIRS ODD_PAIRS
}

// Merge path (Odeh et al. 2012): the number of records of the first run among the first `done` records of the merged runs, by binary search
// along a diagonal.
uint merge_path(uint first, uint second, uint width, uint done) {
  uint low = done > width ? done - width : 0u;
  uint high = min(done, width);
  while (low < high) {  // iterations: binary search
    const uint middle = (low + high) / 2u;
    if (is_less(fetch(second + done - 1u - middle), fetch(first + middle))) high = middle;
    else low = middle + 1u;
  }
  return low;
}

void merge_vec8(uint first, uint second, uint width, uint done) {
  uint i = merge_path(first, second, width, done);
  uint j = done - i;
  Record x = fetch(first + min(i, width - 1u));
  Record y = fetch(second + min(j, width - 1u));
  [[unroll]] for (uint n = 0; n < kPerThread; ++n) {
    const bool takes_first = j >= width || i < width && !is_less(y, x);
    records[n] = takes_first ? x : y;
    i += uint(takes_first);
    j += uint(!takes_first);
    const Record next = fetch(takes_first ? first + min(i, width - 1u) : second + min(j, width - 1u));
    x = takes_first ? next : x;
    y = takes_first ? y : next;
  }
}

void main() {
  const uint rows = ACLVK_ARGUMENT(rows);
  const uint count = ACLVK_ARGUMENT(count);
  const uint span = ACLVK_ARGUMENT(span);
  const uint chunks = ACLVK_ARGUMENT(chunks);
  const uint keep = ACLVK_ARGUMENT(keep);
  const uint nan_key = ACLVK_ARGUMENT(nan_key);
  const uint key_mask = ACLVK_ARGUMENT(key_mask);
  const uvec2 source = slot_of(0);
  const uvec2 target = slot_of(1);
  const uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  const uint thread = group * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  const uint run = kMerges ? thread / (span / kPerThread) : thread;
  const uint position = kMerges ? (thread - run * (span / kPerThread)) * kPerThread : 0u;  // of the thread in the run
  const uint row = run / chunks;
  const uint start = (run - row * chunks) * span;  // of the run in the row
  const uint size = row < rows ? min(span, count - start) : 0u;
  [[unroll]] for (uint i = 0; i < kPerThread; ++i) {
    const bool exists = position + i < size;
    const uvec2 key = key_of(element_of(source, exists ? row * count + start + position + i : 0u), nan_key, key_mask);
    records[i] = record_of(exists ? key : uvec2(~0u), start + position + i);
  }
  sort_vec8();
  const uint own = gl_LocalInvocationID.x * kPerThread;
  for (uint width = kPerThread; kMerges && width < span; width *= 2u) {  // iterations: doubles up to a block
    [[unroll]] for (uint i = 0; i < kPerThread; ++i) put(own + i, records[i]);
    barrier();
    const uint done = position & 2u * width - 1u;
    merge_vec8(own - done, own - done + width, width, done);
    barrier();
  }
  const uint kept = min(size, keep);
  [[unroll]] for (uint i = 0; i < kPerThread; ++i) {
    if (position + i < kept) store_record(target, row * count + start + position + i, records[i]);
  }
}
