#!/usr/bin/env bash
# Everything that is to be known about Tocsin on a GPU, ready to be carried to one: dist/gpu-kit/ with go.sh, which needs
# nothing but a driver. scripts/keep_gpu_results.sh files what it finds.
#   scripts/gpu_kit.sh
set -euo pipefail
cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
. scripts/lib.sh

largest=60 # MiB: with the results it fits where 64 MiB can be carried
architectures="80-real;90-real;100-real;120"
# What one run compares: name and CMake's options. Real code for every architecture: what a driver compiles itself would take a
# variant's whole time. Packed tightly, and without PTX, since there are five of them.
variants=(
  "block-64 -DTOCSIN_CUDA_BLOCK=64"
  "block-256 -DTOCSIN_CUDA_BLOCK=256"
  "registers-96 -DTOCSIN_CUDA_REGISTERS=96"
  "registers-128 -DTOCSIN_CUDA_REGISTERS=128"
  "registers-168 -DTOCSIN_CUDA_REGISTERS=168"
)
variant_architectures="80-real;90-real;100-real;120-real"
programs=(bench_cuda cuda_batch_test cuda_broadphase_test cuda_certify_test cuda_detector_test cuda_device_test cuda_motion_test
  cuda_several_test cuda_tree_test gl_adversarial_test gl_answers_test gl_context_test gl_detector_test gl_raster_test gl_visibility_test)

need build test package
./run package
version=$(sed -n 's/.*kVersion = "\([0-9.]*\)".*/\1/p' include/tocsin/version.h)

# Tests and benches from shared libraries: as archives, each would hold all kernels. Their places to each other are kept.
build=build/gpu-kit
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=ON -DTOCSIN_UNITY_BUILD=ON \
  -DTOCSIN_CUDA=ON -DCMAKE_BUILD_RPATH_USE_ORIGIN=ON "-DTOCSIN_CUDA_ARCHITECTURES=$architectures"
cmake --build "$build" --target "${programs[@]}" --parallel "$jobs"

kit=dist/gpu-kit
rm -rf -- "$kit" "$build/kit"
mkdir -p "$kit" "$build/kit"/{data,sources,variants}
inside=$build/kit
cp -r "build/package-release/tocsin-$version-linux-x86_64" "$inside/package"
rm -r "$inside/package/share/doc/tocsin/docs" # its pictures: the archive has them
mkdir -p "$inside/programs/bin"
(cd "$build" && find . -name 'libtocsin*.so*' -not -path './kit/*' -exec cp -P --parents {} kit/programs/ \;)
for program in "${programs[@]}"; do cp "$build/bin/$program" "$inside/programs/bin/"; done
find "$inside/programs" -type f -exec strip --strip-unneeded {} +
cp -L "$(ldd "$build/bin/bench_cuda" | awk '$1 ~ /^libcudart/ { print $3 }')" "$inside/package/lib/"
# GLVND's loaders, for a machine that has a driver and not them; go.sh takes them only there.
mkdir "$inside/glvnd"
for library in libEGL.so.1 libGLdispatch.so.0; do
  file=$(ldconfig -p | awk -v name="$library" '$1 == name && /x86-64/ && !found++ { print $NF }')
  [ -n "$file" ] || die "there is no $library here: apt-get install libegl1"
  cp -L -- "$file" "$inside/glvnd/"
done
cp -L /usr/share/doc/libglvnd0/copyright "$inside/package/share/doc/tocsin/licences/libglvnd0"
cp -L /usr/share/doc/libgtest-dev/copyright "$inside/package/share/doc/tocsin/licences/libgtest-dev" # in the test programs
cp -r motions environments avatar_models shaders "$inside/sources/"
if data=$(data_dir); then
  mkdir -p "$inside/data/environments" "$inside/data/motions"/{cmu,cmu_bvh}
  cp "$data/environments/small_house.obj" "$inside/data/environments/"
  cp "$data/motions/cmu_bvh/01_01.bvh" "$inside/data/motions/cmu_bvh/"
  cp "$data"/motions/cmu/*.asf "$data"/motions/cmu/*.amc "$inside/data/motions/cmu/" # what the tests in the house play
else
  say "no test data (TOCSIN_DATA): the kit has no recorded take, and skips what needs one"
fi

for variant in "${variants[@]}"; do
  read -ra options <<<"$variant"
  folder=build/gpu-kit-variants/${options[0]}
  cmake -S . -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=ON -DTOCSIN_UNITY_BUILD=ON -DTOCSIN_CUDA=ON \
    -DTOCSIN_BUILD_TESTS=OFF -DTOCSIN_BUILD_BENCH=OFF -DTOCSIN_IO=OFF -DTOCSIN_GL=OFF -DTOCSIN_CLIENT=OFF -DTOCSIN_SERVICE=OFF \
    -DTOCSIN_VIEW=OFF "-DTOCSIN_CUDA_ARCHITECTURES=$variant_architectures" -DCMAKE_CUDA_FLAGS=--compress-mode=size "${options[@]:1}"
  cmake --build "$folder" --target tocsin_component_cuda --parallel "$jobs"
  mkdir -p "$inside/variants/${options[0]}"
  cp -L "$folder"/src/devices/libtocsin_cuda.so.*.*.* "$inside/variants/${options[0]}/libtocsin_cuda.so"
  strip --strip-unneeded "$inside/variants/${options[0]}/libtocsin_cuda.so"
done

git describe --always --dirty >"$inside/revision" 2>/dev/null || echo unknown >"$inside/revision"
# xz makes it a third smaller than gzip: it sees that two programs have the same kernels. It comes along, for machines without.
mkdir "$kit/unpack"
for file in "$(command -v xz)" "$(ldd "$(command -v xz)" | awk '$1 ~ /^liblzma/ { print $3 }')"; do
  cp -L -- "$file" "$kit/unpack/"
done
cp -L /usr/share/doc/xz-utils/copyright "$inside/package/share/doc/tocsin/licences/xz-utils"
tar -C "$inside" --sort=name --owner=0 --group=0 --numeric-owner -cf - . | xz -9 >"$kit/kit.tar.xz"
cp scripts/gpu_kit/go.sh "$kit/go.sh"
chmod 755 "$kit/go.sh"
size=$(du -sm "$kit" | cut -f1)
[ "$size" -le "$largest" ] || die "$kit is $size MiB: at most $largest are meant"
say "$kit: $size MiB. There: ./go.sh RESULTS; here again: scripts/keep_gpu_results.sh RESULTS"
