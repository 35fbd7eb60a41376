"""Models of other libraries that have a name in the catalogue."""

from augury.registration import ModelEntry

OTHER_MODELS = (
    ModelEntry(
        "majority",
        "other",
        "Class shares of the training rows, for every row (baseline)",
        "sklearn.dummy.DummyClassifier",
        {"strategy": "prior"},
    ),
    ModelEntry(
        "forest",
        "other",
        "Random forest of scikit-learn",
        "sklearn.ensemble.RandomForestClassifier",
        {"n_estimators": 300},
    ),
    ModelEntry(
        "boosted-trees",
        "other",
        "Histogram gradient boosting of scikit-learn",
        "sklearn.ensemble.HistGradientBoostingClassifier",
    ),
    ModelEntry(
        "lightgbm",
        "other",
        "LightGBM (extra lightgbm)",
        "lightgbm.LGBMClassifier",
        {"n_jobs": 1, "verbose": -1},
    ),
    ModelEntry(
        "xgboost", "other", "XGBoost (extra xgboost)", "xgboost.XGBClassifier", {"n_jobs": 1}
    ),
    ModelEntry(
        "catboost",
        "other",
        "CatBoost (extra catboost)",
        "catboost.CatBoostClassifier",
        {"random_state": 0, "thread_count": 1, "verbose": False, "allow_writing_files": False},
    ),
)

__all__ = ["OTHER_MODELS"]
