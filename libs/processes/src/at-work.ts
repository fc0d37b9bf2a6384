/** The current work of this process: names of operations, events and jobs, and the number of each. */
const atWork = new Map<string, number>();

/** Records the current work, for error reports. A count without context, because every request pays for it. */
export function beginWork(name: string): void {
  atWork.set(name, (atWork.get(name) ?? 0) + 1);
}

export function endWork(name: string): void {
  const others = (atWork.get(name) ?? 0) - 1;
  if (others > 0) atWork.set(name, others);
  else atWork.delete(name);
}

export function whileAtWork<T>(name: string, work: () => Promise<T>): Promise<T> {
  beginWork(name);
  return work().finally(() => endWork(name));
}

/** In words for the log. */
export function describeWork(): string {
  const names = [...atWork].map(([name, count]) => (count > 1 ? `${name} (${count})` : name));
  return names.length > 0 ? names.slice(0, 50).join(', ') : 'nothing';
}
