"""What models have in common that know categories only."""

from augury.encode import TableEncoder
from augury.generative.bases.generative_classifier import GenerativeClassifier


class CategoricalClassifier(GenerativeClassifier):
    """Base of the models that read codes: numbers must be cut into intervals."""

    def _make_encoder(self) -> TableEncoder:
        if self.discretizer is None:
            raise ValueError(
                f"{self._owner}: discretizer must be 'mdl', 'frequency', 'width' or a transformer "
                "with cut_points_, got None: this model cannot use numbers that are not cut"
            )
        return super()._make_encoder()
