"""Series that make each alert fire, and series beside them that must leave it silent.

Times are minutes, one sample a minute, in promtool's notation: `5x9` is ten fives, `0+2x9` a
counter that grows by two, `_x5` five scrapes without the series.
"""

from dataclasses import dataclass

LAG = 'stream_deid_lag{{namespace="n",pod="w-0",partition="{}"}}'
NOTES = 'stream_deid_notes_total{{namespace="n",pod="w-0",outcome="{}"}}'
DEAD = 'stream_deid_dead_letters_total{{namespace="n",pod="w-0",code="{}"}}'
TRANSACTIONS = 'stream_deid_transactions_total{{namespace="n",pod="w-0",result="{}"}}'
TOTAL = 'stream_deid_stage_seconds_bucket{{namespace="n",pod="w-0",stage="total",le="{}"}}'
OWNED = 'stream_deid_partitions_owned{{namespace="n",pod="{}"}}'
PARTITIONS = 'stream_deid_partitions{namespace="n",pod="w-0"}'
SILENT = 'stream_deid_models_silent_seconds{namespace="n",pod="w-0"}'
WORDS = 'stream_deid_words_total{namespace="n",pod="w-0"}'
PHI = 'stream_deid_phi_total{namespace="n",pod="w-0",type="NAME"}'
IN_FLIGHT = 'stream_deid_notes_in_flight{namespace="n",pod="w-0"}'
SCORED = 'stream_deid_stage_seconds_count{namespace="n",pod="w-0",stage="score"}'
LIVE = 'stream_deid_live{namespace="n",pod="w-0"}'
RETRIES = 'stream_deid_retries_total{namespace="n",pod="w-0",code="triton.timeout"}'
EXPIRED = 'stream_deid_notes_expired_total{namespace="n",pod="w-0"}'
SUCCESS = 'nv_inference_request_success{namespace="n",pod="t-0",model="bert_en",version="1"}'
FAILURE = (
    'nv_inference_request_failure{namespace="n",pod="t-0",model="bert_en",version="1",'
    'reason="BACKEND"}'
)
ANSWERS = 'stream_deid_mllp_answers_total{{namespace="n",pod="m-0",ack="{}",code="{}"}}'
BEHIND = 'stream_deid_mllp_kafka{{namespace="n",pod="m-{}"}}'
DUE = 'stream_deid_release_behind_seconds{namespace="n",pod="r-0"}'
PASSES = 'stream_deid_release_passes_total{namespace="n",pod="r-0"}'
QUEUE = 'nv_inference_queue_duration_us{{namespace="n",pod="{}",model="bert_en",version="1"}}'


@dataclass(frozen=True)
class Case:
    """`count` alerts fire at minute `at` (0: none does)."""

    alert: str
    why: str
    at: int
    count: int
    series: dict[str, str]
    every: str = "1m"


def both(alert, at, fires, silent):
    """The plain pair of cases."""
    return [Case(alert, "fires", at, 1, fires), Case(alert, "stays silent", at, 0, silent)]


def first(alert, metric, other):
    """A labelled counter appears with its first event: no increase shows it. Later it is silent."""
    return [
        Case(alert, "fires at a series' first sample", 8, 1, {metric: "_x5 1x60"}),
        Case(alert, "fires at an increase", 30, 1, {metric: "3x25 4x40"}),
        Case(alert, "is silent when nothing is new", 60, 0, {metric: "_x5 1x60"}),
        Case(alert, "is silent for other series", 8, 0, {other: "_x5 1x60"}),
    ]


def drift(name_now):
    """Two weeks of 120 names in 24,000 words every 20 minutes, then `name_now`."""
    return {
        PHI: f"0+120x1025 123000+{name_now}x25",
        WORDS: "0+24000x1050",
    }


def small_drift(name_before, name_now):
    """A site of 21,600 words a day: two weeks of so many names every 20 minutes, then others."""
    end = name_before * 1025
    return {
        PHI: f"0+{name_before}x1025 {end + name_now}+{name_now}x75",
        WORDS: "0+300x1100",
    }


