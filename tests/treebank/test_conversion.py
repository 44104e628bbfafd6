from headwise.treebank import Losses, conversion_losses, convert, read


def test_conllu_to_conllx_keeps_the_words(fixtures):
    losses = Losses()
    for sentence in read(fixtures / "nasty.conllu"):
        losses += conversion_losses(sentence, "conllx")
        converted = sentence.to_conllx()
        assert converted.format == "conllx"
        assert all(token.is_word for token in converted.tokens)
        assert converted.comments == []
        for name in ("forms", "lemmas", "upos", "xpos", "feats", "labels"):
            assert getattr(converted, name) == getattr(sentence, name)
        assert converted.heads.tolist() == sentence.heads.tolist()
        assert converted.source == sentence.source
        assert next(read(converted.to_bytes(), format="conllx")) == converted
    assert losses == Losses(comments=13, multiword_tokens=2, empty_nodes=4, deps=7, misc=6)
    assert str(losses).startswith("13 comments, 2 multiword tokens, 4 empty nodes, 7 DEPS fields")


def test_conllx_to_conllu(fixtures):
    sentences = list(read(fixtures / "old.conll"))
    assert sentences[0].format == "conllx"
    assert conversion_losses(sentences[0], "conllu") == Losses(phead=2, pdeprel=2)
    assert not conversion_losses(sentences[1], "conllu")
    converted = convert(sentences[0], "conllu")
    assert converted.format == "conllu"
    assert converted.deps == converted.misc == ["_"] * 4
    assert converted.upos == ["PP", "V", "P", "X"]
    # What CoNLL-U cannot say is gone; what it can say comes back.
    assert convert(convert(sentences[1], "conllu"), "conllx") == sentences[1]


def test_the_same_format_is_left_alone(fixtures):
    for sentence in read(fixtures / "nasty.conllu"):
        assert convert(sentence, "conllu") == sentence
        assert not conversion_losses(sentence, "conllu")


def test_eight_columns_become_ten(fixtures):
    sentence = next(read(fixtures / "eight.conll"))
    assert sentence.misc == ["_"] * 3
    assert sentence.to_conllu().to_bytes().split(b"\n")[0] == b"1\tTwo\t_\tX\tX\t_\t2\tdep\t_\t_"
    assert sentence.with_tree([0, 1, 1]).to_bytes().split(b"\n")[0] == b"1\tTwo\t_\tX\tX\t_\t0\tdep"


def test_line_endings_stay(fixtures):
    for sentence in read(fixtures / "nasty-crlf.conllu"):
        assert b"\n" not in sentence.to_conllx().to_bytes().replace(b"\r\n", b"")
