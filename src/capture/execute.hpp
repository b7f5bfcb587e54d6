#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "capture/model.hpp"
#include "runtime/stream/stream.hpp"

namespace aclvk::capture {

// What is done with a whole model, captured or built, with the checks that the runtime layer makes in the order of
// capture-semantics sections 10 and 11. Each takes the scheduler's lock itself.

/// The model becomes one task of the stream.
void execute(const ModelPtr& model, const runtime::StreamPtr& stream);
/// Runs a model by itself and waits for it; -1 ms waits for ever. kStreamSyncTimeout when it lasts longer: the run goes
/// on. A captured model is refused in strict mode (kParamInvalid).
void execute_and_wait(const ModelPtr& model, std::int32_t timeout_ms);
/// Stops the runs of a built model; those who wait for them get kModelAbortNormal.
void abort(const ModelPtr& model);

void add_destroy_callback(const ModelPtr& model, DestroyCallback callback);
void remove_destroy_callback(const ModelPtr& model, void (*function)(void*));
/// Waits for a run in progress, calls the callbacks, then ends the model and all handles that belong to it.
void destroy(const ModelPtr& model);

/// Names longer than 512 bytes are cut.
void set_name(Model& model, std::string name);
/// At most `size` bytes with the final NUL; kParamInvalid for 0.
void copy_name(const Model& model, char* out, std::uint32_t size);

}  // namespace aclvk::capture
