"""Everything `headwise evaluate` found out, as data."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

from headwise.evaluation.assessment import Assessment
from headwise.evaluation.breakdown import Breakdown, GroupScore
from headwise.evaluation.comparison import MeasureComparison
from headwise.evaluation.confusion import Confusion
from headwise.evaluation.reliability import Reliability
from headwise.evaluation.score import Score
from headwise.evaluation.scores import Scores
from headwise.evaluation.worst import SentenceErrors


@dataclass(frozen=True)
class Report:
    """One system, or two compared: the second one's scores come with the comparison."""

    assessment: Assessment
    scores: Scores
    breakdowns: list[Breakdown] = field(default_factory=list)
    other: str | None = None
    """The name of the second system."""
    comparison: list[MeasureComparison] = field(default_factory=list)
    reliability: list[Reliability] = field(default_factory=list)
    """How far the system's probabilities can be believed, where that was asked."""
    confusion: Confusion | None = None
    worst: list[SentenceErrors] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """Plain data for `json.dumps`; scores are fractions of 1, and each names its protocol."""
        protocol = self.assessment.protocol
        document: dict[str, Any] = {
            "gold": self.assessment.gold.name,
            "system": self.assessment.system.name,
            "protocol": {"name": protocol.name, "summary": protocol.summary},
            "sentences": len(self.assessment.gold.sentences),
            "words": len(self.assessment.gold),
            "scores": {
                item.name: _score(getattr(self.scores, item.name), protocol.name)
                for item in fields(self.scores)
                if item.name != "protocol"
            },
        }
        if self.breakdowns:
            document["tables"] = {table.by: _table(table) for table in self.breakdowns}
        if self.confusion is not None:
            document["confusion"] = self.confusion.to_json()
        if self.worst:
            document["worst"] = [one.to_json() for one in self.worst]
        if self.reliability:
            document["calibration"] = [item.to_json() for item in self.reliability]
        if self.other is not None:
            document["other"] = self.other
            document["comparison"] = [_comparison(row) for row in self.comparison]
        return document


def _score(score: Score | None, protocol: str) -> dict[str, Any] | None:
    if score is None:
        return None
    return {
        "protocol": protocol,
        "precision": score.precision,
        "recall": score.recall,
        "f1": score.f1,
        "aligned_accuracy": score.aligned_accuracy,
        "correct": score.correct,
        "gold": score.gold,
        "system": score.system,
        "aligned": score.aligned,
    }


def _table(table: Breakdown) -> dict[str, Any]:
    return {
        "protocol": table.protocol.name,
        "groups": [
            {"group": group.name, "uas": _group(group.uas), "las": _group(group.las)}
            for group in table.groups
        ],
    }


def _group(score: GroupScore) -> dict[str, Any]:
    return {
        "precision": score.precision,
        "recall": score.recall,
        "f1": score.f1,
        "gold": score.gold,
        "system": score.system,
        "gold_correct": score.gold_correct,
        "system_correct": score.system_correct,
    }


def _comparison(row: MeasureComparison) -> dict[str, Any]:
    return {
        "measure": row.name,
        "protocol": row.protocol.name,
        "first": _score(row.first, row.protocol.name),
        "second": _score(row.second, row.protocol.name),
        "difference": row.permutation.difference,
        "permutation_test": {
            "p_value": row.permutation.p_value,
            "permutations": row.permutation.permutations,
            "seed": row.permutation.seed,
        },
        "sign_test": {
            "p_value": row.sign.p_value,
            "first_better": row.sign.first_better,
            "second_better": row.sign.second_better,
            "ties": row.sign.ties,
        },
    }
