#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>

#include <stdexcept>

#include "bind/rooms.hpp"
#include "decode.hpp"

namespace nb = nanobind;

namespace headwise::bind {
namespace {

using Table = nb::ndarray<const double, nb::shape<-1, -1>, nb::c_contig, nb::device::cpu>;
using Heads = nb::ndarray<nb::numpy, std::int32_t, nb::shape<-1>>;

template <class Decode>
auto decoder(Decode decode) {
  return [decode](Table scores, bool single_root) {
    const int n = static_cast<int>(scores.shape(0)) - 1;
    if (n < 1 || scores.shape(0) != scores.shape(1)) throw std::invalid_argument("scores must be square");
    auto* heads = new std::int32_t[n];
    nb::capsule owner(heads, [](void* p) noexcept { delete[] static_cast<std::int32_t*>(p); });
    double score = 0.0;
    {
      nb::gil_scoped_release release;
      thread_local DecodeScratch scratch;
      score = decode(scores.data(), n, single_root, heads, scratch);
    }
    return std::make_pair(Heads(heads, {static_cast<std::size_t>(n)}, owner), score);
  };
}

}  // namespace

void trees(nb::module_ module) {
  module.def("decode_projective", decoder(decode_projective), nb::arg("scores"), nb::arg("single_root"));
  module.def("decode_nonprojective", decoder(decode_nonprojective), nb::arg("scores"), nb::arg("single_root"));
}

}  // namespace headwise::bind
