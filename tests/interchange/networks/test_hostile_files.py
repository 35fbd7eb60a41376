"""Network files that are damaged or made to harm: each gives one kind of error, with its line."""

import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from augury.errors import NetworkFileError
from augury.generative import GivenNetwork, TreeAugmentedNaiveBayes
from augury.interchange import read_bif, read_xmlbif
from augury.interchange.networks.bif_writer import bif_text
from augury.interchange.networks.from_models import describe_model
from augury.interchange.networks.xmlbif_writer import xmlbif_text

BIF = """network rain {
  property made by hand;
}
variable sky {
  type discrete [ 2 ] { sun, rain };
}
variable walk {
  type discrete [ 3 ] { yes, no, late };
}
probability ( sky ) {
  table 0.7, 0.3;
}
probability ( walk | sky ) {
  (sun) 0.5, 0.25, 0.25;
  (rain) 0.1, 0.8, 0.1;
}
"""

XML = """<?xml version="1.0"?>
<!DOCTYPE BIF [
  <!ELEMENT BIF ( NETWORK )*>
  <!ATTLIST BIF VERSION CDATA #REQUIRED>
  <!ELEMENT NETWORK ( NAME, ( PROPERTY | VARIABLE | DEFINITION )* )>
]>
<BIF VERSION="0.3">
<NETWORK>
<NAME>rain</NAME>
<VARIABLE TYPE="nature">
  <NAME>sky</NAME><OUTCOME>sun</OUTCOME><OUTCOME>rain</OUTCOME>
</VARIABLE>
<VARIABLE TYPE="nature">
  <NAME>walk</NAME><OUTCOME>yes</OUTCOME><OUTCOME>no</OUTCOME><OUTCOME>late</OUTCOME>
</VARIABLE>
<DEFINITION><FOR>sky</FOR><TABLE>0.7 0.3</TABLE></DEFINITION>
<DEFINITION><FOR>walk</FOR><GIVEN>sky</GIVEN>
  <TABLE>0.5 0.25 0.25 <!-- rain --> 0.1 0.8 0.1</TABLE></DEFINITION>
</NETWORK>
</BIF>
"""


def read(form, content, tmp_path):
    path = tmp_path / "net"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return (read_bif if form == "bif" else read_xmlbif)(path, target="walk")


@pytest.mark.parametrize("form", ["bif", "xml"])
def test_the_whole_files_are_read(form, tmp_path):
    model = read(form, BIF if form == "bif" else XML, tmp_path)
    found = model.predict_proba(pd.DataFrame({"sky": ["sun", "rain", None]}))
    expected = [[0.25, 0.25, 0.5], [0.1, 0.8, 0.1], [0.205, 0.415, 0.38]]
    np.testing.assert_allclose(found, expected)


