/** What a model's mistakes look like, in sentences and shares. */
import { plural } from "../../ui/number-format";

/** What was answered for another truth, the commonest first; rows of the matrix are truths. */
export function confusionsOf(matrix: number[][], classes: string[]) {
  return matrix
    .flatMap((row, truth) =>
      row.map((count, answer) => ({
        count: truth === answer ? 0 : count,
        truth: classes[truth],
        answer: classes[answer],
      })),
    )
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count);
}

export function mostFrequentConfusion(matrix: number[][], classes: string[]): string | undefined {
  const [most] = confusionsOf(matrix, classes);
  if (!most) return undefined;
  return `Its most frequent mistake is to predict ${most.answer} where ${most.truth} is right (${plural(most.count, "row")}).`;
}

/** Each count as a share of the rows with the same truth. */
export function rowShares(matrix: number[][]): number[][] {
  return matrix.map((row) => {
    const total = row.reduce((sum, count) => sum + count, 0);
    return row.map((count) => count / Math.max(1, total));
  });
}
