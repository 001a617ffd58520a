import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quarto_site.names import KEY_LONGEST, LONGEST, SHORTEST, BadName, Fault, clean, key, same

GOOD = [
    "ann", "Ben", "cleo-2", "r2.d2", "x_y", "Łukasz", "Ştefan", "Țuțu", "José", "Ångström",
    "Иван", "Анна", "Щъркел", "Νίκος", "Ελένη", "山田", "山田たろう", "カタカナ", "김철수", "محمد", "שרה",
    "देवी", "สมชาย", "1a", "aa", "a" * LONGEST,
]  # fmt: skip


@pytest.mark.parametrize("name", GOOD)
def test_names_of_many_scripts_are_kept_as_they_are(name):
    assert clean(name) == name


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", Fault.TOO_SHORT),
        ("a", Fault.TOO_SHORT),
        ("   a   ", Fault.TOO_SHORT),
        ("a" * 33, Fault.TOO_LONG),
        ("a" * 1_000_000, Fault.TOO_LONG),
        ("ﷺ" * 20, Fault.TOO_LONG),
        ("ann b", Fault.LETTERS),
        ("ann\x00", Fault.LETTERS),
        ("ann\n", Fault.LETTERS),
        ("ann\u202e", Fault.LETTERS),
        ("an\u200bn", Fault.LETTERS),
        ("an\u00adn", Fault.LETTERS),
        ("an\u3164n", Fault.LETTERS),
        ("an\ufe0fn", Fault.LETTERS),
        ("an\U000e0041n", Fault.LETTERS),
        ("ann\ud800", Fault.LETTERS),
        ("<b>ann</b>", Fault.LETTERS),
        ("ann/../ben", Fault.LETTERS),
        ("ann%20", Fault.LETTERS),
        ("a'; --", Fault.LETTERS),
        ("ann🙂", Fault.LETTERS),
        ("a" + "\u0301\u0302\u0303\u0304\u0305" + "b", Fault.LETTERS),
        ("٣٤٥a", Fault.LETTERS),
        ("-ann", Fault.EDGES),
        ("ann.", Fault.EDGES),
        ("__", Fault.EDGES),
        ("\u0301ann", Fault.EDGES),
        ("12345", Fault.DIGITS),
        ("1-2", Fault.DIGITS),
        ("аnn", Fault.SCRIPTS),
        ("annа", Fault.SCRIPTS),
        ("аnп", Fault.SCRIPTS),
        ("Νikos", Fault.SCRIPTS),
        ("Annかな", Fault.SCRIPTS),
        ("admin", Fault.RESERVED),
        ("ADMIN", Fault.RESERVED),
        ("Adm1n", Fault.RESERVED),
        ("api", Fault.RESERVED),
        ("арі", Fault.RESERVED),
        ("guest", Fault.RESERVED),
        ("Guest-7", Fault.RESERVED),
        ("gue5t-7a", None),
    ],
)
def test_what_cannot_be_a_name_says_why(text, fault):
    if fault is None:
        assert clean(text) == text
    else:
        with pytest.raises(BadName) as refused:
            clean(text)
        assert refused.value.fault is fault


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ann", "Ann"),
        ("ann", "ANN"),
        ("ann", "ａｎｎ"),  # full width
        ("ann", "аnn"),  # Cyrillic a
        ("copa", "сора"),  # all Cyrillic
        ("HOT", "НОТ"),  # Cyrillic capitals
        ("hot", "нот"),  # the same in small letters
        ("ахр", "axp"),
        ("Oto", "Οτο"),  # Greek
        ("nop", "ոօр"),  # Armenian
        ("Olga", "0lga"),
        ("lan", "Ian"),
        ("lan", "1an"),
        ("mona", "rnona"),
        ("straße", "STRASSE"),
        ("Ștefan", "Ştefan"),  # comma below and cedilla
        ("José", "Jose\u0301"),
        ("ΑΝΤΩΝΗΣ", "αντωνης"),
        ("Ёж", "ёж"),
        ("İpek", "ipek"),  # one letter in Turkish, two in Unicode's case folding
        ("ılgaz", "Ilgaz"),
    ],
)
def test_names_that_read_alike_share_a_key(one, other):
    assert key(one) == key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ann", "anna"), ("ann", "bnn"), ("Hanna", "Nanna"), ("Jose", "José"), ("Анна", "Anna"), ("Иван", "Ivan"),
        ("Νίκη", "Vivi"), ("ann1", "ann2"), ("a.b", "a-b"), ("山田", "山本"),
    ],
)  # fmt: skip
def test_different_names_have_different_keys(one, other):
    assert key(one) != key(other)


def test_a_name_is_the_same_in_whatever_case_but_not_in_look_alikes():
    assert same("Ann", "aNN")
    assert same("ΝΊΚΟΣ", "νίκος")
    assert not same("Olga", "0lga")
    assert not same("ann", "аnn")


@given(st.text(max_size=40))
@settings(max_examples=300, deadline=None)
def test_any_text_is_a_name_or_a_fault(text):
    try:
        name = clean(text)
    except BadName:
        return
    assert SHORTEST <= len(name) <= LONGEST
    assert clean(name) == name
    assert 0 < len(key(name)) <= KEY_LONGEST
    assert key(name.upper()) == key(name.lower())
