// The arguments of `tocsin devices`.
#include "app/cli/parse_command.h"

namespace tocsin::app {
namespace {

constexpr const char* kDevicesExamples = R"(Examples:
  What there is, what of it can be used and why not, and which ones --backend gl and cuda take:
    tocsin devices
  Check on the second OpenGL device of the list:
    tocsin check take.bvh --env house.obj --backend gl --gl-device 1
  The same for everything that this shell starts:
    export TOCSIN_GL_DEVICE=1
  The second CUDA device, likewise:
    tocsin check take.bvh --env house.obj --backend cuda --cuda-device 1
    export TOCSIN_CUDA_DEVICE=1
  Both of them, which share the steps:
    tocsin check take.bvh --env house.obj --backend cuda --cuda-device 0,1

Exit status: 0 done, also where there is no device; 2 wrong usage.
)";

class DevicesParser final : public CommandParser {
 public:
  explicit DevicesParser(CLI::App& tocsin)
      : CommandParser(tocsin, "devices", "List the devices that can cull, and which are usable",
                      kDevicesExamples) {}
  [[nodiscard]] Command command() const override { return DevicesOptions{}; }
};

}  // namespace

std::unique_ptr<CommandParser> devices_parser(CLI::App& tocsin) {
  return std::make_unique<DevicesParser>(tocsin);
}

}  // namespace tocsin::app
