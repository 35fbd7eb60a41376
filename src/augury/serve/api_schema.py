"""Description of the requests and answers of a served model, as an OpenAPI document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from augury import __version__
from augury.persist import ModelMetadata
from augury.serve.dates import describe_dates
from augury.serve.input_columns import DATE, LABELS, InputColumn
from augury.serve.prediction_service import MAX_EXPLAINED

_MAX_LABELS = 500


def describe_api(
    metadata: ModelMetadata,
    columns: Sequence[InputColumn],
    *,
    max_request_bytes: int,
    max_rows: int,
) -> dict[str, Any]:
    """Return an OpenAPI 3.1 document of a served model.

    `components.schemas.Row` is the JSON schema of a row. `x-labels` are labels of the training
    rows and `x-range` is the range of their numbers; other labels and numbers are allowed.
    """
    target = "class" if metadata.target is None else metadata.target
    row = {"$ref": "#/components/schemas/Row"}
    answer = {"$ref": "#/components/schemas/Prediction"}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": f"Prediction of {target}",
            "version": __version__,
            "description": f"{metadata.parameters}, saved {metadata.created} by augury "
            f"{metadata.versions.get('augury', 'of an unknown version')}.",
        },
        "paths": {
            "/predict": {"post": _predict(row, answer, max_request_bytes, max_rows)},
            "/schema": {"get": _get("This document.", "application/json")},
            "/health": {"get": _get('{"status": "ok"}', "application/json")},
            "/": {"get": _get("A page with a form.", "text/html")},
        },
        "components": {
            "schemas": {
                "Row": _row(columns),
                "Prediction": _prediction(metadata),
                "Explanation": _EXPLANATION,
                "Errors": _ERRORS,
            }
        },
    }


def _row(columns: Sequence[InputColumn]) -> dict[str, Any]:
    return {
        "type": "object",
        "description": "A value for each column; null is a missing value.",
        "properties": {column.name: _column(column) for column in columns},
        "required": [column.name for column in columns if column.is_read],
        "additionalProperties": False,
    }


def _column(column: InputColumn) -> dict[str, Any]:
    found: dict[str, Any] = {"type": [*column.types, "null"]}
    if not column.is_read:
        return found | {"description": "Not read by the model; may be absent."}
    if column.kind == LABELS:
        found["description"] = "A label; one that no training row has is reported as unseen."
        if column.labels:
            found["x-labels"] = list(column.labels[:_MAX_LABELS])
    elif column.kind == DATE:
        found["description"] = f"A date: {describe_dates(column.format)}."
    elif column.format:
        found["description"] = f"A number, or text in the notation {column.format!r}."
    if column.low is not None and column.high is not None:
        found["x-range"] = [column.low, column.high]
    return found


def _predict(
    row: dict[str, Any], answer: dict[str, Any], max_bytes: int, max_rows: int
) -> dict[str, Any]:
    explain = {
        "type": "boolean",
        "description": "Whether contributions of the columns to the log odds are wanted; for at "
        f"most {min(max_rows, MAX_EXPLAINED)} rows.",
    }
    forms: dict[str, Any] = {
        "row": row,
        "rows": {"type": "array", "items": row, "minItems": 1, "maxItems": max_rows},
        "columns": {
            "type": "object",
            "description": "An array of values for each column, instead of an array of rows.",
            "additionalProperties": {"type": "array", "minItems": 1, "maxItems": max_rows},
        },
    }
    several = {"type": "object", "properties": {"predictions": {"type": "array", "items": answer}}}
    return {
        "summary": "Predict one row or several rows",
        "description": f"The body has at most {max_bytes} bytes.",
        "requestBody": _json(
            {
                "type": "object",
                "properties": {**forms, "explain": explain},
                "additionalProperties": False,
                "oneOf": [{"required": [name]} for name in forms],
            },
            required=True,
        ),
        "responses": {
            "200": {"description": "The predictions", **_json({"oneOf": [answer, several]})},
            **{
                status: {"description": text, **_json({"$ref": "#/components/schemas/Errors"})}
                for status, text in _STATUSES.items()
            },
        },
    }


def _prediction(metadata: ModelMetadata) -> dict[str, Any]:
    share = {"type": "number", "minimum": 0, "maximum": 1}
    return {
        "type": "object",
        "properties": {
            "predicted": {"enum": list(metadata.classes)},
            "probabilities": {
                "type": ["object", "null"],
                "properties": {str(label): share for label in metadata.classes},
            },
            "most_probable": {"enum": list(metadata.classes)},
            "decision": {
                "type": "object",
                "description": "How `predicted` was decided, if it is not the most probable class.",
            },
            "unseen": {
                "type": "object",
                "description": "Labels that no training row has, by column.",
            },
            "explanation": {"$ref": "#/components/schemas/Explanation"},
        },
        "required": ["predicted", "probabilities"],
    }


_STATUSES = {
    "400": "The body is not JSON",
    "413": "The body is too large",
    "415": "The content type is not application/json",
    "422": "A value is not what its column needs",
    "503": "Too many requests wait, the answer takes too long, or the server ends",
}
_EXPLANATION: dict[str, Any] = {
    "type": "object",
    "description": "`prior` and `contributions` sum to `log_odds`, the log odds of the positive "
    "class against the negative class.",
    "properties": {
        "positive": {},
        "negative": {},
        "log_odds": {"type": "number"},
        "method": {"enum": ["terms", "shapley", "sampled"]},
        "standard_error": {"type": "number"},
        "prior": {"type": "number"},
        "contributions": {"type": "object", "additionalProperties": {"type": "number"}},
    },
}
_ERRORS: dict[str, Any] = {
    "type": "object",
    "properties": {
        "detail": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "loc": {"type": "array", "items": {"type": ["string", "integer"]}},
                    "msg": {"type": "string"},
                    "type": {"type": "string"},
                },
            },
        },
        "omitted": {
            "type": "integer",
            "description": "Number of further errors; those of later rows are not searched.",
        },
    },
}


def _json(schema: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"content": {"application/json": {"schema": schema}}, **more}


def _get(text: str, kind: str) -> dict[str, Any]:
    return {"responses": {"200": {"description": text, "content": {kind: {}}}}}


__all__ = ["describe_api"]
