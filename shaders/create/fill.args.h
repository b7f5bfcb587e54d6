// The arguments of create/fill.comp.
#define FILL_ARGUMENTS(ARGUMENT, ARRAY) \
  ARRAY(uint, value, 4)
