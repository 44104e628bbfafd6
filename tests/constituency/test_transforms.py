"""Simplified, binarized and headed trees."""

from __future__ import annotations

import pytest
from test_brackets import random_trees

from headwise.constituency import Tree, TreeError
from headwise.constituency.binarize import (
    Markovization,
    binarize,
    collapse_unaries,
    expand_unaries,
    is_intermediate,
    unbinarize,
)
from headwise.constituency.dependencies import heads_of, to_dependencies
from headwise.constituency.head_rules import HeadRuleError, HeadRules
from headwise.constituency.pcfg import count_rules
from headwise.constituency.simplify import (
    Simplification,
    base_label,
    is_empty,
    without_chains,
    without_empty,
)

COLLINS = HeadRules.load("collins")
HISTORICAL = HeadRules.load("historical")


@pytest.mark.parametrize("horizontal", [0, 1, 3])
@pytest.mark.parametrize("vertical", [1, 2, 3])
def test_binarization_undoes_exactly(horizontal: int, vertical: int) -> None:
    for tree in random_trees():
        binary = binarize(tree, COLLINS, Markovization(horizontal, vertical))
        assert all(len(node) <= 2 for node in binary.nodes())
        assert binary.words == tree.words
        assert unbinarize(binary) == tree


def test_collapsed_chains_expand_exactly() -> None:
    for tree in random_trees():
        collapsed = collapse_unaries(tree)
        assert all(len(node) != 1 or node[0].is_word for node in collapsed.nodes() if not node.is_word)
        assert expand_unaries(collapsed) == tree


def test_phrases_are_built_around_their_heads() -> None:
    tree = Tree.parse("(NP (DT the) (JJ old) (NN man) (PP (IN of) (NP (NN war))))")
    binary = binarize(tree, COLLINS, Markovization(1, 1))
    assert binary.label == "NP"
    assert binary[1].label == "NP⟨L JJ⟩"
    assert binary[1][1].label == "NP⟨R PP⟩"
    assert is_intermediate(binary[1].label)
    assert not is_intermediate("NP⟨^S⟩")
    with pytest.raises(TreeError, match="⟨"):
        binarize(Tree.parse("(A⟨B⟩ (c d) (e f))"), COLLINS)


def test_empty_elements_go_with_the_phrases_they_leave_empty() -> None:
    tree = Tree.parse(
        "(S (NP-SBJ *con*) (VP (V goes) (CP (C 0) (WNP-1 0)) (NP (NUM 0) (N goals))) (X (-NONE- *)))"
    )
    shown = without_empty(tree)
    assert str(shown) == "(S (VP (V goes) (NP (NUM 0) (N goals))))"
    assert without_empty(Tree.parse("(S (NP *T*-1))")) is None
    assert not is_empty(Tree("SYM", word="*"))
    assert not is_empty(Tree("CD", word="0"))
    assert is_empty(Tree("TO", word="*"))


def test_simplification_is_a_choice() -> None:
    tree = Tree.parse("((IP-MAT-SPE (NP-SBJ-1 (NP (PRO-N hann))) (VBDI kom)))")
    assert str(Simplification()(tree)) == "(ROOT (IP (NP (PRO-N hann)) (VBDI kom)))"
    kept = Simplification(keep_functions=("MAT",), repeats=True)(tree)
    assert str(kept) == "(ROOT (IP-MAT (NP (NP (PRO-N hann))) (VBDI kom)))"
    assert str(Simplification(functions=True)(Tree.parse("(S-X (A b))"))) == "(ROOT (S-X (A b)))"
    assert Simplification()(Tree.parse("(S (NP *pro*))")) is None


@pytest.mark.parametrize(
    ("label", "bare"),
    [("NP-SBJ-1", "NP"), ("IP=2", "IP"), ("-NONE-", "-NONE-"), ("S|x", "S"), ("grup.nom", "grup.nom")],
)
def test_base_labels(label: str, bare: str) -> None:
    assert base_label(label) == bare


@pytest.mark.parametrize(
    ("phrase", "head"),
    [
        ("(NP (DT the) (NN dog) (POS 's))", 2),
        ("(NP (NP (DT a) (NN b)) (PP (IN of) (NP (NN c))))", 0),
        ("(NP (NNP A) (CC and) (NNP B))", 0),
        ("(NP (CD two) (JJ many))", 0),
        ("(VP (MD can) (RB not) (VP (VB go)))", 0),
        ("(VP (VBZ is) (VP (VBG going)))", 0),
        ("(S (NP (PRP I)) (VP (VBP go)) (. .))", 1),
        ("(PP (IN of) (NP (NN c)))", 0),
        ("(ADVP (RB very) (RB well))", 1),
        ("(SBAR (IN that) (S (VP (VB x))))", 0),
        ("(S (`` x) (. .))", 0),
        ("(UNKNOWN (, ,) (A b) (C d))", 1),
    ],
)
def test_heads_as_in_collins_appendix(phrase: str, head: int) -> None:
    assert COLLINS.head_of(Tree.parse(phrase)) == head


