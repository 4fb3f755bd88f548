# The model server. Two images come out of it, both with engines made from the committed weights:
#   docker build -f deploy/docker/triton.Dockerfile --target cpu -t stream-deid-triton:0.1.0 .
#   docker build -f deploy/docker/triton.Dockerfile --target plans -t stream-deid-plans:0.1.0 \
#     --build-arg TENSORRT_IMAGE=NAME/tensorrt:24.12-py3 .
# `cpu` is a whole server for hosts without a GPU. `plans` runs before NVIDIA's own Triton on GPU
# hosts, and builds the TensorRT plans there; its tag must be that of the Triton image.
ARG PYTHON_IMAGE=python:3.11-slim-bookworm
ARG TENSORRT_IMAGE=tensorrt:24.12-py3

FROM ${PYTHON_IMAGE} AS build
ARG SOURCE_DATE_EPOCH=1735689600
ENV SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH} \
    PIP_DISABLE_PIP_VERSION_CHECK=1 \
    PIP_NO_CACHE_DIR=1 \
    PYTHONDONTWRITEBYTECODE=1
WORKDIR /src
COPY constraints.txt ./
COPY deploy/docker/build-constraints.txt deploy/docker/engines.lock deploy/docker/triton.lock \
     ./deploy/docker/
RUN python -m venv /opt/build \
 && /opt/build/bin/pip install --no-cache-dir -c constraints.txt \
    -c deploy/docker/build-constraints.txt setuptools cyclonedx-bom
COPY LICENSE NOTICE README.md pyproject.toml ./
COPY stream_deid ./stream_deid
RUN /opt/build/bin/pip wheel --no-cache-dir --no-deps --no-build-isolation --wheel-dir /opt/wheels .

FROM build AS engines
COPY triton_models /opt/models
RUN python -m venv --without-pip /opt/engines \
 && wheel=$(echo /opt/wheels/*.whl) \
 && /opt/build/bin/pip --python /opt/engines/bin/python install --no-cache-dir --no-compile \
    --require-hashes --only-binary :all: -r deploy/docker/engines.lock \
 && /opt/build/bin/pip --python /opt/engines/bin/python install --no-cache-dir --no-compile \
    --no-deps "${wheel}" \
 && /opt/build/bin/pip --python /opt/engines/bin/python check \
 && STREAM_DEID_TRITON__REPOSITORY=/opt/models \
    /opt/engines/bin/stream-deid models build --target cpu

FROM build AS server
RUN python -m venv --without-pip /opt/stream-deid \
 && wheel=$(echo /opt/wheels/*.whl) \
 && /opt/build/bin/pip --python /opt/stream-deid/bin/python install --no-cache-dir --no-compile \
    --require-hashes --only-binary :all: --no-deps -r deploy/docker/triton.lock \
 && /opt/build/bin/pip --python /opt/stream-deid/bin/python install --no-cache-dir --no-compile \
    --no-deps "${wheel}" \
 && python -m compileall -q --invalidation-mode unchecked-hash /opt/stream-deid/lib
RUN /opt/build/bin/cyclonedx-py environment --output-reproducible --of JSON \
    -o /opt/stream-deid/sbom.cdx.json /opt/stream-deid/bin/python

# Never built where it was written: it needs NVIDIA's image, and a GPU to run on.
FROM ${TENSORRT_IMAGE} AS plans
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="stream-deid TensorRT plans" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
WORKDIR /src
COPY --from=build /src/constraints.txt ./
COPY --from=build /opt/wheels /opt/wheels
RUN python3 -m venv --system-site-packages /opt/stream-deid \
 && wheel=$(echo /opt/wheels/*.whl) \
 && /opt/stream-deid/bin/pip install --no-cache-dir --no-compile -c constraints.txt \
    "${wheel}[serving]" onnx safetensors
COPY --from=engines /opt/models /opt/models
ENV PATH=/opt/stream-deid/bin:${PATH} \
    PYTHONDONTWRITEBYTECODE=1 \
    STREAM_DEID_TRITON__REPOSITORY=/opt/models
USER 10001:10001
ENTRYPOINT ["/opt/stream-deid/bin/stream-deid"]
CMD ["models", "build", "--target", "tensorrt", "--into", "/models", "--cache", "/plans"]

FROM ${PYTHON_IMAGE} AS cpu
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="stream-deid Triton on CPU" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      stream-deid.sbom="/opt/stream-deid/sbom.cdx.json"
ENV PATH=/opt/stream-deid/bin:${PATH} \
    PYTHONDONTWRITEBYTECODE=1 \
    STREAM_DEID_TRITON__REPOSITORY=/opt/models
COPY --from=server /opt/stream-deid /opt/stream-deid
COPY --from=engines /opt/models /opt/models
USER 10001:10001
EXPOSE 8001 8002
ENTRYPOINT ["/opt/stream-deid/bin/stream-deid"]
CMD ["models", "serve", "--host", "0.0.0.0", "--grpc-port", "8001", "--metrics-port", "8002"]
