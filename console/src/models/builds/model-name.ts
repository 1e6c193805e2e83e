/** Makes a model's name, which stands in addresses, from what it is for. */

const STOP_WORDS = new Set(
  "a an and are as at be by can do does estimate find for from get gets has have how if in is it its much of on or predict should tell the their to was what when whether which who will with".split(
    " ",
  ),
);

export function nameFrom(intent: string): string {
  const words = intent
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  const telling = (words ?? []).filter((word) => !STOP_WORDS.has(word));
  return telling.slice(0, 4).join("-").slice(0, 60);
}

export const NAME_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
