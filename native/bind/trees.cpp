// The room of inference over trees. Arguments are checked by headwise.trees; what is checked here only keeps
// memory safe.
#include <nanobind/stl/pair.h>

#include "bind/modules.hpp"
#include "bind/trees_arrays.hpp"
#include "trees/decode.hpp"

namespace headwise::bind {
namespace {

using Square = nb::ndarray<const double, nb::shape<-1, -1>, nb::c_contig, nb::device::cpu>;

template <class Decode>
auto decoder(Decode decode) {
  return [decode](const Square& scores, bool single_root) {
    require(scores.shape(0) == scores.shape(1) && scores.shape(0) >= 2, "scores must have shape (n+1, n+1)");
    const int n = static_cast<int>(scores.shape(0)) - 1;
    std::vector<int> heads(n);
    double score = 0.0;
    {
      nb::gil_scoped_release release;
      thread_local DecodeScratch scratch;
      score = decode(scores.data(), n, single_root, heads.data(), scratch);
    }
    return std::make_pair(integers(std::move(heads)), score);
  };
}

template <class Number>
void bind_arrays(nb::module_& module, const char* name) {
  nb::class_<PartArrays<Number>>(module, name).def(nb::init<const nb::kwargs&>());
}

}  // namespace

void trees(nb::module_ module) {
  nb::exception<NoTree>(module, "NoTreeError", PyExc_ValueError);
  module.def("decode_projective", decoder(decode_projective), nb::arg("scores"), nb::arg("single_root"),
             "The best projective tree: (heads, score), score −inf when there is none.");
  module.def("decode_nonprojective", decoder(decode_nonprojective), nb::arg("scores"), nb::arg("single_root"),
             "The best tree: (heads, score), score −inf when there is none.");
  bind_arrays<const double>(module, "Scores");
  bind_arrays<double>(module, "Marginals");
  bind_tables(module);
  bind_operations(module);
  bind_factorizations(module);
  bind_senses(module);
  bind_spanning(module);
  bind_candidates(module);
  bind_padded(module);
  bind_padded_parts(module);
}

}  // namespace headwise::bind
