"""The command line and the registry: exit codes, one-line errors, progress, interruption, the record."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from asymp import registry
from asymp.claim import Claim, Property, Source
from asymp.cli import main
from asymp.parse import claim
from asymp.testing import claims_test

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[1])}


def one_line(captured) -> str:
    """The error, in one line; below it stands, at most, what to type instead."""
    lines = [line for line in captured.err.splitlines() if not line.startswith(("  type: asymp ", "    or: asymp "))]
    assert len(lines) == 1, captured.err
    assert "Traceback" not in captured.err
    return captured.err


BAD_INPUT = {
    "an unknown command": (["chekc"], "did you mean check"),
    "no command": ([], "command"),
    "an unknown paper": (["check", "lfsm"], "lfsm"),
    "an unknown claim": (["check", "lfms/lemma-99"], "lemma-99"),
    "a missing file": (["check", "nowhere.py"], "nowhere.py: no such file"),
    "a folder that is not there": (
        ["check", "my_claims.py", "--json", "no/such/folder/x.json"],
        "no/such/folder",
    ),
    "show of nothing": (["show"], "KEY|ID"),
    "show of nothing known": (["show", "lfms/nothing"], "nothing"),
    "an unknown quantity": (["enclose", "lfms/thruput", "n=1"], "did you mean lfms/throughput"),
    "a quantity without its paper": (["enclose", "throughput", "n=1"], "did you mean lfms/throughput"),
    "a folder for a file of claims": (["check", "."], "is a folder"),
    "no limit to read": (["expand", "n", "--to", "n"], "n -> oo"),
    "a limit without a side": (["expand", "n", "--to", "n->5"], "from which side"),
    "too many terms": (["expand", "n", "--to", "n->oo", "--order", "1e9"], "--order"),
    "two relations": (["ask", "n ~ n ~ n", "--to", "n->oo"], "column 7"),
    "a function nobody knows": (["ask", "f(n) ~ n", "--to", "n->oo"], "unknown function 'f'"),
    "no processes": (["check", "--jobs", "0"], "--jobs"),
    "a number beyond reach": (["enclose", "lfms/throughput", "n=1e8", "alpha=1e400", "mu1=1", "mun=1"], ""),
    "a malformed parameter": (["enclose", "lfms/throughput", "n"], "name=value"),
    "a parameter given twice": (["enclose", "lfms/throughput", "n=1", "n=2"], "twice"),
    "too many digits": (["enclose", "lfms/throughput", "n=1", "--digits", "1000000000"], "--digits"),
    "digits that are no number": (["enclose", "lfms/throughput", "n=1", "--digits", "x"], "--digits"),
    "digits below one": (["enclose", "lfms/throughput", "n=1", "--digits", "0"], "--digits"),
    "a size that is no number": (["sample", "one-and-n", "--size", "many"], "--size"),
    "a negative seed": (["sample", "one-and-n", "--seed=-1"], "--seed"),
    "an unknown device": (["sample", "one-and-n", "--device", "tpu"], "tpu"),
    "an unknown figure's paper": (["figure", "lfsm"], "lfsm"),
    "an unknown paper to export": (["export", "lfsm"], "lfsm"),
    "an expansion of nothing": (["expand", "--to", "n->oo"], "expression"),
    "no limit": (["ask", "f ~ g"], "--to"),
    "a time beyond all clocks": (["check", "--timeout", "1e400"], "--timeout"),
    "a vast processor time": (["check", "--cpu", "1e5000"], "--cpu"),
    "a vast number of processes": (["check", "--jobs", "1e400"], "--jobs"),
    "a vast order": (["expand", "n", "--to", "n->oo", "--order", "1e5000"], "--order"),
    "a vast precision": (["enclose", "lfms/throughput", "--digits", "1e5000"], "--digits"),
    "a vast sample": (["sample", "one-and-n", "--size", "1e5000"], "--size"),
    "a file without claims": (["check", "empty.py"], "empty.py: no claims"),
    "a file with two lists": (["check", "both.py"], "both.py: both a list CLAIMS and a function"),
}


@pytest.mark.parametrize("name", BAD_INPUT)
def test_bad_input_is_one_line_and_exit_2(name, capsys, claim_file, monkeypatch):
    monkeypatch.chdir(claim_file.parent)
    Path("empty.py").write_text("CLAIMS = []\n")
    Path("both.py").write_text("CLAIMS = []\ndef claims(): return []\n")
    arguments, text = BAD_INPUT[name]
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert text in one_line(captured)
    assert captured.out == ""


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["n=0", "alpha=2", "mu1=1", "mun=1"], "n"),
        (["n=-5", "alpha=2", "mu1=1", "mun=1"], "n"),
        (["n=nan", "alpha=2", "mu1=1", "mun=1"], "n"),
        (["n=1.5", "alpha=2", "mu1=1", "mun=1"], "n"),
        (["n=1e8", "p=2", "mu1=1", "mun=1"], "p=2"),
        (["n=1e8", "p=1", "mu1=1", "mun=1"], "p=1"),
        (["n=1e8", "p=0", "mu1=1", "mun=1"], "p=0"),
        (["n=1e8", "alpha=0", "mu1=1", "mun=1"], "alpha=0"),
        (["n=1e8", "p=0.5", "mu1=inf", "mun=1"], "mu1=inf"),
        (["n=1e8", "p=0.5", "mu1=0", "mun=1"], "mu1=0"),
        ([], "n: missing"),
        (["n=1e8", "p=0.5", "mu1=1"], "mun"),
        (["n=1e8", "p=0.5", "mu1=1", "mun=1", "speed=3"], "speed"),
        (["n=1e8", "p=0.5", "alpha=2", "mu1=1", "mun=1"], "p"),
        (["n=1e999999999", "p=0.5", "mu1=1", "mun=1"], "n"),
        (["n=__import__('os')", "p=0.5", "mu1=1", "mun=1"], "n"),
    ],
)
def test_bad_parameters_are_named(words, named, capsys):
    assert main(["enclose", "lfms/throughput", *words]) == 2
    assert named in one_line(capsys.readouterr())


def test_enclose_prints_a_ball(capsys):
    words = ["n=1e8", "alpha=2", "mu1=1", "mun=1"]
    assert main(["enclose", "lfms/throughput", *words, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert set(answer) == {"value", "radius", "seconds"}
    # n mu1 - mu1 n^(2-alpha) ln n + ...: 10^8 - ln 10^8 to about one (the paper's Lemma 8.3)
    assert abs(float(answer["value"]) - (1e8 - 18.42)) < 2
    assert float(answer["radius"]) < 1e-20
    assert main(["enclose", "lfms/throughput", *words, "--digits", "5"]) == 0
    assert "lfms/throughput = " in capsys.readouterr().out


# --- check -----------------------------------------------------------------------------------


@pytest.mark.usefixtures("stubbed")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_check_writes_rows_a_summary_and_the_record(jobs, claim_file, tmp_path, capsys):
    path = tmp_path / "record.json"
    assert main(["check", str(claim_file), "--json", str(path), "--jobs", jobs]) == 0
    captured = capsys.readouterr()
    assert "my/harmonic" in captured.out
    assert "3 claims: 2 hold, 1 refuted, 0 undecided; all as expected" in captured.out
    assert "[1/3] checking" in captured.err
    record = json.loads(path.read_text())
    assert list(record) == ["asymp", "claims", "summary"]
    assert [item["id"] for item in record["claims"]] == ["my/harmonic", "my/wrong", "my/right"]
    wrong = record["claims"][1]
    wanted = "id paper locator relation statement latex as_printed outcome strength expected correction evidence next_term seconds"
    assert set(wanted.split()) <= set(wrong)
    assert (wrong["outcome"], wrong["expected"], wrong["correction"]) == ("refuted", "refuted", "my/right")
    evidence = wrong["evidence"][0]
    assert evidence["points"] == [{"at": {"n": "1e1000"}, "value": "1." + "3" * 60, "radius": "1e-30"}]
    assert record["summary"] | {"seconds": 0} == {
        "claims": 3, "holds": 2, "refuted": 1, "undecided": 0, "proved": 3, "certified": 0, "supported": 0,
        "narrowed": 0, "unexpected": 0, "seconds": 0,
    }  # fmt: skip


@pytest.mark.usefixtures("stubbed")
def test_check_to_standard_output_is_one_object(claim_file, capsys):
    assert main(["check", str(claim_file), "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["summary"]["claims"] == 3


def write_claims(folder: Path, *slugs: str) -> str:
    lines = [f'    claim("my/{slug}", "n ~ n", to="n->oo", source="me, eq. (1)"),' for slug in slugs]
    path = folder / "more_claims.py"
    path.write_text("\n".join(["from asymp.parse import claim", "CLAIMS = [", *lines, "]", ""]))
    return str(path)


@pytest.mark.usefixtures("stubbed")
@pytest.mark.parametrize(
    ("odd", "jobs", "said", "summary"),
    [
        (["raise", "surprise"], "1", "RuntimeError: no such luck", "4 claims: 2 hold, 0 refuted, 2 undecided; 2 NOT as expected"),
        (["raise", "surprise"], "2", "RuntimeError: no such luck", "4 claims: 2 hold, 0 refuted, 2 undecided; 2 NOT as expected"),
        (["crash", "c"], "2", "the process that checked it died", "4 claims: 3 hold"),
        (["interrupt", "c"], "1", "the check failed: KeyboardInterrupt", "4 claims: 3 hold, 0 refuted, 1 undecided"),
    ],
)
def test_a_claim_that_fails_does_not_stop_the_others(odd, jobs, said, summary, tmp_path, capsys):
    """One that asks for an interruption is undecided like any other that fails."""
    assert main(["check", write_claims(tmp_path, "a", "b", *odd), "--jobs", jobs]) == 1
    out = capsys.readouterr().out
    assert said in out and summary in out


SLEEPER = """
import time
from asymp.claim import Claim, Evidence, Outcome, Property, Source, Strength

