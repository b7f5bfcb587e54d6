// Libraries stay loaded in builds with sanitizers. What a driver keeps in its statics would seem lost once it has been
// unloaded, and nothing would tell any more that it is the driver's; the thread sanitizer ends a process that unloads a
// library of its suppressions.
#ifdef ACLVK_SANITIZED
extern "C" __attribute__((visibility("default"))) int dlclose(void*) noexcept { return 0; }
#endif
