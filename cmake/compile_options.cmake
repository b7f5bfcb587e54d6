# What every target of the project is compiled with.
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

# Clones in several places share what ccache keeps: paths below the sources are relative to it. With a precompiled header it keeps
# only what it may keep without a look at the header's macros.
find_program(ACLVK_CCACHE ccache)
if(ACLVK_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER env "CCACHE_BASEDIR=${CMAKE_SOURCE_DIR}" CCACHE_NOHASHDIR=1
                                  CCACHE_SLOPPINESS=pch_defines,time_macros "${ACLVK_CCACHE}")
endif()
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON)  # Clang's know the paths of what they consist of
endif()

if(ACLVK_SANITIZE)
  # C callers pass any int where the interface has an enum; finding out which are wrong is the library's work, not undefined.
  add_compile_options(-fsanitize=${ACLVK_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=undefined
                      -fno-sanitize=enum)
  # Clang also compares the types of functions that are called by address, of which C and C++ have different ideas.
  add_compile_options($<$<CXX_COMPILER_ID:Clang>:-fno-sanitize=function>)
  # What GCC says on its own.
  foreach(sanitizer ADDRESS THREAD)
    string(TOLOWER ${sanitizer} name)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND ACLVK_SANITIZE MATCHES ${name})
      add_compile_definitions(__SANITIZE_${sanitizer}__=1)
    endif()
  endforeach()
  add_link_options(-fsanitize=${ACLVK_SANITIZE})
endif()

# Warnings for our own sources, tests and samples. They are errors where we build, in the presets for tests: another compiler finds
# other things, and must not stop a user.
option(ACLVK_WARNINGS_AS_ERRORS "Stop at warnings" OFF)
add_library(aclvk_warnings INTERFACE)
target_compile_options(aclvk_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor>
                                                $<$<BOOL:${ACLVK_WARNINGS_AS_ERRORS}>:-Werror>)
