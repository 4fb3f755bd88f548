"""The real tritonserver takes the arguments of the GPU overlay, and does what the pod rests on.

The server of the image is another release; its CPU half is run here with the same arguments.
"""

import socket
import urllib.request

import grpc
import metrics
import numpy as np
import pytest
import tiny
import toolbox
import triton_server
import tritonclient.grpc as triton
from toolbox import environment
from tritonclient.utils import InferenceServerException

from stream_deid.rig.broker import free_port
from stream_deid.serving import manifest, wire

SERVING = b"\x08\x01"
PATIENCE_S = 30.0


@pytest.fixture(scope="module")
def ports():
    return {"8001": free_port(), "8002": free_port()}


@pytest.fixture(scope="module")
def gpu_container(rendered):
    deployment = toolbox.the(rendered["overlays/gpu"], "Deployment", "stream-deid-triton")
    return toolbox.pod_of(deployment)["containers"][0]


@pytest.fixture(scope="module")
def server(gpu_container, ports, tmp_path_factory):
    with triton_server.started(gpu_container, ports, tmp_path_factory.mktemp("triton")) as log:
        channel = grpc.insecure_channel(f"127.0.0.1:{ports['8001']}")
        try:
            grpc.channel_ready_future(channel).result(PATIENCE_S)
        except grpc.FutureTimeoutError:
            pytest.fail(log.read_text()[-2000:])
        yield channel


def health(channel):
    """What the kubelet's gRPC probe asks."""
    check = channel.unary_unary("/grpc.health.v1.Health/Check")
    return check(b"", timeout=5)


def test_the_probe_is_answered(server):
    assert health(server) == SERVING


def test_models_answer(server, ports, tmp_path):
    tiny.add_model(tmp_path, "tiny_lstm", "wordchar")
    model = manifest.load(tmp_path, "tiny_lstm")
    inputs, outputs = wire.request(model, wire.probe_arrays(model))
    with triton.InferenceServerClient(f"127.0.0.1:{ports['8001']}") as client:
        scores = client.infer("tiny_lstm", inputs, outputs=outputs).as_numpy("scores")
    assert np.isfinite(scores).all()
    assert server is not None


def test_models_can_not_be_changed_from_outside(server, ports):
    with triton.InferenceServerClient(f"127.0.0.1:{ports['8001']}") as client:
        for call in (client.get_model_repository_index, client.get_system_shared_memory_status):
            with pytest.raises(InferenceServerException, match="restricted"):
                call()
    assert server is not None


def test_who_can_read_the_manifest_is_not_let_in_either(server, ports, gpu_container):
    value = environment(gpu_container)["NO_HEADER"]
    for header in ({}, {"triton-grpc-protocol-closed": value}):
        # a client of its own for each: what is too long ends the connection
        with (
            triton.InferenceServerClient(f"127.0.0.1:{ports['8001']}") as client,
            pytest.raises(InferenceServerException),
        ):
            client.get_system_shared_memory_status(headers=header)
    assert health(server) == SERVING


def test_metrics_are_served_and_http_is_not(server, ports):
    with urllib.request.urlopen(f"http://127.0.0.1:{ports['8002']}/metrics") as page:
        assert "nv_inference_queue_duration_us" in metrics.series(page.read().decode())
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", 8000)) != 0
    assert server is not None