SMALL_AT = (1025 + 60) * 20
DRIFT_AT = (1025 + 15) * 20

CASES = [
    *both("StreamDeidDown", 5, {"up": "1x10"}, {LIVE: "1x10"}),
    Case("StreamDeidDown", "fires for one of two deployments", 20, 1,
         {LIVE: "1x5", LIVE.replace('"n"', '"other"'): "1x30"}),
    Case("StreamDeidDown", "fires once for the only deployment", 20, 1, {LIVE: "1x5"}),
    Case("StreamDeidDown", "is silent while one worker of several is away", 20, 0,
         {LIVE: "1x5", LIVE.replace("w-0", "w-1"): "1x30"}),
    *both("StreamDeidWorkerNotLive", 5, {LIVE: "1 0x10"}, {LIVE: "1x3 0 1x10"}),
    *both(
        "StreamDeidStandsStill",
        15,
        {LAG.format(0): "5x20", NOTES.format("released"): "100x20"},
        {LAG.format(0): "5x20", NOTES.format("released"): "100+1x20"},
    ),
    Case("StreamDeidStandsStill", "is silent without lag", 15, 0,
         {LAG.format(0): "0x20", NOTES.format("released"): "100x20"}),
    Case("StreamDeidStandsStill", "fires when no note was ever committed", 15, 1,
         {LAG.format(0): "5x20"}),
    *both("StreamDeidLagGrows", 80, {LAG.format(0): "1000+50x90"}, {LAG.format(0): "9000-50x90"}),
    Case("StreamDeidLagGrows", "is silent for a small lag", 80, 0, {LAG.format(0): "0+1x90"}),
    *both(
        "StreamDeidPartitionsWithoutOwner",
        10,
        {PARTITIONS: "2x20", OWNED.format("w-0"): "1x20"},
        {PARTITIONS: "2x20", OWNED.format("w-0"): "1x20", OWNED.format("w-1"): "1x20"},
    ),
    *both("StreamDeidNothingScored", 10, {IN_FLIGHT: "3x20", SCORED: "100x20"},
          {IN_FLIGHT: "3x20", SCORED: "100+5x20"}),
    Case("StreamDeidNothingScored", "fires when nothing was ever scored", 10, 1,
         {IN_FLIGHT: "3x20"}),
    Case("StreamDeidNothingScored", "is silent when idle", 10, 0,
         {IN_FLIGHT: "0x20", SCORED: "100x20"}),
    *both("StreamDeidNothingScored", 10, {SILENT: "0 60 120 180x20"}, {SILENT: "0x20"}),
    *first("StreamDeidNotesRetried", RETRIES, EXPIRED),
    *first("StreamDeidNotesFailed", DEAD.format("note.failed"), DEAD.format("json.syntax")),
    *first("StreamDeidSuspectNote", DEAD.format("note.crashes"), DEAD.format("note.failed")),
    *first("StreamDeidDeadLetters", DEAD.format("json.syntax"), DEAD.format("note.failed")),
    *first("StreamDeidCommitsHang", TRANSACTIONS.format("hung"), TRANSACTIONS.format("aborted")),
    *both(
        "StreamDeidManyDeadLetters",
        25,
        {NOTES.format("released"): "0+98x30", NOTES.format("dead"): "0+2x30"},
        {NOTES.format("released"): "0+199x30", NOTES.format("dead"): "0+1x30"},
    ),
    *both("StreamDeidMllpDown", 20, {BEHIND.format(0): "1x5"},
          {BEHIND.format(0): "1x5", BEHIND.format(1): "1x30"}),
    Case("StreamDeidMllpDown", "fires when no listener has a broker", 20, 1,
         {BEHIND.format(0): "0x30", BEHIND.format(1): "1x5 0x30"}),
    Case("StreamDeidMllpDown", "is silent where nobody listens", 20, 0, {LIVE: "1x30"}),
    *both("StreamDeidMllpNotTaken", 20, {ANSWERS.format("AE", "mllp.kafka"): "0+1x30"},
          {ANSWERS.format("AE", "mllp.kafka"): "0x3 1x30", ANSWERS.format("AA", ""): "0+9x30"}),
    Case("StreamDeidMllpNotTaken", "fires in the enhanced mode", 20, 1,
         {ANSWERS.format("CE", "mllp.busy"): "0+1x30"}),
    *first("StreamDeidMllpRejected", ANSWERS.format("AR", "hl7.msh"), ANSWERS.format("AA", "")),
    *both("StreamDeidReleaseDown", 25, {DUE: "0x5"}, {DUE: "0x30"}),
    Case("StreamDeidReleaseDown", "is silent where nobody releases", 20, 0, {LIVE: "1x30"}),
    *both("StreamDeidReleaseBehind", 90, {DUE: "0+60x100", PASSES: "5x100"},
          {DUE: "0+60x100", PASSES: "5 5 5+1x100"}),
    Case("StreamDeidReleaseBehind", "is silent while nothing is due", 90, 0,
         {DUE: "0x100", PASSES: "5x100"}),
    Case("StreamDeidReleaseBehind", "is silent in the first hour", 50, 0,
         {DUE: "0+60x100", PASSES: "5x100"}),
    *both("StreamDeidNotesExpired", 15, {EXPIRED: "0x10 3x100"}, {EXPIRED: "0x100"}),
    Case("StreamDeidNotesExpired", "fires when the first sample has some", 5, 1,
         {EXPIRED: "_x3 7x100"}),
    Case("StreamDeidNotesExpired", "is silent when nothing is new", 100, 0,
         {EXPIRED: "_x3 7x100"}),
    *both(
        "StreamDeidCommitsAborted",
        40,
        {TRANSACTIONS.format("committed"): "0+80x60", TRANSACTIONS.format("aborted"): "0+20x60"},
        {TRANSACTIONS.format("committed"): "0+99x60", TRANSACTIONS.format("aborted"): "0+1x60"},
    ),
    *both(
        "StreamDeidSlow",
        40,
        {TOTAL.format("30.0"): "0+90x60", TOTAL.format("60.0"): "0+100x60",
         TOTAL.format("+Inf"): "0+100x60"},
        {TOTAL.format("30.0"): "0+100x60", TOTAL.format("60.0"): "0+100x60",
         TOTAL.format("+Inf"): "0+100x60"},
    ),
    Case("StreamDeidPhiDrift", "fires at a sixth", DRIFT_AT, 1, drift(20), "20m"),
    Case("StreamDeidPhiDrift", "fires at four times", DRIFT_AT, 1, drift(480), "20m"),
    Case("StreamDeidPhiDrift", "is silent at four fifths", DRIFT_AT, 0, drift(96), "20m"),
    Case("StreamDeidPhiDrift", "fires where a small site's type vanishes", SMALL_AT, 1,
         small_drift(1.5, 0), "20m"),
    Case("StreamDeidPhiDrift", "is silent at four fifths of a small site's day", SMALL_AT, 0,
         small_drift(1.5, 1.2), "20m"),
    Case("StreamDeidPhiDrift", "is silent where chance alone makes a day without", SMALL_AT, 0,
         small_drift(0.25, 0), "20m"),
    *both("StreamDeidTritonFails", 20, {SUCCESS: "0+90x30", FAILURE: "0+10x30"},
          {SUCCESS: "0+990x30", FAILURE: "0+10x30"}),
    *both(
        "StreamDeidTritonQueues",
        40,
        {QUEUE.format("t-0"): "0+600000000x60", QUEUE.format("t-1"): "0+600000000x60"},
        {QUEUE.format("t-0"): "0+60000000x60", QUEUE.format("t-1"): "0+60000000x60"},
    ),
]  # fmt: skip
