"""The documents open in a word processor, with every line that was written and no empty squares for letters."""

from __future__ import annotations

import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from readproof.submit.about import TeamStatement
from readproof.submit.pack import pack_gcrc, pack_registration
from tests.submit.test_pack import ABOUT, made_model, made_run

pytest.importorskip("docx", reason="needs the extra [submit]")

OFFICE = shutil.which("soffice") or shutil.which("libreoffice")
needs_office = pytest.mark.skipif(
    not OFFICE or not shutil.which("pdftotext"), reason="needs LibreOffice and poppler to see the page"
)


def page_of(document: Path, folder: Path) -> str:
    """The text on the rendered pages."""
    profile = f"-env:UserInstallation=file://{folder}/profile"
    command = [str(OFFICE), profile, "--headless", "--convert-to", "pdf", "--outdir", str(folder), str(document)]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    pdf = folder / f"{document.stem}.pdf"
    fonts = subprocess.run(["pdffonts", str(pdf)], check=True, capture_output=True, text=True).stdout
    # every font is embedded: the letters are there, whoever opens it
    assert all(line.split()[-5] == "yes" for line in fonts.splitlines()[2:]), fonts
    return subprocess.run(["pdftotext", "-layout", str(pdf), "-"], check=True, capture_output=True, text=True).stdout


@needs_office
def test_the_model_document_opens(tmp_path: Path) -> None:
    run = made_run(tmp_path / "run")
    package = pack_gcrc([run], tmp_path / "GCRC_advRobust.zip", model=made_model(tmp_path / "net"), about=ABOUT)
    with zipfile.ZipFile(package) as archive:
        archive.extract("GCRC_advRobust.docx", tmp_path)
    text = page_of(tmp_path / "GCRC_advRobust.docx", tmp_path)
    facts = ("模型说明文档", "读证队", "封闭赛道", "运行环境", "model/model.safetensors", "python run.py")
    for wanted in (*facts, "外部数据：无", "未使用大模型"):
        assert wanted in text.replace("\n", ""), text


@needs_office
def test_the_form_opens(tmp_path: Path) -> None:
    form = pack_registration(tmp_path / "form.docx", TeamStatement({"team": "读证队", "mails": "a@example.cn"}))
    text = page_of(form, tmp_path)
    assert "报名表" in text and "读证队" in text and "【待填写：联系电话】" in text