def test_a_whole_table_may_have_comments_quotes_and_defaults(tmp_path):
    text = BIF.replace("  (rain) 0.1, 0.8, 0.1;", "  default 0.1 0.8 0.1; // others")
    text = text.replace("variable sky", '/* first ;{ */ variable "sky"')
    assert read("bif", text, tmp_path).predict_proba(pd.DataFrame({"sky": ["rain"]}))[0, 1] == (
        pytest.approx(0.8)
    )


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("network rain", "netwerk rain", "line 1: expected network, got 'netwerk'"),
        ("[ 2 ]", "[ 3 ]", "line 5: variable 'sky' declares 3 states and has 2"),
        ("[ 2 ]", f"[ {'9' * 5000} ]", "line 5: .* declares 9{20} states, and at most"),
        ("[ 2 ]", "[ 1 ]", "line 5: variable 'sky' declares 1 states and has more"),
        ("[ 2 ]", "[ -2 ]", "line 5: expected a number of states"),
        ("discrete [ 2 ]", "continuous [ 2 ]", "line 5: expected discrete, got 'continuous'"),
        ("{ sun, rain }", "{ sun, sun }", "line 4: variable 'sky' has the state 'sun' twice"),
        ("[ 2 ] { sun, rain }", "[ 0 ] { }", "line 4: variable 'sky' has 0 states"),
        ("variable walk", "variable sky", "line 7: variable 'sky' is declared twice"),
        ("0.7, 0.3", "0.7, 0.3, 0.0", "line 11: the table of 'sky' has 3 numbers, .* need 2"),
        ("0.7, 0.3", "0.7, 0.2", "line 11: a distribution of 'sky' sums to 0.89"),
        ("0.7, 0.3", "1.7, -0.7", "line 11: .* numbers from 0 to 1, got 1.7"),
        ("0.7, 0.3", "nan, 0.3", "line 11: expected a number or ;, got 'nan'"),
        ("0.7, 0.3", "1e999, 0.3", "line 11: .* numbers from 0 to 1, got inf"),
        ("0.7, 0.3", "0_7, 0.3", "line 11: expected a number or ;, got '0_7'"),
        ("0.7, 0.3", "٠, 1", "line 11: expected a number or ;"),
        ("0.7, 0.3;", "0.7, 0.3", "line 12: expected a number or ;, got '}'"),
        ("(sun) 0.5, 0.25,", "(sun) 0.5,", "line 14: a distribution of 'walk' has 2 numbers"),
        ("(sun)", "(fog)", "line 14: 'fog' is no state of 'sky'"),
        ("(sun)", "(sun, sun)", "line 14: .* has 2 states, and there are 1 parents"),
        ("(rain)", "(sun)", "line 15: 'walk' has a second row for"),
        ("  (rain) 0.1, 0.8, 0.1;\n", "", r"line 13: .* has no probabilities for \(rain\)"),
        ("walk | sky", "walk | moon", "line 13: 'moon' is a parent of 'walk', and there is no"),
        ("walk | sky", "walk | walk", "line 13: the parents of 'walk' are not other variables"),
        ("walk | sky", "walk | sky, sky", "line 13: the parents of 'walk' are not other"),
        ("probability ( sky )", "probability ( moon )", "line 10: there is no variable 'moon'"),
        ("probability ( walk | sky )", "probability ( sky )", "line 13: .* has a second table"),
        ("made by hand;", "made by hand", "line 10: there is no variable 'sky'"),
        ("property made", "properly made", "line 2: expected property or }, got 'properly'"),
        ("variable sky {", "/* variable sky {", "line 4: a comment does not end"),
        ("variable sky", 'variable "sky', 'line 4: a text that begins with " does not end'),
        ("variable sky", f"variable {'s' * 20_000}", "line 4: a name has 20,000 characters"),
        ("variable sky", "{" * 10_000, "line 4: expected variable or probability, got '{'"),
        ("variable sky", "variable sky\x00", "line 10: there is no variable 'sky'"),
    ],
)
def test_bif_that_is_wrong(old, new, message, tmp_path):
    assert old in BIF
    with pytest.raises(NetworkFileError, match=message) as caught:
        read("bif", BIF.replace(old, new, 1), tmp_path)
    assert len(str(caught.value)) < 600


def test_a_cycle_names_its_nodes(tmp_path):
    text = BIF.replace("( sky ) {\n  table", "( sky | walk ) {\n  default")
    with pytest.raises(NetworkFileError, match="no cycle, got walk -> sky -> walk"):
        read("bif", text, tmp_path)


@pytest.mark.parametrize("entity", ["&foo;", "&amp;&foo;"])
def test_text_of_unknown_entities_is_not_lost(entity, tmp_path):
    # With a reference to a parameter entity, expat reports unknown entities as skipped.
    text = XML.replace("<!ELEMENT BIF ( NETWORK )*>", "<!ELEMENT BIF ( NETWORK )*> %undefined;")
    with pytest.raises(NetworkFileError, match=r"line .* entities are refused"):
        read("xml", text.replace("<NAME>rain", f"<NAME>rain{entity}"), tmp_path)


@pytest.mark.parametrize("form", ["bif", "xml"])
def test_every_truncated_file_is_refused(form, tmp_path):
    whole = (BIF if form == "bif" else XML).rstrip()
    for end in range(0, len(whole), 3):
        with pytest.raises(NetworkFileError, match=f"{re.escape(str(tmp_path))}.*line \\d+"):
            read(form, whole[:end], tmp_path)


@pytest.mark.parametrize("form", ["bif", "xml"])
@pytest.mark.parametrize(
    "content",
    [b"", b"\x00" * 1000, bytes(range(256)) * 40, b"PK\x03\x04" + b"x" * 100, b"\xff\xfe\xff"],
)
def test_files_that_are_no_text(form, content, tmp_path):
    with pytest.raises(NetworkFileError, match=r"line [12]"):
        read(form, content, tmp_path)


