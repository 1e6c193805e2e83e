"""What one account may have of something that all share, by its tier."""

from dataclasses import dataclass, field

from modelwright.core.http.context import Caller, Tier

MAX_KNOWN_ACCOUNTS = 10_000
"""Accounts whose tiers one process remembers; the next one makes it begin anew."""


def cap_of(setting: str | int, tier: Tier) -> int:
    """Reads the cap of a tier from a setting: one number for all, or those of basic,pro,enterprise.

    Args:
        setting: Such as `4` or `2,4,8`, as `core.config.setting_types.PerTier` lets it pass.
        tier: Whose cap is asked for.
    """
    numbers = [int(one) for one in str(setting).split(",")]
    return numbers[0] if len(numbers) == 1 else numbers[tier - 1]


@dataclass(slots=True)
class AccountTiers:
    """The tiers of the accounts that have called this process; an unknown one counts as basic."""

    _tiers: dict[str, Tier] = field(default_factory=dict)

    def record(self, caller: Caller) -> None:
        """Remembers the tier of a caller who was recognised."""
        if len(self._tiers) >= MAX_KNOWN_ACCOUNTS:
            self._tiers.clear()
        self._tiers[caller.account_id] = caller.tier

    def cap(self, account_id: str, setting: str | int) -> int:
        """Tells how much of something an account may have."""
        return cap_of(setting, self._tiers.get(account_id, Tier.BASIC))
