// Whether a build has a sanitizer whose allocator is its own.
#pragma once

namespace tocsin::base {

/// Whether this is a build with the address or the thread sanitizer. Both map terabytes of shadow
/// memory, so a limit of address space means nothing; both keep for a while what is freed.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)  // g++
inline constexpr bool kSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif
#else
inline constexpr bool kSanitized = false;
#endif

}  // namespace tocsin::base