@pytest.mark.parametrize(
    ("phrase", "head"),
    [
        ("(IP-MAT (NP-SBJ (PRO-N hann)) (BEDI var) (VBN kominn))", 1),
        ("(IP-INF (TO að) (VB fara))", 1),
        ("(NP (D-A þann) (N-A dag))", 1),
        ("(NP-SBJ (N-A höfuð$) (D-A $ið))", 0),
        ("(CP-REL (C er) (IP-SUB (BEDI var)))", 0),
        ("(PP (P á) (NP (N-D skipi)))", 0),
    ],
)
def test_heads_in_the_historical_style(phrase: str, head: int) -> None:
    assert HISTORICAL.head_of(Tree.parse(phrase)) == head


def test_rules_are_data() -> None:
    again = HeadRules.parse(COLLINS.to_lines())
    assert again == COLLINS
    with pytest.raises(HeadRuleError, match="x:2: sideways"):
        HeadRules.parse(["A: left B", "C: sideways D"], "x")
    with pytest.raises(HeadRuleError, match="colon"):
        HeadRules.parse(["nothing"])


def test_rules_are_chosen_by_the_tags_and_learned_where_unknown() -> None:
    assert HeadRules.choose([Tree.parse("(S (NP (NN a)) (VP (VBZ b) (NP (NN c))))")]).name == "collins"
    assert HeadRules.choose([Tree.parse("(IP-MAT (NP-SBJ (PRO-N a)) (VBDI b))")]).name == "historical"
    german = [
        Tree.parse("(S (np (ART der) (NN Hund)) (vp (VVFIN frisst)) ($. .))"),
        Tree.parse("(S (np (NN Brot) (pp (APPR aus) (np (NN Korn)))) (vp (VVFIN ist) (ADJD gut)) ($. .))"),
        Tree.parse("(S (vp (VVFIN regnet)) ($. .))"),
    ]
    rules = HeadRules.choose(german)
    assert rules.name == "learned"
    assert rules.is_punctuation("$.")
    assert rules.head_of(german[1]) == 1
    assert rules.head_of(german[0][0]) == 1
    assert rules.is_verb("VVFIN")


def test_spanish_heads() -> None:
    tree = Tree.parse(
        "(sentence (sn-SUJ (espec.ms (da0ms0 el))"
        " (grup.nom.ms (ncms000 gato) (s.a.ms (grup.a.ms (aq0ms0 negro)))))"
        " (grup.verb (vaip3s0 ha) (vmp00sm comido))"
        " (sp-CC (prep (sps00 en)) (sn (grup.nom (np00000 Madrid)))) (Fp .))"
    )
    rules = HeadRules.choose([tree])
    assert rules.name == "ancora"
    assert heads_of(tree, rules) == [2, 5, 2, 5, 0, 5, 6, 5]
    assert to_dependencies(tree, rules).labels[7] == "P"


def test_rules_for_names_with_patterns() -> None:
    rules = HeadRules.parse(["S: left", "S.[AB]*: right", "*: left B"])
    assert rules.head_among("S", ["A", "B"]) == 0
    assert rules.head_among("S.A.1", ["A", "B"]) == 1
    assert rules.head_among("S.C", ["A", "B"]) == 1
    assert HeadRules.parse([]).head_among("S", ["A", "B"]) == 0


def test_chains_are_left_out() -> None:
    tree = Tree.parse("(S (VP (V go) (NP (NX (NP (N home))))))")
    assert str(without_chains(tree)) == "(S (V go) (NP (N home)))"
    assert str(Simplification(chains=False)(tree)) == "(ROOT (S (V go) (NP (N home))))"


def test_phrases_of_a_thousand_children() -> None:
    tree = Tree("S", tuple(Tree("NN", word=f"w{k}") for k in range(1200)))
    assert unbinarize(binarize(tree, COLLINS)) == tree
    counts = count_rules([tree], COLLINS, Markovization(1, 1))
    assert sum(counts.rules.values()) == 1199


def test_rules_from_dependencies() -> None:
    tree = Tree.parse("(S (NP (D the) (N dog)) (VP (V sees) (NP (D a) (N cat))))")
    rules = HeadRules.from_dependencies([(tree, [2, 3, 0, 5, 3])])
    assert heads_of(tree, rules) == [2, 3, 0, 5, 3]


def test_dependencies_of_brackets() -> None:
    tree = Tree.parse(
        "(S (NP-SBJ (PRP She)) (VP (MD will) (VP (VB read) (NP (DT a) (NN book))"
        " (PP-TMP (IN in) (NP (NNP May))))) (. .))"
    )
    sentence = to_dependencies(tree, COLLINS)
    assert sentence.forms == tree.words
    assert sentence.heads.tolist() == [2, 0, 2, 5, 3, 3, 6, 2]
    assert sentence.labels == ["SBJ", "ROOT", "VC", "NMOD", "OBJ", "TMP", "PMOD", "P"]
    assert to_dependencies(tree, COLLINS, labels=False).labels == ["_"] * 8
