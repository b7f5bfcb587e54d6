// acl/rt/symbol.h: global variables of kernels. SPIR-V has no variable that has an address and outlives a launch, and
// only the vendor's compiler registers host symbols; so every symbol is unknown.
#include "acl/acl_rt.h"
#include "api/base/guard.hpp"
#include "api/base/handles.hpp"
#include "base/error.hpp"

using namespace aclvk;
using namespace aclvk::api;

namespace {

[[noreturn]] void fail_unknown(const void* symbol) {
  fail(Code::kInvalidSymbol,
       "The symbol {} is unknown: a SPIR-V module has no global variables. Allocate a buffer and pass its address.",
       symbol);
}

void check_kind(aclrtMemcpyKind kind) {
  check(kind >= ACL_MEMCPY_HOST_TO_HOST && kind <= ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE, Code::kInvalidParam,
        "kind is {}; {} to {} is expected.", static_cast<int>(kind), static_cast<int>(ACL_MEMCPY_HOST_TO_HOST),
        static_cast<int>(ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE));
}

}  // namespace

aclError aclrtGetSymbolAddress(const void* symbol, void** devPtr) {
  return guard(__func__, [&] {
    require(symbol, "symbol");
    require(devPtr, "devPtr");
    fail_unknown(symbol);
  });
}

aclError aclrtGetSymbolSize(const void* symbol, size_t* size) {
  return guard(__func__, [&] {
    require(symbol, "symbol");
    require(size, "size");
    fail_unknown(symbol);
  });
}

aclError aclrtMemcpyFromSymbol(void* dst, size_t, const void* symbol, size_t, size_t, aclrtMemcpyKind kind) {
  return guard(__func__, [&] {
    require(dst, "dst");
    require(symbol, "symbol");
    check_kind(kind);
    fail_unknown(symbol);
  });
}

aclError aclrtMemcpyFromSymbolAsync(void* dst, size_t, const void* symbol, size_t, size_t, aclrtMemcpyKind kind,
                                    aclrtStream stream) {
  return guard(__func__, [&] {
    require(dst, "dst");
    require(symbol, "symbol");
    check_kind(kind);
    own_stream_of(stream);
    fail_unknown(symbol);
  });
}

aclError aclrtMemcpyToSymbol(const void* symbol, const void* src, size_t, size_t, aclrtMemcpyKind kind) {
  return guard(__func__, [&] {
    require(symbol, "symbol");
    require(src, "src");
    check_kind(kind);
    fail_unknown(symbol);
  });
}

aclError aclrtMemcpyToSymbolAsync(const void* symbol, const void* src, size_t, size_t, aclrtMemcpyKind kind,
                                  aclrtStream stream) {
  return guard(__func__, [&] {
    require(symbol, "symbol");
    require(src, "src");
    check_kind(kind);
    own_stream_of(stream);
    fail_unknown(symbol);
  });
}
