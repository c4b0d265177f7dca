"""A little Persian text to make encoders from, and plans small enough for a test."""

from __future__ import annotations

from pathlib import Path

SENTENCES = (
    "شهر {name} در سال {year} به دست {man} ساخته شد و مردم آن از {work} زندگی می‌گذرانند.",
    "پس از جنگ، {man} در {name} ماند و کتاب بزرگی دربارهٔ {work} نوشت که در سال {later} چاپ شد.",
    "امروز گردشگران بسیاری برای دیدن {name} به این استان سفر می‌کنند و دربارهٔ {work} می‌پرسند.",
)
NAMES = ("تبریز", "شیراز", "کرمان", "همدان", "سمنان", "بوشهر", "اردبیل", "زنجان")
MEN = ("رضا کاظمی", "حسن مرادی", "علی صالحی", "سعید اکبری", "ناصر زمانی")
WORKS = ("کشاورزی", "ماهیگیری", "فرش‌بافی", "سفالگری")

PLAN = """
name = "tiny"
language = "fa"
held_out = 0.1
[pieces]
size = 600
least = 1
[pieces.letters]
200C = "0020"
064A = "06CC"
0643 = "06A9"
06F1 = "0031"
0640 = ""
[body]
hidden = 64
layers = 2
inner = 96
embedding = 32
positions = 128
[masked]
length = 48
pace = {{ steps = {steps}, batch = 8, lr = 2e-3, seconds = {seconds} }}
[selected]
most = 300
passage = 70
question = 30
mark = "؟"
pace = {{ steps = {steps}, batch = 8, lr = 1e-3, dropout = 0.1, seconds = {seconds} }}
[selected.asked]
year = ["چه سالی"]
person = ["چه کسی"]
place = ["کجا"]
other = ["چه"]
"""


def lines(count: int = 120) -> list[str]:
    out = []
    for at in range(count):
        words = {
            "name": NAMES[at % len(NAMES)],
            "man": MEN[at % len(MEN)],
            "work": WORKS[at % len(WORKS)],
            "year": str(1300 + at),
            "later": str(1320 + at),
        }
        out.append(" ".join(sentence.format(**words) for sentence in SENTENCES))
    return out


def write_text(path: Path, count: int = 120) -> Path:
    path.write_text("\n".join(lines(count)) + "\n", encoding="utf-8")
    return path


def write_plan(path: Path, *, steps: int = 6, seconds: float = 0.0) -> Path:
    path.write_text(PLAN.format(steps=steps, seconds=seconds), encoding="utf-8")
    return path
