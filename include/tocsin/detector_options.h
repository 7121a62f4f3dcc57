// Options of a detector: the backend, the contacts that are wanted, how exact they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tocsin {

/// What checks. Every backend returns the same contacts, bit for bit.
enum class Backend : std::uint8_t { kAuto, kCpu, kGl, kCuda };

/// Which contacts of a step are wanted.
enum class Contacts : std::uint8_t {
  kPairs,  ///< the first contact of every active (link, object) pair
  kFirst,  ///< the earliest contact of the step only
};

/// How the OpenGL backend gathers its answers. Both find the same.
enum class GlMethod : std::uint8_t {
  kFlags,  ///< many views at once, fragments set bits
  kQuery,  ///< an occlusion query for each pair and view (paper 004)
};

/// What the OpenGL backend draws and how.
enum class GlSurface : std::uint8_t {
  kSkin,  ///< closed convex hulls around time slabs, conservatively: misses nothing
  /// The main paper's swept surface, pixel centres only: to count what that misses. Only without
  /// Experiments::certify.
  kPaper,
};

/// The OpenGL backend. docs/gl.md.
struct GlOptions {
  /// As `tocsin devices` counts them; none: TOCSIN_GL_DEVICE, else the first usable one.
  std::optional<int> device = std::nullopt;
  int width = 64;  ///< pixels of a view of one slab; 8 to 8192. More culls more and costs more.
  int height = 64;
  GlMethod method = GlMethod::kFlags;
};

/// The CUDA backend: devices find the contacts of many steps at once by themselves. docs/cuda.md.
struct CudaOptions {
  /// As `tocsin devices` counts them, none twice. Several have the room each and share the steps.
  /// None: those that TOCSIN_CUDA_DEVICE names, else the first.
  std::vector<int> devices = {};
  /// Bytes of each device that this process may use; 0: nearly all that is free. All detectors on
  /// a device count. Less makes batches smaller; what does not fit at all, a step or the room,
  /// the CPU checks (Detector::fallback).
  std::size_t memory = 0;
};

/// Options for experiments and tests. Leave them unset to get certified contacts.
struct Experiments {
  /// False: the answer that Backend::kGl has in image space (paper 004, section 7.2): a contact is
  /// kGraze, free before toc[0] (proved but for GlSurface::kPaper), toc[1] an estimate; there may
  /// be contacts that are none.
  bool certify = true;
  GlSurface surface = GlSurface::kSkin;
  /// CUDA's kernel bodies run on the CPU, on DetectorOptions::threads: what a device would answer,
  /// bit for bit, and far slower than Backend::kCpu. For tests, and where there is no device.
  /// There are as many as CudaOptions::devices names.
  bool emulate = false;
};

struct DetectorOptions {
  Backend backend = Backend::kAuto;
  Contacts contacts = Contacts::kPairs;
  double margin = 0.0;      ///< grows every link's radius, metres, >= 0
  double tolerance = 1e-9;  ///< wanted width of a toc bracket, step time, > 0
  bool clearance = false;   ///< fill StepReport::clearances
  /// Shell globs of objects' names: these are surfaces, and who is inside is free. All other closed
  /// objects are solid (docs/exact.md, "Solids"). "*": all are surfaces.
  std::vector<std::string> surfaces = {};
  /// A folder in which trees are kept between runs; empty: none are. A damaged or stale file is
  /// built anew (see Detector::warnings()).
  std::string tree_cache = {};
  /// Threads that build trees, and that emulated devices run on, all together (but one each); 0:
  /// all of the caller's arena (TBB), all cores as a rule. Those that check: RunOptions::threads.
  int threads = 0;
  GlOptions gl = {};      ///< for Backend::kGl; with kAuto a device named here asks for it
  CudaOptions cuda = {};  ///< for Backend::kCuda
  Experiments experiments = {};
  /// Steps that will be checked in all; 0: not known. With kAuto, little work is not worth opening
  /// a device for.
  std::size_t expected_steps = 0;
};

}  // namespace tocsin
