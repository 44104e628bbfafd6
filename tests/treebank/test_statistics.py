from headwise.treebank import Treebank, read, statistics


def test_statistics_of_the_nasty_file(fixtures):
    counts = statistics(read(fixtures / "nasty.conllu"))
    assert (counts.sentences, counts.words, counts.longest) == (6, 23, 7)
    assert (counts.multiword_tokens, counts.empty_nodes) == (2, 4)
    assert counts.tokens == 23 - 1 - 2
    assert counts.longest_source.endswith("nasty.conllu:5")
    # The third sentence has words without heads, so it is no tree.
    assert (counts.trees, counts.arcs) == (5, 20)
    assert counts.problems == {"missing-head": 1}
    assert (counts.nonprojective_trees, counts.nonprojective_arcs) == (1, 2)
    assert counts.multi_root_trees == 1
    assert counts.labels["root"] == 6
    assert counts.filled["heads"] == 21
    assert counts.filled["misc"] == 6


def test_broken_trees_and_bare_sentences(fixtures):
    data = (
        b"1\ta\t_\t_\t_\t_\t2\t_\t_\t_\n2\tb\t_\t_\t_\t_\t1\t_\t_\t_\n\n"
        b"1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
        b"# x\n1\ta\t_\t_\t_\t_\t0\t_\t_\t_\n2\tb\t_\t_\t_\t_\t9\t_\t_\t_\n\n"
    )
    counts = statistics(read(data, validate="columns"))
    assert (counts.sentences, counts.trees, counts.unannotated) == (3, 0, 1)
    assert counts.problems == {"cycle": 1, "no-root": 1, "out-of-range": 1}
    assert counts.first_problems["out-of-range"].startswith("<bytes>:8: word 2 has head 9")


def test_treebank(fixtures):
    treebank = Treebank.load(fixtures / "nasty.conllu")
    assert repr(treebank) == "<Treebank of 6 sentences, 23 words>"
    assert treebank.labels == sorted(set(treebank.labels))
    assert "nummod" in treebank.labels
    assert "_" not in treebank.labels
    assert isinstance(treebank[1:3], Treebank)
    assert list(treebank[1:3]) == [treebank[1], treebank[2]]
    assert treebank[-1].forms == ["da", "me", "lo"]
    assert treebank.statistics() == statistics(treebank)
    assert treebank == Treebank.load(fixtures / "nasty.conllu")


def test_loading_with_broken_sentences():
    treebank = Treebank.load(b"bad\n\n1\ta\t_\t_\t_\t_\t0\t_\t_\t_\n\n", on_error="skip")
    assert len(treebank) == 1
    assert [error.line for error in treebank.skipped] == [1]
