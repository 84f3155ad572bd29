"""The program `mechan-conformance`."""

import json
from pathlib import Path

from mechan_conformance.command import main

BAD = Path(__file__).parent / "engines" / "bad.py"


def test_list(capsys):
    assert main(["list", "--cases", "sticking"]) == 0
    assert "block_below_friction_angle" in capsys.readouterr().out
    assert main(["list", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["schema"] == "mechan.conformance/1"


def test_run_and_report(tmp_path, capsys):
    common = ["--engines", f"{BAD}:good", "--cases", "block_stop_*"]
    assert main(["run", *common, "--resume", str(tmp_path), "--format", "json"]) == 0
    told = capsys.readouterr()
    assert "[2/2] block_stop_time good default: pass" in told.err
    document = json.loads(told.out)
    assert main(["report", *common, "--resume", str(tmp_path), "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == document
    (tmp_path / "a.json").write_text(json.dumps(document))
    assert main(["report", str(tmp_path / "a.json"), "--format", "html", "-o", str(tmp_path / "a.html")]) == 0
    assert "</html>" in (tmp_path / "a.html").read_text()


def test_faults(capsys):
    assert main(["run", "--cases", "nothing*"]) == 1
    assert main(["run", "--engines", "nobody"]) == 1
    assert "no engine `nobody`" in capsys.readouterr().err
