// The client's side of Download.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <unordered_map>
#include <vector>

#include "client/connection_state.h"
#include "tocsin/result.h"
#include "tocsin/v1/collision.pb.h"
#include "wire/parts.h"

namespace tocsin::detail {

/// What was downloaded, checked against its hashes.
struct Parts {
  v1::Environment environment;
  std::vector<wire::PartHead> heads;
  wire::Hash sha256{};
  /// By hash: those that were asked for.
  std::unordered_map<std::string, std::string> bytes;
};

/// Errors: kInput: the server refuses it, or sends what its hashes are not of, or more than `most`
/// bytes; kResource: it is not reached, or memory; kCancelled: `stop`.
Result<Parts> download(ConnectionState& connection, const v1::DownloadRequest& request,
                       std::uint64_t most, const std::stop_token& stop = {});

}  // namespace tocsin::detail
