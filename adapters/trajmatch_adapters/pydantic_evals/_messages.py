"""What all evaluators have in common: fields, a name, the run of a case, and their form in a file."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from pydantic_evals.evaluators import Evaluator
from pydantic_evals.evaluators.spec import EvaluatorSpec

from trajmatch import OptionError, Trajectory
from trajmatch_adapters.pydantic_evals._places import Context, find_history
from trajmatch_adapters.pydantic_evals._written import written_option

__all__ = ["OnMessages"]

if TYPE_CHECKING:
    _Mixin = Evaluator[object, object, object]
else:  # no evaluator itself, since those of old versions cannot be abstract
    _Mixin = object


class OnMessages(_Mixin):
    """What all evaluators have in common, save their fields, whose order each says itself.

    Attributes:
        history_key: The attribute, or the field of the output, that holds the history. By default it is the output,
            where that is a run result, or else the attribute `messages`, or else any output.
        nested: Whether the runs count that tools hand over in the metadata of what they return.
        evaluation_name: The name of the result; by default that of the class.
    """

    history_key: str | None
    nested: bool
    evaluation_name: str | None

    def _refuse_wrong_fields(self, *, texts: Iterable[str] = (), flags: Iterable[str] = ()) -> None:
        """Refuse wrong values of the fields that all evaluators have, and of those that are named.

        Raises:
            OptionError: A text that is none, a flag that is none.
        """
        for name in ("history_key", "evaluation_name", *texts):
            text: object = getattr(self, name)
            if text is not None and not (isinstance(text, str) and text):
                raise OptionError(f"{name}: a text that is not empty, got {text!r}", option=name, value=text)
        for name in ("nested", *flags):
            flag: object = getattr(self, name)
            if not isinstance(flag, bool):
                raise OptionError(f"{name}: True or False, got {flag!r}", option=name, value=flag)

    def _history(self, ctx: Context) -> Trajectory:
        return find_history(ctx, self.history_key, self.nested)

    def _written(self, name: str, value: object) -> object:
        return written_option(name, value)

    def get_default_evaluation_name(self) -> str:
        """Give the name of the result."""
        return self.evaluation_name or self.get_serialization_name()

    def build_serialization_arguments(self) -> dict[str, Any]:
        """Give the fields that differ from their defaults, in the types of JSON."""
        given = super().build_serialization_arguments()
        return {name: self._written(name, value) for name, value in given.items()}

    def as_spec(self) -> EvaluatorSpec:
        """Give name and fields, each by its name: the short form of old versions leaves out which field it is."""
        return EvaluatorSpec(name=self.get_serialization_name(), arguments=self.build_serialization_arguments() or None)
