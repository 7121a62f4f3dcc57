#include "fuzz_mocap.h"
#include "mocap/plain.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tocsin::mocap::PlainDecoder decoder(
      tocsin::Skeleton::create({{"root", -1, {}}, {"arm", 0, {}}}).value());
  tocsin::test::feed(decoder, data, size);
  return 0;
}
