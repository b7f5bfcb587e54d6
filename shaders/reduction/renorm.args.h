// The arguments of reduction/renorm.comp.
#define RENORM_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(float, max_norm)
