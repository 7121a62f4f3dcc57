// The command `tocsin`.

#include <cstdlib>
#include <exception>
#include <new>

#include "app/cli/options.h"
#include "app/cli/words.h"
#include "app/run_command.h"

int main(int argc, char** argv) {
  // Mesa's EGL would write warnings beside our own messages where it finds no driver.
  setenv("EGL_LOG_LEVEL", "fatal", 0);  // NOLINT(concurrency-mt-unsafe): before any other thread
  using namespace tocsin::app;  // NOLINT(google-build-using-namespace): main belongs to the command
  try {
    return run_command(argc, argv);
  } catch (const UsageError& error) {
    print_error(error.command, error.message);
    return error.status;
  } catch (const std::bad_alloc&) {
    print_error("tocsin", "out of memory");
    return kUnfinished;
  } catch (const std::exception& error) {
    print_error("tocsin", error.what());
    return kUnfinished;
  }
}
