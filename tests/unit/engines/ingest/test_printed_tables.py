"""Tables as programs print and copy them: ruled with dashes, drawn with boxes, with escapes."""

from typing import Any

import pytest

from modelwright.engines.ingest.table import BrokenFile

RULED = (
    "id          name                 amount\n"
    "----------- -------------------- ------------\n"
    "          1 Anna Smith                  12.50\n"
    "          2 Ben                          NULL\n"
    "          3 Käthe de Wit              1000.00\n"
)


class TestRuled:
    def test_dashes_tell_where_columns_are(self, ingest: Any):
        found = ingest(RULED)
        assert found.names == ["id", "name", "amount"]
        assert found.rows[2] == (3, "Käthe de Wit", 1000.0)

    def test_a_line_that_does_not_fit_later_is_refused_with_its_line(self, ingest: Any):
        rows = RULED + "          4 Cleo                          1.00\n" * 300
        torn = "          5 A name that is longer than its own column 7.00\n"
        with pytest.raises(BrokenFile) as refused:
            ingest(rows + torn + "          6 Dan                           1.00\n")
        assert refused.value.line == 306

    def test_text_between_dashes_is_no_table(self, ingest: Any):
        found = ingest("--- ---\nfirst words\nother words of it\nlast words\n")
        assert found.names != ["first", "words"]


@pytest.mark.parametrize("signs", ["┌─┬┐│├┼┤└┴┘", "╔═╦╗║╠╬╣╚╩╝"])
def test_boxes_are_drawn_with_signs_of_unicode(ingest: Any, signs: str):
    first, line, down, end, bar, left, cross, right, low, up, last = list(signs)
    rows = [
        f"{first}{line * 6}{down}{line * 7}{end}",
        f"{bar} name {bar} units {bar}",
        f"{left}{line * 6}{cross}{line * 7}{right}",
        f"{bar} a    {bar}    12 {bar}",
        f"{bar} b    {bar}     7 {bar}",
        f"{low}{line * 6}{up}{line * 7}{last}",
    ]
    found = ingest("\n".join(rows) + "\n")
    assert (found.names, found.rows) == (["name", "units"], [("a", 12), ("b", 7)])


def test_signs_of_boxes_inside_of_cells_stay(ingest: Any):
    found = ingest("name,n\na │ b,1\nc ─ d,2\n")
    assert [row[0] for row in found.rows] == ["a │ b", "c ─ d"]


class TestCopied:
    def test_escapes_are_meant_where_gaps_are_copied(self, ingest: Any):
        found = ingest("id\tnote\n1\ta\\tb\n2\t\\N\n3\tone\\ntwo\n4\tC:\\\\new\n", "t.tsv")
        assert [row[1] for row in found.rows] == ["a\tb", None, "one\ntwo", "C:\\new"]
        assert "Backslashes" in found.table.notices[0]

    def test_backslashes_of_another_use_stay(self, ingest: Any):
        found = ingest("id\tpath\n1\tC:\\new\\data\n2\t\\N\n3\tD:\\x\n", "t.tsv")
        assert [row[1] for row in found.rows] == ["C:\\new\\data", None, "D:\\x"]
        assert not found.table.notices


class TestRowsApart:
    """Rows that are unlike all others are told, and nothing is told of others."""

    @pytest.mark.parametrize(
        ("rows", "words"),
        [
            ("a,1,2\nb,3,4\nc,5,6\n,9,13\n", "no words in row 4"),
            ("North,,\na,1,2\nb,3,4\nSouth,,\nc,5,6\nd,7,8\n", "('North') has a value in rows 1"),
            ("a,1,2\nb,3,4\nc,5,6\nMean,3,4\nSD,2,2\n", "rows 4, 5 ('Mean', 'SD')"),
        ],
    )
    def test_they_are_told(self, ingest: Any, rows: str, words: str):
        assert any(words in one for one in ingest(f"name,x,y\n{rows}").table.notices)

    @pytest.mark.parametrize(
        "rows",
        [
            "Max,1,2\nMin,3,4\nRange,5,6\nSe,7,8\n",
            ",1,2\n,3,4\nc,5,6\nd,7,8\n,9,1\n",
            "a,1,\nb,,4\nc,5,6\nd,7,8\n",
        ],
    )
    def test_others_are_not(self, ingest: Any, rows: str):
        assert ingest(f"name,x,y\n{rows}").table.notices == ()


class TestDocuments:
    @pytest.mark.parametrize(
        ("text", "what"),
        [
            ("BEGIN:VCARD\nVERSION:3.0\nEND:VCARD\n", "vCard"),
            ("From: a@x\nTo: b@x\nSubject: hi, you\n\nrows\n", "mail"),
            ("[server]\nhost = a\nport = 1\n", "INI"),
            ("--\n-- dump\n--\nCOPY t (a) FROM stdin;\n1\n\\.\n", "statements of SQL"),
            ("name: shop\nitems:\n  - id: 1\n  - id: 2\n", "YAML"),
            (">seq1\nACGTACGT\n>seq2\nACGT\n", "FASTA"),
        ],
    )
    def test_they_are_refused_by_what_they_are(self, ingest: Any, text: str, what: str):
        with pytest.raises(BrokenFile, match=what):
            ingest(text)

    @pytest.mark.parametrize("text", ["From,To,n\na,b,1\n", "[s],[m]\n1,2\n3,4\n", ">a,b\n1,2\n"])
    def test_tables_that_begin_alike_are_read(self, ingest: Any, text: str):
        assert ingest(text).rows
