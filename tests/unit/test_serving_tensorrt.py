"""What the plans are asked for; building them needs TensorRT, which is not on this machine."""

from pathlib import Path

from stream_deid.serving.build import tensorrt as tensorrt_build
from stream_deid.serving.manifest import Engine, Input, Manifest, Output


def test_profiles_cover_every_batch_that_the_batcher_can_send():
    chars = Input("chars", "INT32", (-1, 24))
    lengths = Input("lengths", "INT32", (1,), "lengths")
    model = Manifest(
        name="m", version="1", kind="wordchar", languages=("en",), labels=("O", "B-X", "I-X"),
        window=256, overlap=32, buckets=(32, 256), max_batch=64, inputs=(chars, lengths),
        output=Output("scores", "FP32"), engine=Engine("onnxruntime", "1/model.onnx"), files={},
        build={}, directory=Path(), digest="",
    )  # fmt: skip
    assert tensorrt_build.shapes(chars, model, 32) == ((1, 32, 24), (64, 32, 24), (64, 32, 24))
    assert tensorrt_build.shapes(chars, model, 256) == ((1, 256, 24), (8, 256, 24), (64, 256, 24))
    assert tensorrt_build.shapes(lengths, model, 256) == ((1,), (8,), (64,))