@pytest.mark.parametrize("n", [12, 40])
def test_huge_tables_are_refused_before_they_are_made(n, tmp_path):
    parts = ["network n { }"]
    parts += [f"variable x{k} {{ type discrete [ 4 ] {{ a, b, c, d }}; }}" for k in range(n)]
    parts += [f"probability ( x{k} ) {{ default 0.25 0.25 0.25 0.25; }}" for k in range(n)]
    parents = ", ".join(f"x{k}" for k in range(n))
    parts += ["variable walk { type discrete [ 2 ] { yes, no }; }"]
    parts += [f"probability ( walk | {parents} ) {{ default 0.5 0.5; }}"]
    with pytest.raises(NetworkFileError, match=r"table of 'walk' is the largest .* at most 67,1"):
        read("bif", "\n".join(parts), tmp_path)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("<OUTCOME>rain</OUTCOME>", "", "line 1[67]: the table of 'sky' has 2 numbers"),
        ("<TABLE>0.7 0.3</TABLE>", "", "line 16: a <DEFINITION> has no <TABLE>"),
        ("<TABLE>0.7", "<TABLE>0.7 x", "line 16: expected a number in <TABLE>, got 'x'"),
        ("<TABLE>0.7", "<TABLE>NaN", "line 16: expected a number in <TABLE>, got 'NaN'"),
        ("<TABLE>0.7", "<TABLE>0.8", "line 16: a distribution of 'sky' sums to 1.1"),
        ("<FOR>sky</FOR>", "", "line 16: a <DEFINITION> has no <FOR>"),
        ("<FOR>sky</FOR>", "<FOR>sky</FOR><FOR>sky</FOR>", "line 16: there is a second <FOR>"),
        ("<GIVEN>sky", "<GIVEN>moon", "line 17: 'moon' is a parent of 'walk'"),
        ("<NAME>walk</NAME>", "", "line 15: a variable has no <NAME>"),
        ("<NAME>walk</NAME>", "<NAME> </NAME>", "line 14: a <NAME> of <VARIABLE> is empty"),
        ("<NAME>walk</NAME>", "walk", "line 14: text stands between the elements of <VARIABLE>"),
        ('TYPE="nature"', 'TYPE="decision"', "line 10: a variable of type 'decision'"),
        ("<VARIABLE", "<VARIABLES", "line 10: <VARIABLES> is not an element of XMLBIF in"),
        ("</NETWORK>", "</NETWORK><NETWORK></NETWORK>", "line 19: there is a second <NETWORK>"),
        ("</BIF>", "", "line 21: is not XML: no element found"),
        ("<NAME>sky", "<NAME>&sky;", "line 11: is not XML: undefined entity"),
        ("<BIF VERSION", "<a>" * 50_000 + "<BIF VERSION", "line 7: <a> is not an element"),
        ('"1.0"?', '"1.0" encoding="no-such"?', "line 1: is not XML"),
    ],
)
def test_xmlbif_that_is_wrong(old, new, message, tmp_path):
    assert old in XML
    with pytest.raises(NetworkFileError, match=message):
        read("xml", XML.replace(old, new, 1), tmp_path)


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        (
            '<!ENTITY a "aaaaaaaaaa">'
            + "".join(f'<!ENTITY a{k} "{f"&a{k - 1 or str()};" * 10}">' for k in range(1, 12)),
            "declares the entity 'a': entities are refused",
        ),
        ('<!ENTITY f SYSTEM "file:///etc/passwd">', "declares the entity 'f'"),
        ('<!ENTITY % p SYSTEM "http://127.0.0.1:9/x.dtd"> %p;', "declares the entity 'p'"),
    ],
)
def test_entities_are_refused(declared, message, tmp_path):
    text = XML.replace("<!ELEMENT BIF", declared + "<!ELEMENT BIF").replace(
        "<NAME>sky", "<NAME>&a11;"
    )
    with pytest.raises(NetworkFileError, match=f"line 3: {message}"):
        read("xml", text, tmp_path)


def test_document_types_in_other_files_are_refused(tmp_path):
    text = re.sub(r"<!DOCTYPE[^\]]*\]>", '<!DOCTYPE BIF SYSTEM "file:///etc/passwd">', XML)
    with pytest.raises(NetworkFileError, match="line 2: the document type is in another file"):
        read("xml", text, tmp_path)


# ---- properties of augury -----------------------------------------------------------------


def own_text(form):
    frame = pd.DataFrame(
        {"sky": ["sun", "rain", None, "sun"] * 5, "wind": np.arange(20.0) % 7, "n": [1, 2] * 10}
    )
    y = np.where(frame["wind"] > 3, "yes", "no")
    model = TreeAugmentedNaiveBayes(categorical_features=["n"]).fit(frame, y)
    described = describe_model(model, "walk")
    return bif_text(described) if form == "bif" else xmlbif_text(described)


