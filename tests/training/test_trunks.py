"""Where trunks are found, and that rounded embeddings are stored without loss."""

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from hypothesis import given  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

from stream_deid.errors import Halt  # noqa: E402
from stream_deid.serving.build.packing import CODES, pack, unpack  # noqa: E402
from stream_deid.training.models import trunks  # noqa: E402


def test_a_folder_a_package_or_a_name(tmp_path):
    (tmp_path / "trunks" / "small").mkdir(parents=True)
    (tmp_path / "trunks" / "small" / "config.json").write_text("{}")
    assert trunks.find("small", tmp_path) == tmp_path / "trunks" / "small"
    assert trunks.find("somebody/some-model", tmp_path) == "somebody/some-model"
    inside = trunks.find("package:stream_deid/training/models", tmp_path)
    assert inside == Path(trunks.__file__).parent
    assert trunks.file_name("package:some_trunk/model") == "some-trunk"
    with pytest.raises(Halt, match=r"trunk\.missing"):
        trunks.find("package:no_such_package_here/model", tmp_path)


@given(st.integers(0, 2**32 - 1), st.sampled_from([1e-4, 0.04, 3.0]))
def test_rounded_embeddings_are_packed_without_loss(seed, spread):
    table = torch.randn(5, 64, generator=torch.Generator().manual_seed(seed)) * spread
    table[2] = 0
    rounded = trunks.rounded(table)
    half = rounded.half().numpy()
    packed = pack("table", half)
    assert f"table{CODES}" in packed
    np.testing.assert_array_equal(unpack(packed)["table"], half)
    torch.testing.assert_close(rounded.half().float(), rounded, rtol=0, atol=1e-7)
    assert float((rounded - table).norm() / table.norm()) < 0.13
