#include "app/send/send_connect.h"

#include <fmt/format.h>
#include <grpc/support/log.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "base/text_file.h"
#include "wire/pem.h"

namespace tocsin::app {
namespace {

constexpr std::size_t kMostTokenBytes = 1U << 16U;
// A PEM file larger than this is none; a bundle of every root that browsers trust has 220 KB.
constexpr std::size_t kMostPemBytes = 1U << 20U;

/// The first line of the file, without blanks around it.
Status read_token(const std::string& file, std::string& token) {
  if (file.empty()) return Nothing{};
  const auto text = base::read_file(file, kMostTokenBytes);
  if (!text) return text.error();
  const std::string line = text->substr(0, text->find('\n'));
  const std::size_t begin = line.find_first_not_of(" \t\r");
  if (begin == std::string::npos) {
    return Error{ErrorCode::kInput, fmt::format("{}: its first line holds no token", file)};
  }
  token = line.substr(begin, line.find_last_not_of(" \t\r") - begin + 1);
  return Nothing{};
}

Status read_pem(const std::filesystem::path& file, wire::PemFile& out) {
  auto text = base::read_file(file, kMostPemBytes);
  if (!text) return text.error();
  out = {file, std::move(text).value()};
  return Nothing{};
}

/// What gRPC would only say as "connection closed", or not at all.
Status check_tls_files(const ConnectionOptions& options) {
  wire::PemFile first;
  wire::PemFile second;
  if (!options.ca.empty()) {
    if (auto read = read_pem(options.ca, first); !read) return read;
    if (auto fits = wire::check_certificates(first); !fits) return fits;
  }
  // One without the other is for Connection::open() to refuse.
  if (options.certificate.empty() || options.key.empty()) return Nothing{};
  if (auto read = read_pem(options.certificate, first); !read) return read;
  if (auto read = read_pem(options.key, second); !read) return read;
  return wire::check_identity(first, second);
}

/// By default all share one: what comes at the same time is read and written together, which costs
/// both ends least (docs/service-capacity.md).
int connections_for(const SendOptions& options) {
  return options.connections > 0 ? std::min(options.connections, options.avatars) : 1;
}

bool has_any(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(), [text](std::string_view word) {
    return text.find(word) != std::string_view::npos;
  });
}

/// Which option may be missing, or an empty text.
std::string_view hint_for(const std::string& message, const ConnectionOptions& o) {
  if (message.find("a token is needed") != std::string::npos) return "--token-file says it";
  const bool tls = o.tls || !o.ca.empty() || !o.certificate.empty();
  if (tls && message.find("wrong version number") != std::string::npos) {
    return "does the server want no TLS?";
  }
  if (tls && message.find("certificate verify failed") != std::string::npos) {
    return "does --tls-ca name the authority that signed the server's certificate?";
  }
  if (!has_any(message, {"Socket closed", "empty address list", "Connection reset"})) return {};
  if (!tls) return "does the server want TLS, or a client certificate?";
  return o.certificate.empty() ? "does the server want a client certificate?" : "";
}

}  // namespace

Error with_hint(Error error, const SendOptions& options) {
  const std::string_view hint = hint_for(error.message, options.connection);
  if (!hint.empty()) error.message += fmt::format(" ({})", hint);
  return error;
}

Status connect(const SendOptions& options, std::vector<Connection>& out) {
  ConnectionOptions how = options.connection;
  if (auto read = read_token(options.token_file, how.token); !read) return read;
  if (auto fit = check_tls_files(how); !fit) return fit;
  for (int i = 0; i < connections_for(options); ++i) {
    auto connection = Connection::open(how);
    if (!connection) return with_hint(connection.error(), options);
    out.push_back(std::move(connection).value());
  }
  return Nothing{};
}

void silence_grpc() {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): this program never changes it
  if (std::getenv("GRPC_VERBOSITY") != nullptr) return;
  gpr_set_log_function([](gpr_log_func_args* /*args*/) {});
}

}  // namespace tocsin::app
