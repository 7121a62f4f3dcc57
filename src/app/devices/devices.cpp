#include "app/devices/devices.h"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

#include "app/cli/text_table.h"
#include "app/cli/words.h"
#include "base/json_text.h"
#include "base/output_file.h"
#include "gpu/cuda/device/device.h"
#include "gpu/gl/context/device_thread.h"
#include "io/report/option_names.h"
#include "tocsin/devices.h"

namespace tocsin::app {
namespace {

std::string or_dash(std::string text) { return text.empty() ? "-" : std::move(text); }

std::string verdict(const DeviceInfo& device) {
  if (!device.usable) return "no: " + device.reason;
  return device.software ? "yes, in software" : "yes";
}

std::string table() {
  TextTable out(
      {{"Backend"}, {"Device", Align::kRight}, {"Name"}, {"By"}, {"Version"}, {"Usable"}});
  for (const DeviceInfo& device : list_devices()) {
    const std::string index = device.index < 0 ? "" : std::to_string(device.index);
    out.add({std::string(io::name_of(device.backend)), or_dash(index), or_dash(device.name),
             device.way, or_dash(device.version), verdict(device)});
  }
  return out.text();
}

/// The devices that --backend cuda would use now, found by opening them.
std::string cuda_choice() {
  const auto devices = cuda::Device::open_all({}, {});
  if (!devices) return fmt::format("--backend cuda cannot be used: {}", devices.error().message);
  return fmt::format("--backend cuda takes {}", cuda::names_of(*devices));
}

/// The same of --backend gl.
std::string gl_choice() {
  const auto device = gl::DeviceThread::start({});
  if (!device) return fmt::format("--backend gl cannot be used: {}", device.error().message);
  const gl::ContextInfo& info = device.value()->info();
  return fmt::format("--backend gl takes device {}: {}", info.index, info.renderer);
}

}  // namespace

ExitStatus run_devices(const DevicesOptions& /*options*/) {
  const std::string text =
      table() + "\n" + base::printable(gl_choice()) + "\n" + base::printable(cuda_choice()) + "\n";
  const Status status = base::write_to_standard_output(text);
  if (status) return kDone;
  print_error("tocsin devices", status.error().message);
  return kUnfinished;
}

}  // namespace tocsin::app
