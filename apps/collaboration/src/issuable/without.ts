/** Those that are not among the others; in time that grows with their number. */
export function without(ids: number[], others: number[]): number[] {
  const left = new Set(others);
  return ids.filter((id) => !left.has(id));
}
