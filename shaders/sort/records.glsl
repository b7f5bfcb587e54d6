// Rows are sorted as records: a key, whose order as an unsigned number is that of the elements, and the element's place in its row.
// Keys of elements of at most 32 bits are a word (narrow), others two (wide); nothing needs 64-bit types. ops/sort/sorting.cpp says
// which kernels a sort is made of. A shader reads records from operand 0 and writes them to operand 1.

#if defined(VARIANT_wide)
#define Record uvec4  // the key's low word, its high word, the place, nothing
Record record_of(uvec2 key, uint place) { return uvec4(key, place, 0u); }
Record load_record(uvec2 slot, uint number) { return words4_0(slot, number * 16u); }
void store_record(uvec2 slot, uint number, Record record) { set_words4_1(slot, number * 16u, record); }
bool is_less(Record x, Record y) { return x.y == y.y ? x.x < y.x : x.y < y.y; }
#else
#define Record uvec2  // the key, the place
Record record_of(uvec2 key, uint place) { return uvec2(key.x, place); }
Record load_record(uvec2 slot, uint number) { return words2_0(slot, number * 8u); }
void store_record(uvec2 slot, uint number, Record record) { set_words2_1(slot, number * 8u, record); }
bool is_less(Record x, Record y) { return x.x < y.x; }
#endif
