"""SQL tables of a store."""

# Increased when an older program would misread the tables.
SCHEMA_VERSION = 1

SCHEMA = """
CREATE TABLE IF NOT EXISTS meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS environment (
    id INTEGER PRIMARY KEY,
    content TEXT NOT NULL UNIQUE        -- JSON: versions and machine
);
CREATE TABLE IF NOT EXISTS dataset (
    name TEXT PRIMARY KEY,
    checksum TEXT NOT NULL,             -- of the values, names and declared labels
    splitter TEXT NOT NULL,             -- JSON, without the number of runs
    details TEXT NOT NULL,              -- JSON: rows, columns, classes, what was dropped
    labels BLOB NOT NULL                -- the class code of each row
);
CREATE TABLE IF NOT EXISTS model (
    name TEXT PRIMARY KEY,
    description TEXT NOT NULL           -- JSON: class and parameters
);
CREATE TABLE IF NOT EXISTS test_rows (
    dataset TEXT NOT NULL,
    run INTEGER NOT NULL,
    fold INTEGER NOT NULL,
    rows BLOB NOT NULL,
    PRIMARY KEY (dataset, run, fold)
);
CREATE TABLE IF NOT EXISTS fold (
    dataset TEXT NOT NULL,
    model TEXT NOT NULL,
    protocol TEXT NOT NULL,
    run INTEGER NOT NULL,
    fold INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('claimed', 'done', 'failed')),
    runner TEXT NOT NULL,
    environment INTEGER NOT NULL,
    n_train INTEGER,
    n_test INTEGER,
    accuracy REAL,
    log_loss REAL,
    brier REAL,
    fit_seconds REAL,
    predict_seconds REAL,
    predicted BLOB,
    confidence BLOB,
    message TEXT,                       -- the traceback of a failure, or warnings
    PRIMARY KEY (dataset, model, protocol, run, fold)
);
-- Both tables are absent from stores of earlier versions.
CREATE TABLE IF NOT EXISTS probabilities (
    dataset TEXT NOT NULL,
    model TEXT NOT NULL,
    protocol TEXT NOT NULL,
    run INTEGER NOT NULL,
    fold INTEGER NOT NULL,
    content BLOB NOT NULL,              -- p(c | x) of the test rows, class by class
    PRIMARY KEY (dataset, model, protocol, run, fold)
);
CREATE TABLE IF NOT EXISTS instance_weights (
    dataset TEXT PRIMARY KEY,
    content BLOB NOT NULL               -- the weight of each row
);
-- Model summaries. The name of the table is that of earlier versions.
CREATE TABLE IF NOT EXISTS portrait (
    dataset TEXT NOT NULL,
    model TEXT NOT NULL,
    content TEXT NOT NULL,              -- JSON: the summary of a model fitted to all rows
    PRIMARY KEY (dataset, model)
);
"""

__all__ = ["SCHEMA", "SCHEMA_VERSION"]
