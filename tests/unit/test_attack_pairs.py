"""What known names tell of another one: the attack keeps the truth, no list gives it away."""

from stream_deid.attack import pairs
from stream_deid.surrogate.keys import root
from stream_deid.surrogate.names.choosing.first_letters import FEW
from stream_deid.surrogate.policy import Policy
from stream_deid.text.memo import for_one_note


def test_the_attack_never_rules_the_truth_out_and_pairs_leave_many():
    rows = pairs.attack(Policy.named(), b"0123456789abcdef", 30, 1, lambda: None)
    assert all(row.ruled_out == 0 for row in rows)
    left = {(row.sees, row.pairs): row for row in rows}
    alone = left["names, as they are", 0].possible
    assert left["names, as they are", 1].possible > alone / 2
    assert left["names, as they are", 10].possible > 20
    assert left["names, one rotation a class and letter", 100].possible == 1


def test_a_name_of_a_rare_letter_shares_its_surrogates_with_others():
    """Names of Q, U and X once had places of their own in the lists, which told each outright."""
    every = pairs.surnames()
    rare = {name.text for name in every if name.letter in FEW}
    seen: dict[str, list[str]] = {}
    for number in range(24):
        scope = root(b"0123456789abcdef", "", "t", "p").sub("patient", str(number)).sub("name")
        with for_one_note():
            for name in every:
                seen.setdefault(pairs.surrogate(scope, name), []).append(name.text)
    often = [originals for originals in seen.values() if len(originals) > 3]
    of_rare = [set(originals) for originals in often if rare.intersection(originals)]
    assert len(of_rare) > 30
    assert all(len(originals) > 1 for originals in of_rare)
