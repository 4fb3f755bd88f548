"""Settings: one TOML file, overridden by the environment, checked whole before anything starts.

The only reader of the service's settings in the environment (rigs, training and engines have
variables of their own).
"""

from stream_deid.config.declare import ENVIRONMENT_PREFIX
from stream_deid.config.environment import data_dir, forget_secrets, local_broker, without_secrets
from stream_deid.config.formats import Formats
from stream_deid.config.keys import (
    new_key,
    read_former_keys,
    read_key,
    with_a_key,
    write_new_key,
)
from stream_deid.config.loading import Examined, examine, load, named
from stream_deid.config.mllp import Mllp, MllpOut
from stream_deid.config.problems import Problem
from stream_deid.config.settings import (
    IN_PROCESS,
    Http,
    Kafka,
    Keys,
    PolicySettings,
    Records,
    Registry,
    Release,
    Settings,
    Traces,
    Triton,
)
from stream_deid.config.showing import files_named

__all__ = [
    "ENVIRONMENT_PREFIX",
    "IN_PROCESS",
    "Examined",
    "Formats",
    "Http",
    "Kafka",
    "Keys",
    "Mllp",
    "MllpOut",
    "PolicySettings",
    "Problem",
    "Records",
    "Registry",
    "Release",
    "Settings",
    "Traces",
    "Triton",
    "data_dir",
    "examine",
    "files_named",
    "forget_secrets",
    "load",
    "local_broker",
    "named",
    "new_key",
    "read_former_keys",
    "read_key",
    "with_a_key",
    "without_secrets",
    "write_new_key",
]