OWN = {form: own_text(form) for form in ("bif", "xml")}


@pytest.mark.parametrize(
    ("pattern", "new", "message"),
    [
        (r"augury_format = 1", "augury_format = 2", "augury_format is '2'"),
        (r"augury_cuts = [\d.]+", "augury_cuts = 1 2 3", "has 3 cut points, and the node 2 states"),
        (r"augury_cuts = [\d.]+", "augury_cuts = x", "are not numbers as augury writes them"),
        (r"augury_cuts = [\d.]+", "augury_cuts = nan", "cuts must be finite numbers"),
        (r"augury_labels = int:1 int:2", "augury_labels = int:1", "has 1 labels, and the node 2"),
        (r"augury_labels = int:1", "augury_labels = int:2", "states must be distinct labels"),
        (r"augury_labels = int:1", "augury_labels = eval:1", "'eval:1' is not a label"),
        (r"augury_missing = 2", "augury_missing = 17", "augury_missing of .* from 0 to"),
        (r"augury_left_out = \S+", "augury_left_out =", "augury_left_out of .* must have"),
        (r"augury_left_out = \S+", "augury_left_out = 7.5", "must be probabilities"),
        (r"augury_dtype = \w+", "augury_dtype = int64", "invalid literal|could not convert"),
        (r"augury_dtype = \w+", "augury_dtype = M8", "is no type of classes"),
        (r"augury_class = walk", "augury_class = %FF", "is not a text as augury writes it"),
    ],
)
@pytest.mark.parametrize("form", ["bif", "xml"])
def test_properties_that_are_wrong(form, pattern, new, message, tmp_path):
    text, n = re.subn(pattern, new, OWN[form], count=1)
    assert n == 1
    with pytest.raises(NetworkFileError, match=message):
        read(form, text, tmp_path)


# ---- random changes -----------------------------------------------------------------------

TEXTS = {"bif": [BIF, OWN["bif"]], "xml": [XML, OWN["xml"]]}
PIECES = {
    "bif": ["{", "}", "(", ")", ";", "|", "property", "table", "default", "-1", "1e400", "0", '"'],
    "xml": ["<", ">", "</TABLE>", "<TABLE>", "<NAME>", "&amp;", "&x;", "<!--", "]]>", "-1", "0"],
}


@st.composite
def changed_files(draw, form):
    """Return a file with a few pieces removed, repeated, exchanged or inserted."""
    content = draw(st.sampled_from(TEXTS[form])).encode()
    for _ in range(draw(st.integers(1, 4))):
        a, b = sorted(draw(st.tuples(*[st.integers(0, len(content))] * 2)))
        b = min(b, a + draw(st.sampled_from([1, 3, 20, 400])))
        piece = content[a:b]
        match draw(st.integers(0, 4)):
            case 0:
                piece = b""
            case 1:
                piece = piece * 2
            case 2:
                piece = draw(st.sampled_from(PIECES[form])).encode()
            case 3:
                piece = piece + draw(st.binary(max_size=5))
            case _:
                piece = str(draw(st.floats())).encode()
        content = content[:a] + piece + content[b:]
    return content


@pytest.mark.parametrize("form", ["bif", "xml"])
@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_changed_files_are_networks_or_errors(form, data, tmp_path_factory):
    content = data.draw(changed_files(form))
    path = tmp_path_factory.getbasetemp() / f"changed.{form}"
    path.write_bytes(content)
    try:
        model = (read_bif if form == "bif" else read_xmlbif)(path, target="walk")
    except NetworkFileError:
        return
    assert isinstance(model, GivenNetwork)
    columns = model.feature_names_in_.tolist() if hasattr(model, "feature_names_in_") else None
    rows = pd.DataFrame([[None] * model.n_features_in_] * 2, columns=columns, dtype=object)
    for name, plan in zip(rows, model.encoder_._columns, strict=True):
        if hasattr(plan, "cuts"):
            rows[name] = rows[name].astype(float)
        else:
            label = plan.states[0]
            rows.loc[0, name] = label if isinstance(label, str | int) else None
    found = model.predict_proba(rows)
    np.testing.assert_allclose(found.sum(axis=1), 1.0)
    assert ((found >= 0) & (found <= 1)).all()
