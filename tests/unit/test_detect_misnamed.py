"""What models call a sex, kin or a house, and is of another kind by its words."""

import pytest
from marked_spans import split

from stream_deid.detect.neural.misnamed import misnamed
from stream_deid.labels import PhiType as T


@pytest.mark.parametrize(
    ("text", "phi_type"),
    [
        ("Genu <varo> 9º", T.SEX),
        ("Catéter Shaldon <fem> izq.", T.SEX),
        ("<Ex> pareja con perimetral", T.RELATIVE),
        ("Lovenox from <POD2>, clinic", T.HOSPITAL),
        ("alta el <DPO 3>", T.ORGANIZATION),
        ("52 M, <R>-hand dominant", T.PROFESSION),
        ("Llegó el esposo con <gallina> y una nota", T.RELATIVE),
        ("Papá <murio> de Chagas", T.RELATIVE),
        ("Se entrega a la familia, la <entierran>.", T.RELATIVE),
        ("su hija <chiquita> come", T.RELATIVE),
        ("Es <portador de lentillas>", T.PROFESSION),
        ("Su tío es <guardador> de hecho", T.PROFESSION),
    ],
)
def test_words_of_another_kind_are_let_go(text, phi_type):
    assert misnamed(*split(text), phi_type)


@pytest.mark.parametrize(
    ("text", "phi_type"),
    [
        ("Edad 54, <varón>", T.SEX),
        ("57a <fem> con tos", T.SEX),
        ("la <madre> llama", T.RELATIVE),
        ("su ex, <Nahia>", T.RELATIVE),
        ("Vino su hija <yenedith> ayer", T.RELATIVE),
        ("Vive con <mercedes>, la de Vigo", T.RELATIVE),
        ("Vive con la <nena>, dice Ana", T.RELATIVE),
        ("vive con la <entenada> en casa", T.RELATIVE),
        ("Su so-\n<brino> recoge", T.RELATIVE),
        ("Es <portero> de noche", T.PROFESSION),
        ("back to <4E>", T.HOSPITAL),
        ("works at <Biotronik> since", T.ORGANIZATION),
    ],
)
def test_what_may_be_one_stays(text, phi_type):
    assert not misnamed(*split(text), phi_type)


def test_what_a_model_is_sure_of_is_a_relative():
    span = split("Llegó el esposo con <gallina> y una nota")
    assert misnamed(*span, T.RELATIVE, 0.5)
    assert not misnamed(*span, T.RELATIVE, 0.95)
