#include "fuzz_mocap.h"
#include "mocap/vmc.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tocsin::mocap::VmcDecoder decoder;
  tocsin::test::feed(decoder, data, size);
  return 0;
}
