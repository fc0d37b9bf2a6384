/** A share as text: `97.50%`; `0.00%` of nothing, or if a value is unknown. */
export function shareOf(part: number | null | undefined, whole: number | null | undefined): string {
  const percent = part && whole ? (part / whole) * 100 : 0;
  return `${Math.min(percent, 100).toFixed(2)}%`;
}
