/** The ids that are not among the others; in linear time. */
export function without(ids: number[], others: number[]): number[] {
  const left = new Set(others);
  return ids.filter((id) => !left.has(id));
}
