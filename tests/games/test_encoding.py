import json
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.encoding import encode

TEXTS = st.text(st.characters(exclude_categories=()))  # halves of surrogate pairs too
NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda values: st.lists(values) | st.dictionaries(TEXTS, values),
    max_leaves=10,
)


@given(VALUES)
def test_what_is_encoded_says_the_same_when_it_is_read(value):
    assert json.loads(encode(value)) == value


def test_a_name_is_sent_as_it_is_written():
    assert encode({"name": "Zoë 李"}) == '{"name":"Zoë 李"}'.encode()


def test_what_no_utf8_holds_is_escaped():
    assert encode({"id": "\ud800", "name": "ë"}) == rb'{"id":"\ud800","name":"\u00eb"}'


def test_what_is_no_json_is_refused():
    with pytest.raises(TypeError):
        encode({"turn": timedelta(seconds=1)})
