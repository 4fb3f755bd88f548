"""Every overlay, rendered once by the real kubectl."""

import sys
from pathlib import Path

import pytest
import toolbox

sys.path.append(str(Path(__file__).parents[1] / "serving"))  # tiny: small real models


@pytest.fixture(scope="session")
def kubectl(tmp_path_factory):
    return toolbox.unpack_kubectl(tmp_path_factory.mktemp("kubectl"))


@pytest.fixture(scope="session")
def rendered(kubectl, tmp_path_factory):
    home = tmp_path_factory.mktemp("home")
    return {name: toolbox.kustomize(kubectl, name, home) for name in toolbox.OVERLAYS}


@pytest.fixture(params=toolbox.OVERLAYS)
def objects(request, rendered):
    return rendered[request.param]
