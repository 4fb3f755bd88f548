"""What the coordinator allows this user on the group, asked by the client that joins it.

librdkafka's `describe_consumer_groups` would tell the same, and ends the process where the
connection to the coordinator breaks meanwhile (confluentinc/librdkafka 4605 and 5397).
"""

from __future__ import annotations

import asyncio
import time

from aiokafka.client import AIOKafkaClient, ConnectionGroup, CoordinationType
from aiokafka.errors import GroupAuthorizationFailedError, KafkaError, for_code
from aiokafka.protocol.admin import DescribeGroupsRequest_v3, DescribeGroupsResponse_v3
from aiokafka.protocol.api import Request, RequestStruct
from faust.transport.drivers.aiokafka import credentials_to_aiokafka_auth

from stream_deid.config import Kafka
from stream_deid.errors import Unavailable
from stream_deid.streaming.kafka.security import credentials

_ALL, _READ = 1 << 2, 1 << 3  # KIP-430: a bit for each operation, by its number
_PAUSE_S = 0.2


def missing(kafka: Kafka, timeout_s: float) -> str:
    """The operation that a member needs and this user may not, "Describe" or "Read"; empty where
    there is none, and where the brokers can't tell within `timeout_s` seconds. Blocking, and not
    for a thread with a running event loop.
    """
    end = time.monotonic() + timeout_s
    while True:
        try:
            return asyncio.run(asyncio.wait_for(_asked(kafka), max(0.1, end - time.monotonic())))
        except GroupAuthorizationFailedError:
            return "Describe"
        except (KafkaError, OSError, Unavailable, NotImplementedError) as error:
            again = getattr(error, "retriable", False)  # a cluster's first group has no coordinator
            if not again or time.monotonic() + _PAUSE_S > end:
                return ""
        time.sleep(_PAUSE_S)


class _DescribeV3(RequestStruct):  # type: ignore[misc] # aiokafka publishes no types
    """aiokafka 0.14 reads the answer as that of version 2, without what is allowed."""

    API_KEY = DescribeGroupsRequest_v3.API_KEY
    API_VERSION = DescribeGroupsRequest_v3.API_VERSION
    RESPONSE_TYPE = DescribeGroupsResponse_v3
    SCHEMA = DescribeGroupsRequest_v3.SCHEMA


class _Describe(Request[_DescribeV3]):  # type: ignore[misc]
    API_KEY = _DescribeV3.API_KEY

    def __init__(self, group: str) -> None:
        self._group = group

    def build(self, request_struct_class: type[_DescribeV3]) -> _DescribeV3:
        return request_struct_class([self._group], True)


async def _asked(kafka: Kafka) -> str:
    client = AIOKafkaClient(
        bootstrap_servers=kafka.bootstrap,
        **credentials_to_aiokafka_auth(credentials(kafka.security)),
    )
    try:
        await client.bootstrap()
        node = await client.coordinator_lookup(CoordinationType.GROUP, kafka.group)
        answer = await client.send(node, _Describe(kafka.group), group=ConnectionGroup.COORDINATION)
    finally:
        await client.close()
    (group,) = answer.groups
    error, allowed = group[0], group[-1]
    if error:
        raise for_code(error)
    # the sign alone: a broker without ACLs, or one that does not tell
    return "" if allowed <= 0 or allowed & (_ALL | _READ) else "Read"
