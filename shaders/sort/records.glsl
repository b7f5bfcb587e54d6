// The records of a sort: a key, whose order as an unsigned integer is that of the elements, and the element's index in its row. Keys of
// elements of at most 32 bits are one word (narrow), others two (wide), so no 64-bit types are needed. ops/sort/sorting.cpp has the kernels
// of a sort. A shader reads records from operand 0 and writes them to operand 1.

#if defined(VARIANT_wide)
#define Record uvec4  // the key's low word, its high word, the index, unused
Record record_of(uvec2 key, uint position) { return uvec4(key, position, 0u); }
Record load_record(uvec2 slot, uint number) { return words4_0(slot, number * 16u); }
void store_record(uvec2 slot, uint number, Record record) { set_words4_1(slot, number * 16u, record); }
bool is_less(Record x, Record y) { return x.y == y.y ? x.x < y.x : x.y < y.y; }
#else
#define Record uvec2  // the key, the index
Record record_of(uvec2 key, uint position) { return uvec2(key.x, position); }
Record load_record(uvec2 slot, uint number) { return words2_0(slot, number * 8u); }
void store_record(uvec2 slot, uint number, Record record) { set_words2_1(slot, number * 8u, record); }
bool is_less(Record x, Record y) { return x.x < y.x; }
#endif
