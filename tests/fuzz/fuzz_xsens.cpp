#include "fuzz_mocap.h"
#include "mocap/xsens.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tocsin::mocap::XsensDecoder decoder;
  tocsin::test::feed(decoder, data, size);
  return 0;
}
