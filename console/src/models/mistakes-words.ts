/** What a model's mistakes look like, in sentences and shares. */
import { plural } from "../ui/words";

/** The answer most often given for another truth; rows of the matrix are truths. */
export function commonestMix(matrix: number[][], classes: string[]): string | undefined {
  const mixes = matrix.flatMap((row, truth) =>
    row.map((count, answer) => ({ count: truth === answer ? 0 : count, truth, answer })),
  );
  const { count, truth, answer } = mixes.reduce((most, mix) =>
    mix.count > most.count ? mix : most,
  );
  if (count === 0) return undefined;
  return `Its commonest mistake is to answer ${classes[answer]} where ${classes[truth]} is right (${plural(count, "row")}).`;
}

/** Each count as a share of the rows with the same truth. */
export function sharesOf(matrix: number[][]): number[][] {
  return matrix.map((row) => {
    const total = row.reduce((sum, count) => sum + count, 0);
    return row.map((count) => count / Math.max(1, total));
  });
}
