/** A share as it is shown: `97.50%`, and `0.00%` of nothing, or where either is not known. */
export function shareOf(part: number | null | undefined, whole: number | null | undefined): string {
  const percent = part && whole ? (part / whole) * 100 : 0;
  return `${Math.min(percent, 100).toFixed(2)}%`;
}
