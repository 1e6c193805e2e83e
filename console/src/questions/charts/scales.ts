/** Round numbers for axes, and where values stand between them. */
import { compact, decimal, formatNumber } from "../../ui/number-format";

export interface Scale {
  ticks: number[];
  place: (value: number) => number;
}

/** A scale over values onto `from`…`to` pixels; bars must see zero, points need not. */
export function linearScale(values: number[], from: number, to: number, withZero: boolean): Scale {
  const seen = withZero ? [0, ...values] : values;
  const low = seen.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY);
  const high = seen.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
  const ticks = ticksOf(low, high);
  const first = ticks[0] ?? 0;
  const last = ticks[ticks.length - 1] ?? 1;
  return { ticks, place: (value) => from + ((value - first) / (last - first || 1)) * (to - from) };
}

/** Four to eight round numbers that hold a range. */
export function ticksOf(low: number, high: number): number[] {
  if (!(Number.isFinite(low) && Number.isFinite(high))) return [0, 1];
  const isOne = high - low <= 1e-9 * Math.max(Math.abs(low), Math.abs(high));
  const span = isOne ? Math.abs(high) || 1 : high - low;
  const rough = span / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) ?? 10);
  const first = Math.floor(low / step + 1e-9);
  const last = Math.max(first + 1, Math.ceil(high / step - 1e-9));
  return Array.from({ length: last - first + 1 }, (_, index) => rounded((first + index) * step));
}

const rounded = (value: number) => Number(value.toPrecision(12));

export function formatTick(value: number): string {
  return Math.abs(value) >= 1_000_000 ? compact(value) : decimal(value, 4);
}

/** Spells all ticks of an axis in the same manner, and exactly. */
export function tickFormatter(ticks: number[]): (tick: number) => string {
  const isLong = ticks.some((tick) => Math.abs(tick) >= 10_000);
  const notation = isLong ? "compact" : "standard";
  return (tick) => formatNumber(tick, { notation, maximumSignificantDigits: 12 });
}

const WIDE = /[\u1100-\u11ff\u2e80-\ud7ff\uf900-\ufaff\uff00-\uff60]|\p{Emoji_Presentation}/u;
const widthOf = (sign: string) => (WIDE.test(sign) ? 12.5 : 7);

/** About how many pixels a label takes. */
export const textWidth = (text: string) =>
  [...text].reduce((length, sign) => length + widthOf(sign), 0);

/** Cuts a text to the pixels that there are for it. */
export function truncateToWidth(text: string, pixels: number): string {
  let left = pixels;
  let fit = "";
  for (const sign of text) {
    left -= widthOf(sign);
    if (left < 0) return `${[...fit].slice(0, -1).join("")}…`;
    fit += sign;
  }
  return text;
}
