"""What tells that the first row of a table of texts names its columns.

Numbers and dates below a word tell that it is a name. Where a table holds nothing but texts, the
first row is taken for names too, because most files have them; this looks for what bears it out.
"""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import groupby, pairwise
from math import prod

from modelwright.engines.ingest.header import AROUND, SAMPLE_COLUMNS, has_names
from modelwright.engines.ingest.quoted_length import MOST_NAMED, QUOTED_LENGTH
from modelwright.engines.sentences import first_of

MOST_CHANCE = 0.03
"""So likely may the first row be one more row of the data for its cells to be names."""
TWO_WORDS = 2
"""Words of a name such as `customer name`."""
LEAST_SPOKEN = 2
"""So many cells of two words, of which the last often names columns, are names."""
LIKELIEST = 3
"""So many columns tell how likely a row is, as those of a table hang together."""
JUDGED_LENGTH = 200
"""So many characters tell how a cell is written."""
_CODE_NAME = re.compile(r"[a-z]+[A-Z]\w*|[^\W_]+(_[^\W_]+)+_?|.*\?")
"""Names as programs and surveys write them: `firstName`, `first_name`, `Why?`."""
_SPOKEN = """
    id ids uid uuid name names firstname lastname surname forename nickname username user
    login email mail phone telephone mobile fax address street city town village country
    county state province region district area zone place location site postcode zip zipcode
    language sex gender age title job role position occupation department team company
    organisation organization employer customer client supplier vendor brand manufacturer
    model product item article sku code codes key keys index no nr num number ref reference
    type types kind class category categories group subgroup segment label labels tag tags
    topic subject status stage level grade rank rating score result outcome answer question
    response choice option text content body message comment comments note notes remark
    remarks description details summary reason source target origin destination from to url
    link website file filename path format date day month year time timestamp datetime start
    end begin created updated value values amount price cost total quantity qty unit units
    currency colour color size species genus family author artist singer album song genre
    publisher journal isbn doi player club venue stadium opponent winner party candidate
    incumbent school college university course teacher student nationality religion feature
    variable column field sentence word token intent sentiment translation abstract headline
    keyword keywords bezeichnung vorname nachname familienname ort stadt land straße strasse
    plz datum monat jahr wert betrag preis menge einheit nummer art typ kategorie gruppe kunde
    lieferant artikel produkt beschreibung bemerkung kommentar farbe geschlecht sprache beruf
    abteilung firma nom prénom prenom ville pays rue adresse téléphone valeur montant prix
    quantité unité numéro catégorie groupe fournisseur produit libellé libelle langue sexe
    couleur société mois nombre apellido apellidos ciudad país pais calle dirección correo
    teléfono fecha valor precio cantidad unidad número categoría grupo cliente proveedor
    producto descripción tipo nome cognome città paese indirizzo data valore prezzo quantità
    numero categoria gruppo prodotto descrizione cidade endereço preço quantidade naam
    voornaam achternaam plaats stad adres waarde prijs aantal soort klant imię nazwisko nazwa
    miasto kraj ulica wartość cena ilość numer opis имя фамилия отчество название наименование
    город страна адрес телефон дата значение цена количество номер тип категория группа
    описание код 姓名 名称 名前 氏名 城市 国家 地址 住所 电话 電話 日期 日付 编号 番号 类型
    種類 部门 部署 备注 備考 이름 도시 주소
    """
"""Words that name columns, in several languages."""
_WORDS = frozenset(_SPOKEN.split())


def said_of_weak_names(rows: Sequence[Sequence[str]]) -> list[str]:
    """Says that the first row is taken for names although nothing tells it from the others.

    Args:
        rows: The names, and the first rows of data, each a list of cells.

    Returns:
        One sentence, or none.
    """
    if len(rows) == 1 or rows[0] in rows[1:]:  # names that come again are told elsewhere
        return []
    if has_names([list(row) for row in rows]) or tells_names(rows):
        return []
    cells = [f"{cell.strip()!r:.{QUOTED_LENGTH}}" for cell in rows[0] if cell.strip()]
    quoted = first_of(cells, MOST_NAMED)
    return [
        (
            f"The first row ({quoted}) is read as the names of the columns, although nothing"
            " tells it from the rows below: say 0 as header_rows if it is one of them."
        )
    ]


def tells_names(rows: Sequence[Sequence[str]]) -> bool:
    """Tells whether the first row of a table of texts is borne out to be one of names.

    A cell is written as names are, or the row would be an unlikely one among those below it.

    Args:
        rows: The first row, and the rows below it, each a list of cells.

    Returns:
        Whether it is.
    """
    first, below = [cell.strip(AROUND) for cell in rows[0]], rows[1:]
    again = {
        place
        for place, cell in enumerate(first)
        if any(place < len(row) and row[place].strip(AROUND) == cell for row in below)
    }
    fresh = [cell for place, cell in enumerate(first) if place not in again]
    if any(map(_is_named, fresh)) or sum(map(_is_spoken, fresh)) >= LEAST_SPOKEN:
        return True
    if not again and _is_lettered(first):
        return True
    return prod(sorted(_chance(first, below))[:LIKELIEST]) < MOST_CHANCE


def _is_named(cell: str) -> bool:
    """Returns whether a cell is written as a name is, or is a word that often names columns."""
    return cell.casefold() in _WORDS or _CODE_NAME.fullmatch(cell) is not None


def _is_spoken(cell: str) -> bool:
    """Returns whether the last of two words often names columns, as in `customer name`."""
    words = cell.casefold().replace("-", " ").split()
    return len(words) == TWO_WORDS and words[-1] in _WORDS


def _is_lettered(cells: Sequence[str]) -> bool:
    """Returns whether cells are single letters in their order, as examples name columns."""
    return all(len(cell) == 1 and cell.isalpha() for cell in cells) and all(
        before < after for before, after in pairwise(cells)
    )


def _chance(first: Sequence[str], below: Sequence[Sequence[str]]) -> list[float]:
    """Estimates for each column how likely its first cell is among the cells below.

    A value that never came is as likely as those that came once are frequent (Good and Turing), and
    so is the pattern of letters, digits and signs. What came is likely.
    """
    chances = []
    for place, whole in enumerate(first[:SAMPLE_COLUMNS]):
        cell = whole[:JUDGED_LENGTH]
        cells = [row[place].strip(AROUND)[:JUDGED_LENGTH] for row in below if place < len(row)]
        cells = [one for one in cells if one]
        if cell and cells:
            shapes = list(map(_shape, cells))
            chances.append(min(_unseen(cell, cells), _unseen(_shape(cell), shapes)))
    return chances


def _unseen(value: str, values: Sequence[str]) -> float:
    counts = Counter(values)
    if value in counts:
        return 1.0
    once = sum(number == 1 for number in counts.values())
    return max(once / len(values), 1 / (len(values) + 1))


def _shape(cell: str) -> str:
    """Returns the pattern of a text: small and capital letters, digits and signs."""
    plain = re.sub(r"\d+", "9", cell)
    words = re.sub(r"[^\W\d_]+", lambda found: _case(found[0]), plain)
    return " ".join(word for word, _ in groupby(words.split(" ")))


def _case(word: str) -> str:
    return "a" if word.islower() else "A" if word.isupper() else "x"