def test(seconds):
    time.sleep(seconds)
    return [Evidence("enclosed", Outcome.HOLDS, Strength.CERTIFIED, "slept")]

CLAIMS = [Claim(f"my/sleep-{i}", Source("me", "Section 1"), Property(lambda i=i: test(60 * (i > 1))), "sleeps")
          for i in range(4)]
"""


def test_a_claim_that_does_not_end_costs_its_time_only(tmp_path, capsys):
    file = tmp_path / "sleeper.py"
    file.write_text(SLEEPER.replace("i > 1", "i == 1"))
    assert main(["check", str(file), "--timeout", "5", "--jobs", "2"]) == 1
    out = capsys.readouterr().out
    assert "no answer within 5 seconds" in out
    assert "4 claims: 3 hold, 0 refuted, 1 undecided" in out


@pytest.mark.parametrize("kind", [signal.SIGINT, signal.SIGTERM])
def test_signals_keep_and_write_what_was_found(tmp_path, kind):
    file, record = tmp_path / "sleeper.py", tmp_path / "record.json"
    file.write_text(SLEEPER)
    command = [sys.executable, "-m", "asymp", "check", str(file), "--json", str(record)]
    run = subprocess.Popen(
        command, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path
    )
    assert run.stdout is not None
    for _ in range(3):  # the header and two rows appear as they come
        run.stdout.readline()
    time.sleep(0.2)
    run.send_signal(kind)
    out, err = run.communicate(timeout=120)
    assert run.returncode == 128 + kind
    assert "Traceback" not in err
    assert "2 claims: 2 hold" in out
    summary = json.loads(record.read_text())["summary"]
    assert (summary["claims"], summary["missing"]) == (2, 2)


def test_a_closed_pipe_is_no_error(claim_file):
    command = f"{sys.executable} -m asymp list {claim_file} | head -n 0; exit ${{PIPESTATUS[0]}}"
    run = subprocess.run(["bash", "-c", command], env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert run.stderr == ""


def test_an_unencodable_statement_is_still_printed(tmp_path):
    file = tmp_path / "greek.py"
    file.write_text(
        'from asymp.parse import claim\nCLAIMS = [claim("my/μ".replace("μ", "mu"), "μ ~ μ", to="μ->oo", source="me, μ")]\n',
        encoding="utf-8",
    )
    environment = {**ENVIRONMENT, "PYTHONIOENCODING": "ascii"}
    run = subprocess.run(
        [sys.executable, "-m", "asymp", "list", str(file)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stderr) == (0, "")


# --- files of claims -------------------------------------------------------------------------

BAD_FILES = {
    "a syntax error": ("x = 1\nCLAIMS = [\n", "line 2: syntax error"),
    "an exception": ("x = 1\ny = 1 / 0\n", "line 2: ZeroDivisionError"),
    "an exit": ("raise SystemExit('bye')\n", "line 1: SystemExit"),
    "no claims": ("x = 1\n", "no claims"),
    "a wrong type": ("CLAIMS = 5\n", "CLAIMS is a int"),
    "a null byte": ("x = 1\0\n", "bad.py"),
    "an import error": ("import no_such_module_at_all\n", "line 1: ModuleNotFoundError"),
}  # fmt: skip


@pytest.mark.usefixtures("stubbed")
@pytest.mark.parametrize("name", BAD_FILES)
def test_a_bad_file_is_one_line_and_the_others_go_on(name, claim_file, tmp_path, capsys):
    text, message = BAD_FILES[name]
    bad = tmp_path / "bad.py"
    bad.write_text(text)
    assert main(["check", str(bad), str(claim_file)]) == 2
    captured = capsys.readouterr()
    lines = [line for line in captured.err.splitlines() if not line.startswith("[")]
    assert len(lines) == 1
    assert message in lines[0]
    assert "bad.py" in lines[0]
    assert "3 claims: 2 hold" in captured.out


def test_a_file_that_is_not_text(tmp_path, capsys):
    path = tmp_path / "bad.py"
    path.write_bytes(b"\xff\xfe\x00CLAIMS")
    assert main(["check", str(path)]) == 2
    assert "bad.py" in one_line(capsys.readouterr())


def a_claim(slug: str = "x", **others) -> Claim:
    return claim(f"my/{slug}", "n ~ n", to="n->oo", source=others.pop("source", "me, eq. (1)"), **others)


@pytest.mark.parametrize(
    ("claims", "message"),
    [
        ([a_claim(correction="my/y")], "not registered"),
        ([a_claim(correction="my/y"), a_claim("y")], "does not name it in corrects"),
        ([a_claim(), a_claim("y", corrects="my/x", as_printed=False)], "does not name it in correction"),
        ([a_claim(correction="my/y"), a_claim("y", corrects="my/x")], "as_printed"),
        (
            [a_claim(correction="my/y"), a_claim("y", corrects="my/x", as_printed=False, source="me, (2)")],
            "locator",
        ),
        ([Claim("my/x", Source("me", " "), Property(list), "one")], "no source"),
        ([Claim("my x", Source("me", "1"), Property(list), "one")], "paper/slug"),
        ([Claim("my/x", Source("me", "1"), "f ~ g", "one")], "not a Relation"),
        ([Claim("my/x", Source("me", "1"), Property(list), "")], "no statement"),
        ([Claim("my/x", Source("me", "1"), Property(list), "one", expected="true")], "expected"),
    ],
)
def test_ill_formed_claims_are_found_at_load(claims, message):
    (problem, *_) = registry.validate(claims)
    assert message in problem


def test_well_formed_claims_are_accepted():
    pair = [a_claim(correction="my/y"), a_claim("y", corrects="my/x", as_printed=False)]
    assert registry.validate(pair) == []
    assert registry.validate(pair, "other") != []


# --- list, show ------------------------------------------------------------------------------


def test_list_shows_a_line_each(claim_file, capsys):
    assert main(["list", str(claim_file)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3
    assert lines[0].split() == ["my/harmonic", "eq.", "(1)", "equivalent", "holds"]
    assert main(["list", str(claim_file), "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["claims"]) == 3


@pytest.mark.usefixtures("stubbed")
def test_show_explains(claim_file, capsys):
    target = f"{claim_file}::my/wrong"
    assert main(["show", target]) == 0
    out = capsys.readouterr().out
    for part in (
        "harmonic(n) ~ 2*log(n)",
        "derivation",
        "Stirling's series",
        "DLMF",
        "n = 1e1000",
        "my/right",
        "1/(12*n)",
    ):
        assert part in out
    assert main(["show", target, "--latex"]) == 0
    assert r"\subsection" in capsys.readouterr().out
    assert main(["show", target, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["evidence"][0]["steps"]


# --- claims as tests -------------------------------------------------------------------------


def test_claims_as_pytest_items_in_one_line(pytester_free_folder, claim_file):
    folder = pytester_free_folder
    (folder / "my_claims.py").write_text(
        claim_file.read_text() + 'CLAIMS.append(claim("my/surprise", "n ~ 2*n", to="n->oo", source="me, eq. (3)"))\n'
    )
    (folder / "test_mine.py").write_text(
        'from asymp.testing import claims_test\n\ntest_claims = claims_test("my_claims.py")\n'
    )
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_mine.py"]
    run = subprocess.run(command, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert "1 failed, 3 passed" in run.stdout
    assert "test_claims[my/surprise]" in run.stdout
    assert "expected holds" in run.stdout


def test_a_file_without_claims_beside_others_is_named(claim_file, tmp_path, capsys):
    (tmp_path / "empty.py").write_text("CLAIMS = []\n")
    assert main(["check", str(claim_file), str(tmp_path / "empty.py"), "--quick"]) == 2
    assert "empty.py: no claims" in capsys.readouterr().err
    with pytest.raises(registry.RegistryError, match="no claims"):
        claims_test(tmp_path / "empty.py")


@pytest.fixture
def pytester_free_folder(tmp_path: Path) -> Path:
    """A folder of its own, outside the reach of this project's pytest settings."""
    folder = tmp_path / "theirs"
    folder.mkdir()
    (folder / "pytest.ini").write_text("[pytest]\n")
    return folder


def test_the_claim_file_of_the_readme_from_another_folder(tmp_path, capsys, monkeypatch):
    example = Path(__file__).resolve().parents[1] / "examples" / "my_claims.py"
    (tmp_path / "mine.py").write_text(example.read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert main(["check", "mine.py", "--json", "record.json"]) == 0
    assert "all as expected" in capsys.readouterr().out
    outcomes = {item["id"]: item["outcome"] for item in json.loads((tmp_path / "record.json").read_text())["claims"]}
    assert outcomes == {"my/harmonic": "holds", "my/too-sharp": "refuted", "my/rate": "holds"}
