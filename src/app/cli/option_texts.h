// What help says of the options that more than one command has. An option means the same
// everywhere, so it has one text. A command's own options have theirs where they are added.
#pragma once

namespace tocsin::app {

/// An option: its name, what stands for its value (empty: it takes none), and what help says.
struct OptionText {
  const char* name;
  const char* type;
  const char* text;
};

namespace option {

// How takes are read.
inline constexpr OptionText kMotion{"MOTION", "FILE",
                                    "The take: .bvh, .amc (with its .asf), .glb/.gltf, .fbx, "
                                    ".poses, .csv (with --avatar ROBOT.urdf)"};
inline constexpr OptionText kMotions{
    "MOTION", "FILE",
    "The take: .bvh, .amc (with its .asf), .glb/.gltf, .fbx, .poses, .csv (a plan, with --avatar "
    "ROBOT.urdf); several are checked together, "
    "on one time line"};
inline constexpr OptionText kAvatar{
    "--avatar", "NAME|FILE|auto",
    "The links: a model that comes with Tocsin, a model file, a robot's .urdf, or auto: the model "
    "that binds the "
    "most links by joint names, else by the skeleton's shape, else one link per bone (auto)"};
inline constexpr OptionText kScaleRadii{
    "--scale-radii", "none|auto|F",
    "Multiply the model's radii by F; auto: by how much longer the skeleton's bones are than the "
    "model's (none)"};
inline constexpr OptionText kSkeleton{"--skeleton", "FILE",
                                      "The .asf skeleton of an .amc take, or the .urdf of a plan; "
                                      "auto: the .asf in its folder whose name is the "
                                      "part before _, or the .urdf of --avatar (auto)"};
inline constexpr OptionText kMotionUnit{
    "--motion-unit", "U",
    "One unit of the take: m, cm, mm, in, cmu (0.0254/0.45 m), a number of metres, or auto: from "
    "the file, else by a person's height or what the frames tell (auto)"};
inline constexpr OptionText kReadingRate{
    "--rate", "HZ",
    "Frame rate, where the file has none (.amc: 120), or to sample a .glb, .gltf or .fbx at; auto: "
    "the take's own (auto)"};
inline constexpr OptionText kClip{
    "--clip", "NAME", "Which animation of a .glb, .gltf or .fbx, or auto: the only one (auto)"};
inline constexpr OptionText kSkin{
    "--skin", "NAME",
    "Which skeleton of a .glb, .gltf or .fbx, or auto: the only one that the clip moves (auto)"};
inline constexpr OptionText kMotionUp{"--motion-up", "y|z|x",
                                      "Axis of the take that points up (y)"};

inline constexpr OptionText kLike{
    "--like", "FILE",
    "In place of MOTION, --env and all that is checked: what a report or a live session's record "
    "(.poses) says (none)"};

// How rooms are read.
inline constexpr OptionText kEnv{
    "--env", "FILE", "A room: .obj, .ply, .stl, .glb/.gltf, .dae, .x3d, .fbx, .wrl; repeatable"};
inline constexpr OptionText kEnvUp{"--env-up", "y|z|x", "Axis of the room that points up (y)"};
inline constexpr OptionText kEnvScale{"--env-scale", "S", "One unit of the room in metres (1)"};
inline constexpr OptionText kTreeCache{
    "--tree-cache", "DIR",
    "Keep the rooms' trees in this folder: large rooms are ready sooner the next time (none)"};

// What is checked.
inline constexpr OptionText kPlace{
    "--place", "X,Y,Z[,YAW]",
    "Move the avatar by X,Y,Z metres (or as in 10cm,0,0) after turning it by YAW degrees about the "
    "up axis (0,0,0,0)"};
inline constexpr OptionText kFrames{
    "--frames", "[A]:[B][:STRIDE]",
    "Frames A to B, from 0, both included; a step joins frames f and f+STRIDE (all, 1)"};
inline constexpr OptionText kSkipRest{
    "--skip-rest", "",
    "Not from frame 0 on where that is the skeleton's rest pose (a T pose), put before the motion"};
inline constexpr OptionText kInBetween{
    "--in-between", "HOW", "How joints move between two frames: screw or translate_rotate (screw)"};
inline constexpr OptionText kHold{
    "--hold", "JOINT=MESH[@x,y,z,qw,qx,qy,qz]",
    "A mesh that the avatar holds: a link on that joint, called like the file, placed in the "
    "joint's frame (metres, quaternion); repeatable; of several takes, all hold it"};
inline constexpr OptionText kBody{
    "--body", "NAME=MESH[:MOTION]",
    "A body that meets the avatar and the room; MOTION: a .poses or a .csv with the header "
    "time,x,y,z,qw,qx,qy,qz; without it the body moves as its .glb says, or stands still; "
    "repeatable"};
inline constexpr OptionText kMargin{
    "--margin", "D", "Grow every link's radius by D: metres, or with a unit as in 2cm or 5mm (0)"};
inline constexpr OptionText kIgnore{
    "--ignore", "LINK:OBJECT",
    "Leave out these pairs; shell globs, repeatable: --ignore '*foot:Floor*'; under --self also "
    "LINK:LINK"};
inline constexpr OptionText kSurface{
    "--surface", "PATTERN",
    "Objects that are surfaces, so that a link inside is free; shell globs, repeatable, '*': all. "
    "Closed objects are solid otherwise (none)"};
/// The same where --surface has another meaning: tocsin validate had it first.
inline constexpr OptionText kSurfaceObject{"--surface-object", kSurface.type, kSurface.text};
inline constexpr OptionText kContacts{
    "--contacts", "pairs|first",
    "The first contact of every link and object in every step, or the earliest of each step only "
    "(pairs)"};
inline constexpr OptionText kClearance{
    "--clearance", "",
    "Add, per step and link, a proved lower bound of the least distance to anything"};
inline constexpr OptionText kNear{
    "--near", "D",
    "Also list what comes within D of each other and never touches: metres, or with a unit as in "
    "5cm"};
inline constexpr OptionText kNearest{
    "--nearest", "D",
    "Also tell, frame by frame, how far each link is from each object within D, or how deep in it: "
    "metres, or with a unit as in 5cm"};
inline constexpr OptionText kSampled{
    "--sampled", "",
    "Check the recorded frames only, as a frame-by-frame checker does: for comparison, without "
    "proof"};
inline constexpr OptionText kSelf{"--self", "",
                                  "Also check pairs of links of one avatar, except neighbours in "
                                  "its skeleton; --ignore LINK:LINK "
                                  "leaves out more"};
inline constexpr OptionText kIgnoreRest{
    "--ignore-rest", "",
    "With --self: leave out links that overlap already in the skeleton's rest pose"};
inline constexpr OptionText kSrdf{
    "--srdf", "FILE",
    "With --self, of a robot: leave out the pairs of links that this SRDF disables; none: no file; "
    "auto: the one beside the .urdf, of the same name (auto)"};
inline constexpr OptionText kStart{
    "--start", "SECONDS", "With several takes, on one time line: the time of a take's frame 0 (0)"};
inline constexpr OptionText kAbsent{
    "--absent", "gone|stays",
    "With several takes, before an avatar's take begins and after it ends: gone: it is absent; "
    "stays: it stands still in its first or last pose (gone)"};

// How it runs.
inline constexpr OptionText kTolerance{
    "--tolerance", "T", "Wanted width of the bracket around a time of contact, in steps (1e-9)"};
inline constexpr OptionText kThreads{"--threads", "N", "Threads (all)"};
inline constexpr OptionText kGlDevice{
    "--gl-device", "N",
    "The OpenGL device, as `tocsin devices` counts (TOCSIN_GL_DEVICE, else the first usable)"};
inline constexpr OptionText kGlSize{
    "--gl-size", "WxH",
    "Pixels of the view of one link over one stretch of time; each 8 to 8192 (64x64)"};
inline constexpr OptionText kGlMethod{
    "--gl-method", "flags|query",
    "How OpenGL's answers are gathered: bits set by fragments, or occlusion queries (flags)"};
inline constexpr OptionText kCudaDevice{
    "--cuda-device", "N[,N...]",
    "The CUDA devices, as `tocsin devices` counts; several share the work; with --emulate, as many "
    "are emulated (TOCSIN_CUDA_DEVICE, else the first)"};
inline constexpr OptionText kEmulate{
    "--emulate", "",
    "Run the code of the CUDA backend on the CPU, without a device: the same answer, more slowly "
    "than the CPU backend"};
inline constexpr OptionText kFailOnContact{"--fail-on-contact", "",
                                           "Exit with 1 if anything was touched"};

// How `check` shows its result.
inline constexpr OptionText kSort{
    "--sort", "time|depth|length",
    "The order of rows: of first touch, or the deepest or longest first (time; under --each the "
    "takes' own)"};
inline constexpr OptionText kGroup{"--group", "object|link",
                                   "One row an object, or a link, not one an episode"};
inline constexpr OptionText kAll{"--all", "", "Show every row, not only the first ones"};
inline constexpr OptionText kCsv{
    "--csv", "FILE",
    "Write the episodes of contact to FILE, comma-separated; - for standard output"};
inline constexpr OptionText kEach{
    "--each", "",
    "Check every take alone, with one table of all; --out is then a folder, of a report a take"};

// What is written and drawn by lot. The texts are completed by add_out() and add_seed().
inline constexpr OptionText kOut{"--out", "FILE", "Write {} to FILE; - for standard output ({})"};
inline constexpr OptionText kSeed{
    "--seed", "N", "Seed of the random numbers that decide {}: the same seed, the same result (1)"};
inline constexpr OptionText kAs{"--as", "motion|room|auto",
                                "What a .glb, .gltf or .fbx is read as (auto: {})"};

}  // namespace option

}  // namespace tocsin::app
