"""What was read and not changed comes back byte for byte; what was changed differs in those fields only."""

import io

import pytest

from headwise.treebank import Treebank, read, write

NASTY = ["nasty.conllu", "nasty-crlf.conllu", "mixed-endings.conllu", "old.conll", "eight.conll"]


@pytest.mark.parametrize("name", NASTY)
def test_unchanged_file_comes_back_byte_for_byte(fixtures, tmp_path, name):
    write(read(fixtures / name), tmp_path / name)
    assert (tmp_path / name).read_bytes() == (fixtures / name).read_bytes()


@pytest.mark.parametrize("name", NASTY)
@pytest.mark.parametrize("size", [1, 2, 7, 64])
def test_pieces_of_any_size_give_the_same_sentences(fixtures, name, size):
    data = (fixtures / name).read_bytes()

    class Dribble(io.RawIOBase):
        def __init__(self):
            self.file = io.BytesIO(data)

        def readable(self):
            return True

        def readinto(self, buffer):
            piece = self.file.read(min(size, len(buffer)))
            buffer[: len(piece)] = piece
            return len(piece)

    format = "conllx" if name.endswith(".conll") else "conllu"
    reader = read(Dribble(), format=format)
    whole = read(fixtures / name, format=format)
    assert list(reader) == list(whole)
    assert reader.trailer == whole.trailer


@pytest.mark.parametrize("name", NASTY)
def test_new_tree_changes_head_and_deprel_only(fixtures, name):
    for sentence in read(fixtures / name):
        heads = [m - 1 for m in range(1, len(sentence) + 1)]
        changed = sentence.with_tree(heads, ["chain"] * len(sentence))
        assert changed.heads.tolist() == heads
        assert changed.labels == ["chain"] * len(sentence)
        before, after = (s.to_bytes().split(b"\n") for s in (sentence, changed))
        assert len(before) == len(after)
        for old, new in zip(before, after, strict=True):
            if old == new:
                continue
            old_fields, new_fields = old.rstrip(b"\r").split(b"\t"), new.rstrip(b"\r").split(b"\t")
            assert old_fields[0].isdigit()
            assert old.endswith(b"\r") == new.endswith(b"\r")
            assert old_fields[:6] + old_fields[8:] == new_fields[:6] + new_fields[8:]


def test_same_tree_changes_nothing(fixtures):
    for sentence in read(fixtures / "nasty.conllu"):
        # One head is written "000": it is the same head, so its bytes stay.
        assert sentence.with_tree(sentence.heads, sentence.labels, sentence.misc) == sentence


def test_misc_changes_where_asked(fixtures):
    sentence = next(read(fixtures / "nasty.conllu"))
    misc = [*sentence.misc[:-1], "p=0.93"]
    changed = sentence.with_tree(sentence.heads, misc=misc)
    assert changed.misc == misc
    assert changed.to_bytes() == sentence.to_bytes().replace(b"3:parataxis\t_", b"3:parataxis\tp=0.93")


def test_treebank_keeps_the_trailer(fixtures, tmp_path):
    treebank = Treebank.load(fixtures / "mixed-endings.conllu")
    assert treebank.trailer.endswith(b"# a comment without a sentence\n# at the end\n")
    treebank.save(tmp_path / "copy.conllu")
    assert (tmp_path / "copy.conllu").read_bytes() == (fixtures / "mixed-endings.conllu").read_bytes()


def test_sentences_of_two_files_do_not_run_together(fixtures, tmp_path):
    first = Treebank.load(fixtures / "nasty.conllu")  # no line break at its end
    second = Treebank.load(fixtures / "nasty-crlf.conllu")  # a byte-order mark at its beginning
    (first + second).save(tmp_path / "both.conllu")
    both = Treebank.load(tmp_path / "both.conllu")
    assert [s.forms for s in both] == [s.forms for s in first] + [s.forms for s in second]
    assert (tmp_path / "both.conllu").read_bytes().count(b"\xef\xbb\xbf") == 0
    (second + first).save(tmp_path / "both.conllu")
    assert (tmp_path / "both.conllu").read_bytes().startswith(b"\xef\xbb\xbf")
    assert len(Treebank.load(tmp_path / "both.conllu")) == len(both)


@pytest.mark.data
def test_shared_treebanks_come_back_byte_for_byte(treebanks):
    import lzma

    for path in treebanks:
        data = lzma.decompress(path.read_bytes())
        output = io.BytesIO()
        write(read(data, validate="columns"), output)
        assert output.getvalue() == data, path


@pytest.mark.data
def test_shared_treebanks_hold_one_malformed_sentence(treebanks):
    skipped = []
    for path in treebanks:
        reader = read(path, on_error="skip")
        for _ in reader:
            pass
        skipped += reader.skipped
    assert len(skipped) == 1
    assert skipped[0].file.endswith("UD_Dutch-LassySmall/train.conllu.xz")
    assert (skipped[0].line, skipped[0].column) == (55846, 30)
    assert "its own head" in skipped[0].problem
