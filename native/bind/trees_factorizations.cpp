// Distributions over projective trees under each factorization, and what Python has to know of the factorizations.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>

#include <optional>
#include <string>
#include <utility>

#include "base/index.hpp"
#include "bind/trees_arrays.hpp"
#include "trees/compiled.hpp"
#include "trees/factorizations/sibling_table.hpp"

namespace headwise::bind {
namespace {

void check_dense_sizes(const ScoreArrays& scores, std::size_t nodes) {
  const auto& siblings = scores[Siblings{}];
  require(!siblings || static_cast<Index>(siblings->size()) == sibling_count(static_cast<int>(nodes)),
          "siblings must be packed");
  const auto& positions = scores.positions(Arcs{});
  require(!positions || positions->size() == positions->shape(0) * nodes * nodes,
          "arc_positions must have shape (2, n+1, n+1)");
}

void check_compact_sizes(const ScoreArrays& scores, const Candidates& arcs) {
  const auto& labels = scores.labels.value();
  require(labels.ndim() == 2 && static_cast<Index>(labels.shape(0)) == arcs.arcs() && labels.shape(1) >= 1,
          "labels must have shape (arcs, L)");
  const auto has_size = [](const auto& array, Index size) {
    require(!array || static_cast<Index>(array->size()) == size, "a compact table has the wrong size");
  };
  PartKinds::each([&]<class Kind>(Kind kind) { has_size(scores[kind], Kind::count(arcs)); });
  PositionalKinds::each([&]<class Kind>(Kind kind) {
    if (const auto& array = scores.positions(kind))
      has_size(array, Kind::count(arcs) * static_cast<Index>(array->shape(0)));
  });
}

// Over candidates, or over all arcs where there are none.
OwningDistribution* make_distribution(const std::string& factorization, const ScoreArrays& scores, bool single_root,
                                      const Candidates* arcs) {
  return with_factorization(factorization_of(factorization), [&]<class Trees>(std::type_identity<Trees>) {
    int words = 0;
    if (arcs) {
      check_compact_sizes(scores, *arcs);
    } else {
      require(is_dense<Trees>, "this factorization needs candidates");
      words = static_cast<int>(nodes_of(scores)) - 1;
      check_dense_sizes(scores, static_cast<std::size_t>(words) + 1);
    }
    return new OwningDistribution{Compiled<Trees>::distribution(arcs, words, scores.tables(), single_root), scores};
  });
}

template <class Kind>
void add_table(nb::dict& tables, Kind) {
  tables[std::string(Kind::table).c_str()] = 0;
}
template <class Kind, int count>
void add_table(nb::dict& tables, Positions<Kind, count>) {
  tables[position_table<Kind>().c_str()] = count;
}

struct Info {
  nb::dict tables;
  bool is_dense;
  std::optional<std::pair<std::string, int>> head_view;
};

template <class Trees>
Info info_of() {
  Info info{nb::dict(), is_dense<Trees>, std::nullopt};
  Trees::Tables::each([&](auto table) { add_table(info.tables, table); });
  if constexpr (HasHeadView<Trees>) {
    constexpr const char* views[] = {"none", "every modifier", "last modifiers"};
    constexpr HeadView view = Trees::head_view;
    info.head_view.emplace(views[at(view.grandparent)], view.siblings);
  }
  return info;
}

}  // namespace

void bind_factorizations(nb::module_& module) {
  nb::class_<Info>(module, "FactorizationInfo")
      .def_ro("tables", &Info::tables, "The tables besides arcs, and how many positions each tells apart; 0: none.")
      .def_ro("is_dense", &Info::is_dense, "Whether tables are over all arcs, and not over candidates.")
      .def_ro("head_view", &Info::head_view,
              "Where head automata look at the grandparent, and how many modifiers back; None where there are none: "
              "no search for crossing arcs has this one.");
  nb::dict factorizations, nodes, positions_of;
#define HEADWISE_ADD(name, Trees) factorizations[#name] = nb::cast(info_of<Trees>());
  HEADWISE_FACTORIZATIONS(HEADWISE_ADD)
#undef HEADWISE_ADD
  PartKinds::each([&]<class Kind>(Kind) { nodes[std::string(Kind::table).c_str()] = Kind::words; });
  PositionalKinds::each([&]<class Kind>(Kind) {
    nodes[position_table<Kind>().c_str()] = Kind::words;
    positions_of[position_table<Kind>().c_str()] = std::string(Kind::table);
  });
  module.attr("FACTORIZATIONS") = factorizations;
  module.attr("PART_NODES") = nodes;
  module.attr("PARTS_OF_POSITIONS") = positions_of;
  module.def("distribution", make_distribution, nb::arg("factorization"), nb::arg("scores"), nb::arg("single_root"),
             nb::arg("candidates").none() = nb::none());
}

}  // namespace headwise::bind
