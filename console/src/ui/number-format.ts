/** Numbers as the console writes them: everywhere by this one formatter, in the reader's own locale. */

const formats = new Map<string, Intl.NumberFormat>();

/** Formats a number; what is not there is a dash. */
export function formatNumber(
  value: number | null | undefined,
  options: Intl.NumberFormatOptions = {},
): string {
  if (value === null || value === undefined) return "–";
  const key = JSON.stringify(options);
  const format = formats.get(key) ?? new Intl.NumberFormat(undefined, options);
  formats.set(key, format);
  return format.format(value);
}

const UNITS = ["B", "KB", "MB", "GB", "TB"];

export function bytes(count: number | null | undefined): string {
  if (count === null || count === undefined) return "–";
  const step = Math.min(
    UNITS.length - 1,
    count < 1 ? 0 : Math.floor(Math.log(count) / Math.log(1024)),
  );
  const value = count / 1024 ** step;
  return `${formatNumber(value, { maximumFractionDigits: step && value < 10 ? 1 : 0 })} ${UNITS[step]}`;
}

export const whole = (count: number | null | undefined) => formatNumber(count);

/** A measured value: some significant digits, thousands without a fraction. */
export function decimal(value: number, digits = 3): string {
  if (Math.abs(value) >= 1000) return formatNumber(value, { maximumFractionDigits: 0 });
  return formatNumber(value, { maximumSignificantDigits: digits });
}

/** A value of somebody's data: long fractions rounded to four digits, those of thousands to two. */
export function rounded(value: number, useGrouping = false): string {
  if (Number.isInteger(value)) return useGrouping ? formatNumber(value) : String(value);
  const digits =
    Math.abs(value) >= 1
      ? { maximumFractionDigits: Math.abs(value) >= 1000 ? 2 : 4 }
      : { maximumSignificantDigits: 4 };
  return formatNumber(value, { useGrouping, ...digits });
}

/** Digits that no number of JavaScript holds: all of them, as they came. */
export const exact = (digits: string) =>
  new Intl.NumberFormat(undefined, { maximumFractionDigits: 40 }).format(
    digits as Intl.StringNumericLiteral,
  );

/** Large amounts in short, as beside an axis: 1.2M. */
export const compact = (value: number, options: Intl.NumberFormatOptions = {}) =>
  formatNumber(value, { notation: "compact", maximumFractionDigits: 2, ...options });

/** Formats a column of numbers, all with as many digits behind the point. */
export const fixed = (digits: number, style: "decimal" | "percent" = "decimal") => {
  const options: Intl.NumberFormatOptions = {
    style,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    signDisplay: "negative",
  };
  return (value: number) => formatNumber(value, options);
};

/**
 * How many digits stand behind the point of a column's numbers, so that all have as many; nothing
 * where they are whole, or where small ones need digits of their own.
 */
export function sharedDigits(values: unknown[]): number | undefined {
  const numbers = values.filter((value) => typeof value === "number");
  const isSmall = numbers.some((value) => value !== 0 && Math.abs(value) < 1);
  if (isSmall || numbers.every(Number.isInteger)) return undefined;
  const most = numbers.some((value) => Math.abs(value) >= 1000) ? 2 : 4;
  const used = numbers.map((value) => String(Number(value.toFixed(most))).split(".")[1] ?? "");
  return Math.max(...used.map((digits) => digits.length));
}

/** Whether a column's name says that its numbers are years, which are read without separators. */
export const tellsYears = (column: string) => /year(?!ly|s)/i.test(column);

/** A share, never told as none or all where it is neither. */
export function percent(share: number, digits = 1): string {
  const least = 10 ** -(digits + 2);
  const spelt = (part: number) =>
    formatNumber(part, { style: "percent", maximumFractionDigits: digits });
  if (share > 0 && share < least / 2) return `under ${spelt(least)}`;
  if (share < 1 && share > 1 - least / 2) return `over ${spelt(1 - least)}`;
  return spelt(share);
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${whole(count)} ${count === 1 ? one : many}`;
}
