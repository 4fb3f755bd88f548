"""Who may send, what is known of a sender, and which settings make no sense."""

import pytest

from stream_deid import config
from stream_deid.config import Mllp, MllpOut
from stream_deid.errors import Halt
from stream_deid.mllp.access import Guests, client_tls, names_of, server_tls
from stream_deid.mllp.arrival import Arrival
from stream_deid.mllp.duplicates import LastMessages

CERTIFICATE = {
    "subject": ((("organizationName", "Hospital"),), (("commonName", "EHR-1"),)),
    "subjectAltName": (("DNS", "ehr.example.org"), ("IP Address", "10.0.0.1")),
}


def test_an_empty_list_lets_everybody_in():
    assert Guests(Mllp()).refusal("192.0.2.7", None) == ""


@pytest.mark.parametrize(
    ("address", "refusal"),
    [("10.1.2.3", ""), ("10.2.0.1", "network"), ("::ffff:10.1.9.9", ""), ("fd00::5%eth0", ""),
     ("2001:db8::1", "network")],
)  # fmt: skip
def test_networks(address, refusal):
    guests = Guests(Mllp(networks=("10.1.0.0/16", "fd00::/8")))
    assert guests.refusal(address, None) == refusal


def test_names_are_of_the_certificate():
    assert names_of(CERTIFICATE) == {"ehr-1", "ehr.example.org"}
    assert Guests(Mllp(names=("EHR.example.org",))).refusal("::1", CERTIFICATE) == ""
    assert Guests(Mllp(names=("ehr-2",))).refusal("::1", CERTIFICATE) == "certificate"
    assert Guests(Mllp(names=("ehr-2",))).refusal("::1", None) == "certificate"


def test_certificates_that_are_not_there_stop_the_start(tmp_path):
    gone = str(tmp_path / "gone.pem")
    with pytest.raises(Halt, match=r"mllp\.tls"):
        server_tls(Mllp(certificate=gone, key=gone), print)
    with pytest.raises(Halt, match=r"mllp\.tls"):
        client_tls(MllpOut(ca=gone))
    assert server_tls(Mllp(), print) is None
    assert client_tls(MllpOut()) is None


def arrival(number, digest=b"d"):
    return Arrival("00", number, digest, b"", b"")


def test_a_window_knows_the_last_messages_by_number_and_content():
    window = LastMessages(2)
    window.add(b"1", b"d")
    assert window.knows(arrival(b"1"))
    assert not window.knows(arrival(b"1", b"other"))
    window.add(b"1", b"other")
    window.add(b"2", b"d")
    window.add(b"3", b"d")
    assert len(window) == 2
    assert not window.knows(arrival(b"1", b"other"))


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ('[mllp]\ncertificate = "a"\n', "go together"),
        ('[mllp]\nca = "a"\n', "mllp.ca with them"),
        ('[mllp]\nnames = ["a"]\n', "mllp.names needs mllp.ca"),
        ('[mllp]\nnetworks = ["10.0.0.0/40"]\n', "mllp.networks"),
        ("[mllp]\nack_s = 0\n", "mllp.ack_s must be at least 0.1"),
        ("[mllp]\nmax_bytes_in_hand = 2000\n", "at most mllp.max_bytes_in_hand"),
        ('[mllp]\ntopic_seen = "notes.raw"\n', "topics must differ"),
        ('[mllp_out]\ncertificate = "a"\nkey = "b"\n', "with mllp_out.ca"),
        ('[mllp_out]\non_reject = "cry"\n', "mllp_out.on_reject"),
        ("[mllp_out]\nack_s = -1.0\n", "mllp_out.ack_s must be at least 0.1"),
    ],
)
def test_settings_that_make_no_sense_are_refused(tmp_path, table, told):
    file = tmp_path / "settings.toml"
    file.write_text(table)
    with pytest.raises(Halt, match=r"config\.invalid") as caught:
        config.load(file, {})
    assert told in caught.value.detail
