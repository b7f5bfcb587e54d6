# The compile options of every target of the project.
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

# Clones of the repository share the cache of ccache: with CCACHE_BASEDIR, paths below the sources are relative. ccache stores
# objects that use a precompiled header only with the sloppiness pch_defines,time_macros.
find_program(ACLVK_CCACHE ccache)
if(ACLVK_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER env "CCACHE_BASEDIR=${CMAKE_SOURCE_DIR}" CCACHE_NOHASHDIR=1
                                  CCACHE_SLOPPINESS=pch_defines,time_macros "${ACLVK_CCACHE}")
endif()
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON)  # those of Clang contain absolute paths, so clones cannot share them
endif()

if(ACLVK_SANITIZE)
  # C callers pass any int where the interface has an enum. The library checks the value, so such a load is no fault.
  add_compile_options(-fsanitize=${ACLVK_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=undefined
                      -fno-sanitize=enum)
  # Clang also compares the types of functions that are called by address, on which callers in C and functions in C++ differ.
  add_compile_options($<$<CXX_COMPILER_ID:Clang>:-fno-sanitize=function>)
  # GCC defines these macros itself.
  foreach(sanitizer ADDRESS THREAD)
    string(TOLOWER ${sanitizer} name)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND ACLVK_SANITIZE MATCHES ${name})
      add_compile_definitions(__SANITIZE_${sanitizer}__=1)
    endif()
  endforeach()
  add_link_options(-fsanitize=${ACLVK_SANITIZE})
endif()

# Warnings of the project's own sources, tests and samples. They are errors in the presets for tests only: another compiler warns
# about more, which must not stop a user's build.
option(ACLVK_WARNINGS_AS_ERRORS "Stop at warnings" OFF)
add_library(aclvk_warnings INTERFACE)
target_compile_options(aclvk_warnings INTERFACE -Wall -Wextra -Wpedantic $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor>
                                                $<$<BOOL:${ACLVK_WARNINGS_AS_ERRORS}>:-Werror>)
if(NOT ACLVK_JOIN_SOURCES)  # a name of one source may be that of a local variable of another
  target_compile_options(aclvk_warnings INTERFACE -Wshadow)
endif()
