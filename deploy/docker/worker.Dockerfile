# The worker: no torch, no model weights, no root. From the top of the checkout:
#   docker build -f deploy/docker/worker.Dockerfile -t stream-deid-worker:0.1.0 .
# To pin the base by content: --build-arg PYTHON_IMAGE=python@sha256:...
ARG PYTHON_IMAGE=python:3.11-slim-bookworm

FROM ${PYTHON_IMAGE} AS build
ARG SOURCE_DATE_EPOCH=1735689600
ENV SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH} \
    PIP_DISABLE_PIP_VERSION_CHECK=1 \
    PIP_NO_CACHE_DIR=1 \
    PYTHONDONTWRITEBYTECODE=1
WORKDIR /src
COPY constraints.txt ./
COPY deploy/docker/build-constraints.txt deploy/docker/worker.lock ./deploy/docker/
RUN python -m venv /opt/build \
 && /opt/build/bin/pip install --no-cache-dir -c constraints.txt \
    -c deploy/docker/build-constraints.txt setuptools cyclonedx-bom
COPY LICENSE NOTICE README.md pyproject.toml ./
COPY stream_deid ./stream_deid
RUN /opt/build/bin/pip wheel --no-cache-dir --no-deps --no-build-isolation --wheel-dir /opt/wheels . \
 && python -m venv --without-pip /opt/stream-deid \
 && wheel=$(echo /opt/wheels/*.whl) \
 && /opt/build/bin/pip --python /opt/stream-deid/bin/python install --no-cache-dir --no-compile \
    --require-hashes --only-binary :all: -r deploy/docker/worker.lock \
 && /opt/build/bin/pip --python /opt/stream-deid/bin/python install --no-cache-dir --no-compile \
    --no-deps "${wheel}" \
 && /opt/build/bin/pip --python /opt/stream-deid/bin/python check \
 && python -m compileall -q --invalidation-mode unchecked-hash /opt/stream-deid/lib
RUN /opt/build/bin/cyclonedx-py environment --output-reproducible --of JSON \
    -o /opt/stream-deid/sbom.cdx.json /opt/stream-deid/bin/python
# What the worker reads of a model: manifest, vocabulary, tokenizer, second opinion. Weights stay out.
COPY triton_models ./triton_models
WORKDIR /src/triton_models
RUN mkdir /opt/models \
 && find . -mindepth 2 -maxdepth 2 -name '*.json' ! -name calibration.json \
    -exec cp --parents '{}' /opt/models ';'

FROM ${PYTHON_IMAGE}
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="stream-deid worker" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      stream-deid.sbom="/opt/stream-deid/sbom.cdx.json"
# The path is for `kubectl exec POD -- stream-deid doctor`.
ENV PATH=/opt/stream-deid/bin:${PATH} \
    PYTHONDONTWRITEBYTECODE=1 \
    STREAM_DEID_TRITON__REPOSITORY=/opt/models
COPY --from=build /opt/stream-deid /opt/stream-deid
COPY --from=build /opt/models /opt/models
USER 10001:10001
EXPOSE 8080
ENTRYPOINT ["/opt/stream-deid/bin/stream-deid"]
CMD ["worker"]
