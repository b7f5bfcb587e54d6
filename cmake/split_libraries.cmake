# The names under which CANN ships its libraries, as links to the one library that has the code.
#
# Measured on Debian 12 (GNU ld 2.40, gold, lld, glibc 2.36) with a core of three functions:
#   - thin libraries with only DT_NEEDED libaclvk.so do not link: GNU ld does not resolve symbols from the dependencies of
#     the libraries on the command line ("undefined reference", --no-copy-dt-needed-entries is the default);
#   - linker scripts INPUT(libaclvk.so) link, but cannot be opened with dlopen;
#   - filter libraries (-Wl,-F) link and load, but need a stub for every symbol in every one of them;
#   - links do all of it: `g++ x.cpp -lascendcl -lnnopbase -lopapi` links (the program then needs libaclvk.so), a
#     program that was linked against CANN finds the file name it needs, dlopen + dlsym find every symbol under every
#     name, and glibc recognises the same inode, so a process that uses several names has one copy of the state.
#     Copies of the file instead of links break the last point: install and pack them as links.
# tests/unit/interface/split_libraries_test.py repeats this on the real library.

set(ACLVK_SPLIT_LIBRARY_NAMES
    # the runtime
    ascendcl acl_rt acl_mdl acl_op_executor acl_op_compiler acl_tdt_channel acl_tdt_queue
    msprofiler ascend_dump platform unified_dlog
    # the operators
    nnopbase opapi opapi_math opapi_nn opapi_cv opapi_transformer
    # copies and text within bounds (securec.h)
    c_sec
    # collectives
    hccl hcomm
    # to be loaded only: programs are linked with these or open them, and use the functions of interface/loaded.tsv or none
    acl_rt_impl profapi ascend_hal ge_runner graph
    # on link lines only: what CANN has in them is not part of the interface (docs/compatibility.md)
    runtime)

# Puts libaclvk.so and lib<name>.so links into ${CMAKE_BINARY_DIR}/lib64, and installs the links next to it. Programs need the
# library's own name, libaclvk.so.<major>: a version that removes a function has another major number.
function(aclvk_add_split_libraries)
  set(folder "${CMAKE_BINARY_DIR}/lib64")
  set_target_properties(aclvk PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${folder}" VERSION ${PROJECT_VERSION}
                                         SOVERSION ${PROJECT_VERSION_MAJOR})
  set(links)
  foreach(name IN LISTS ACLVK_SPLIT_LIBRARY_NAMES)
    set(link "${folder}/lib${name}.so")
    list(APPEND links "${link}")
    add_custom_command(TARGET aclvk POST_BUILD
      COMMAND ${CMAKE_COMMAND} -E create_symlink "$<TARGET_LINKER_FILE_NAME:aclvk>" "${link}" VERBATIM)
  endforeach()
  install(FILES ${links} DESTINATION lib64)
endfunction()
