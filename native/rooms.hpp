// The rooms of the core, a namespace and a folder each, and which is built on which: a room sees the names of those
// that stand before it here, and of no others.
#pragma once

namespace headwise {
namespace base {}  // threads, random numbers, hashing, characters, vectors of several widths
namespace trees {  // inference over all trees of a sentence, from tables of scores
using namespace base;
}
namespace simd {  // loops that are compiled for several widths of vectors, wherever they lie
using namespace trees;
}
namespace treebank {  // sentences, their files, their trees
using namespace trees;
}
namespace patterns {  // pieces of trees that people look for
using namespace treebank;
}
namespace scoring {  // what fills the tables: features, a network, features of whole trees
using namespace treebank;
}
namespace parsing {  // candidates → scores → search → labels
using namespace scoring;
}
namespace confidence {  // how probable parses are
using namespace parsing;
}
namespace learning {  // from gold trees to weights
using namespace parsing;
}
namespace tagging {  // sequences of tags, and the scripts of lemmas
using namespace learning;
}
namespace constituency {  // phrase structure: grammars, and all trees under them
using namespace trees;
}
namespace clusters {  // words clustered by the company they keep in raw text
using namespace base;
}
namespace text {  // raw text: the ends of tokens and sentences
using namespace learning;
}
namespace bind {  // nanobind, and no algorithms
using namespace confidence;
using namespace tagging;
using namespace text;
using namespace patterns;
}
}  // namespace headwise
