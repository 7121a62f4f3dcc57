// What `tocsin serve` says on standard error: lines for people, or a JSON object a line.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "app/cli/exit_status.h"
#include "service/log/event_log.h"
#include "tocsin/result.h"

namespace tocsin::app {

/// For people: notes, warnings, and of clients only failed authentication. JSON (`--log json`): all
/// of it, and all that clients do. Thread-safe.
class ServeLog {
 public:
  explicit ServeLog(bool json);

  void note(const std::string& text) const;
  void warn(const std::string& text) const;
  void warn_all(std::span<const std::string> texts) const;
  /// Says it; its exit status.
  [[nodiscard]] ExitStatus fail(const Error& error) const;
  /// For what clients do. Call its flush() now and then.
  [[nodiscard]] const std::shared_ptr<service::EventLog>& events() const { return events_; }

 private:
  void say(std::string_view event, const std::string& text) const;

  const bool json_;
  const std::shared_ptr<service::EventLog> events_;
};

}  // namespace tocsin::app
