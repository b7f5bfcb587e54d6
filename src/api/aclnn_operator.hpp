#pragma once

#include "api/aclnn_parameters.hpp"
#include "api/aclnn_phases.hpp"

// The parameters of every operator as the tables have them, and the public prototypes: a definition that differs does
// not compile.
#include "aclnn_parameters.inc"
#include "aclnnop_all.h"

/// Defines both phases of an operator. `make` plans it from the operator's parameters, which have the names that the
/// public header gives them.
#define OPERATOR(function, make)                                                                             \
  aclnnStatus function##GetWorkspaceSize(ACLVK_DECLARE(ACLVK_PARAMETERS_##function) uint64_t* workspaceSize, \
                                         aclOpExecutor** executor) {                                         \
    return aclvk::api::plan(                                                                                 \
        #function, workspaceSize, executor, [&] { return make; },                                            \
        [&](auto& arguments) { ACLVK_DESCRIBE(ACLVK_PARAMETERS_##function) });                               \
  }                                                                                                          \
  aclnnStatus function(void* workspace, uint64_t size, aclOpExecutor* executor, aclrtStream stream) {        \
    return aclvk::api::launch(#function, workspace, size, executor, stream);                                 \
  }
