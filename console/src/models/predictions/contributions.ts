/** Why a prediction is as it is, on the scale a reader knows: units, per cent or odds. */
import { decimal, percent } from "../../ui/number-format";
import type { Explanation } from "../types";

interface Contributions {
  about: string;
  bars: { label: string; value: number }[];
  spell: (amount: number) => string;
}

export function contributionsOf(
  { link, of, contributions }: Explanation,
  target: string,
): Contributions {
  const bars = Object.entries(contributions)
    .map(([label, value]) => ({ label, value }))
    .filter(({ value }) => value !== 0)
    .sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
  if (link === "value") {
    return {
      about: `What each column adds to ${target} or takes away`,
      bars,
      spell: signed(decimal),
    };
  }
  if (link === "log1p(value)") {
    const spell = (amount: number) => signed(percent)(Math.expm1(amount));
    return { about: `By how much each column raises or lowers ${target}`, bars, spell };
  }
  return { about: `What each column makes of the odds of “${of}”`, bars, spell: multiplied };
}

const signed = (spell: (size: number) => string) => (amount: number) =>
  `${amount > 0 ? "+" : "−"}${spell(Math.abs(amount))}`;

/** Odds three times as high are × 3, a third of them ÷ 3. */
const multiplied = (amount: number) =>
  `${amount > 0 ? "×" : "÷"} ${decimal(Math.exp(Math.abs(amount)))}`;
