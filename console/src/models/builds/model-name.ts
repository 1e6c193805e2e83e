/** Makes a model's name, which stands in addresses, from what it is for. */

const STOP_WORDS = new Set(
  "a an and are as at be by can do does estimate find for from get gets has have how if in is it its much of on or predict should tell the their to was what when whether which who will with".split(
    " ",
  ),
);

/** Ends the clause that says what is predicted; what follows says how, or why. */
const CLAUSE_END = /[,;:.!?](?:\s|$)|\s[–—-]\s|\s\(/;

export function nameFrom(intent: string): string {
  const [first = ""] = intent.trim().split(CLAUSE_END);
  return fromWords(first) || fromWords(intent);
}

function fromWords(text: string): string {
  const words = text
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  const telling = (words ?? []).filter((word) => !STOP_WORDS.has(word));
  return telling.slice(0, 4).join("-").slice(0, 60);
}

export const NAME_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
