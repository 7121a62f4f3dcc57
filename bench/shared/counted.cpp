#include "shared/counted.h"

extern "C" [[gnu::noinline]] std::uint64_t tocsin_counted(
    const std::function<std::uint64_t()>& work) {
  return work();
}
