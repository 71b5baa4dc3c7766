"""What is wrong with a mobile number that a digit is missing in, or has too many: the same at every door."""

from __future__ import annotations

from pos_app.domain.phone import NumberError
from pos_app.i18n.table import Plural, Table


class Numbers(Table):
    """The words; English until told otherwise."""

    MISSING = Plural(
        one="{count} digit is missing: {written}",
        other="{count} digits are missing: {written}",
    )
    SURPLUS = Plural(
        one="{count} digit too many: {written}",
        other="{count} digits too many: {written}",
    )

    def slip(self, error: NumberError) -> str:
        """By how many digits it is wrong, with the number in its groups; "" where it is wrong otherwise."""
        if not error.short:
            return ""
        said = self.MISSING if error.short > 0 else self.SURPLUS
        return said.of(abs(error.short), written=error.written)


words = Numbers()
