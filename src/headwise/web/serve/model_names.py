"""Names that a model answers to, as in UDPipe: its own, their beginnings up to a dash, codes of languages.

``swedish-talbanken-ud-2.12`` is also ``swedish-talbanken-ud``, ``swedish-talbanken``, ``swedish``, ``sv`` and
``swe``. Where two models have a claim to a name, the first one has it.
"""

from __future__ import annotations

from collections.abc import Iterable

# English name, ISO 639-1 and ISO 639-3 (- where there is none) of the languages of Universal Dependencies.
_LANGUAGES = """
abaza - abq|afrikaans af afr|akkadian - akk|albanian sq sqi|amharic am amh|ancient_greek - grc|
arabic ar ara|armenian hy hye|azerbaijani az aze|bambara bm bam|basque eu eus|bavarian - bar|
belarusian be bel|bengali bn ben|bhojpuri - bho|breton br bre|bulgarian bg bul|buryat - bxr|
cantonese - yue|catalan ca cat|cebuano - ceb|chinese zh zho|classical_armenian - xcl|
classical_chinese - lzh|coptic - cop|croatian hr hrv|czech cs ces|danish da dan|dutch nl nld|
english en eng|erzya - myv|estonian et est|faroese fo fao|finnish fi fin|french fr fra|galician gl glg|
georgian ka kat|german de deu|gheg - aln|gothic - got|greek el ell|guarani gn grn|gujarati gu guj|
haitian_creole ht hat|hausa ha hau|hebrew he heb|hindi hi hin|hittite - hit|hungarian hu hun|
icelandic is isl|indonesian id ind|irish ga gle|italian it ita|japanese ja jpn|javanese jv jav|
kazakh kk kaz|komi_zyrian - kpv|korean ko kor|kyrgyz ky kir|latin la lat|latvian lv lav|ligurian - lij|
lithuanian lt lit|low_saxon - nds|luxembourgish lb ltz|macedonian mk mkd|malayalam ml mal|maltese mt mlt|
manx gv glv|marathi mr mar|naija - pcm|north_sami se sme|norwegian no nor|old_church_slavonic cu chu|
old_east_slavic - orv|old_french - fro|ottoman_turkish - ota|persian fa fas|polish pl pol|pomak - qpm|
portuguese pt por|romanian ro ron|russian ru rus|sanskrit sa san|scottish_gaelic gd gla|serbian sr srp|
sindhi sd snd|sinhala si sin|slovak sk slk|slovenian sl slv|spanish es spa|swedish sv swe|
swiss_german - gsw|tagalog tl tgl|tamil ta tam|tatar tt tat|telugu te tel|thai th tha|turkish tr tur|
turkish_german - qtd|ukrainian uk ukr|upper_sorbian - hsb|urdu ur urd|uyghur ug uig|uzbek uz uzb|
vietnamese vi vie|welsh cy cym|western_armenian - hyw|wolof wo wol|xibe - sjo|yakut - sah|yoruba yo yor|
zulu zu zul
"""
_BY_NAME = {
    name: [other for other in row.split() if other != "-"]
    for row in _LANGUAGES.replace("\n", "").split("|")
    for name in row.split()
    if name != "-"
}


def names_of(given: str) -> list[str]:
    """All names of a model that was named so (several names stand between colons), the first one first."""
    own = [name for name in given.split(":") if name]
    prefixes = [prefix for name in own for prefix in _prefixes(name)]
    codes = [code for name in prefixes for code in _BY_NAME.get(name, ())]
    return list(dict.fromkeys([*prefixes, *codes]))


def _prefixes(name: str) -> Iterable[str]:
    parts = name.split("-")
    return ("-".join(parts[:length]) for length in range(len(parts), 0, -1))
