// A sequence of a batch, as attention/flash.comp and attention/backward.comp read it.
#define SEQUENCE_MEMBERS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, first_query) /* index of its first token in q */ \
  ARGUMENT(uint, queries) \
  ARGUMENT(uint, first_key) \
  ARGUMENT(uint, keys) \
  ARGUMENT(int, window_offset) /* keys - queries for windows aligned at the end, else 0 */ \
  ARGUMENT(uint, visible_prefix) /* the number of first keys that each token sees */
