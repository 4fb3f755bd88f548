"""What `models build --target tensorrt` asks of TensorRT 10, without a GPU: the graph is read by
`onnx`, and a "plan" is the text of what was asked.
"""

import json

import onnx

__version__ = "10.7.0"
BUILT = []
"""The plans that were built, as they were asked for."""


class Logger:
    WARNING = 2

    def __init__(self, level):
        self.level = level


class MemoryPoolType:
    WORKSPACE = "workspace"


class BuilderFlag:
    FP16 = "fp16"


class Tensor:
    def __init__(self, name, rank):
        self.name, self.rank = name, rank


class Network:
    inputs: list[Tensor]

    @property
    def num_inputs(self):
        return len(self.inputs)

    def get_input(self, index):
        return self.inputs[index]


class OnnxParser:
    num_errors = 0

    def __init__(self, network, _logger):
        self.network = network

    def parse(self, data):
        graph = onnx.load_from_string(data).graph
        onnx.checker.check_model(onnx.load_from_string(data))
        kinds = {constant.data_type for constant in graph.initializer}
        assert not kinds & {onnx.TensorProto.INT8, onnx.TensorProto.FLOAT16}, "taken for quantised"
        self.network.inputs = [
            Tensor(one.name, len(one.type.tensor_type.shape.dim)) for one in graph.input
        ]
        return True


class Profile(dict):
    def set_shape(self, name, least, best, most):
        assert len(least) == len(best) == len(most)
        assert all(a <= b <= c for a, b, c in zip(least, best, most, strict=True))
        self[name] = (least, best, most)


class Config:
    def __init__(self):
        self.flags, self.profiles, self.limits = [], [], {}

    def set_memory_pool_limit(self, pool, size):
        self.limits[pool] = size

    def set_flag(self, flag):
        self.flags.append(flag)

    def add_optimization_profile(self, profile):
        self.profiles.append(profile)


class Builder:
    def __init__(self, logger):
        assert logger.level == Logger.WARNING

    def create_network(self, flags):
        assert flags == 0
        return Network()

    def create_builder_config(self):
        return Config()

    def create_optimization_profile(self):
        return Profile()

    def build_serialized_network(self, network, config):
        for profile in config.profiles:  # every input of every profile, with all of its axes
            shapes = {name: len(most) for name, (_, _, most) in profile.items()}
            assert shapes == {tensor.name: tensor.rank for tensor in network.inputs}
        asked = {"flags": config.flags, "profiles": config.profiles}
        BUILT.append(asked)
        return memoryview(json.dumps(asked).encode())
