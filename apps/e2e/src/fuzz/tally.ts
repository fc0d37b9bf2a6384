interface Failure {
  operation: string;
  what: string;
  times: number;
  /** The first request with it, to reproduce it. */
  example: string;
}

/** Counts results, and prints them as a table. */
export class Tally {
  requests = 0;
  /** Statuses of each operation. */
  private readonly statuses = new Map<string, Set<number>>();
  private readonly byRole = new Map<string, Map<string, number>>();
  private readonly faults = new Set<string>();
  private readonly failed = new Map<string, Failure>();
  /** The last line read, if incomplete, and the error to which the lines of a stack belong. */
  private unfinished = '';
  private fault = '';
  private slowest: { operation: string; ms: number }[] = [];

  answered(role: string, operation: string, status: number, ms: number): void {
    this.requests++;
    this.statuses.set(operation, (this.statuses.get(operation) ?? new Set()).add(status));
    const row = this.byRole.get(role) ?? new Map<string, number>();
    const kind = `${Math.floor(status / 100)}xx`;
    row.set(kind, (row.get(kind) ?? 0) + 1);
    this.byRole.set(role, row);
    if (this.slowest.length === 10 && ms <= this.slowest[9]!.ms) return;
    this.slowest = [...this.slowest, { operation, ms }].sort((a, b) => b.ms - a.ms).slice(0, 10);
  }

  /** Operations without any success: their behaviour is not tested. @param names of all operations */
  neverDone(names: string[]): string {
    const isDone = (name: string) => [...(this.statuses.get(name) ?? [])].some((status) => status < 400);
    const never = names.filter((name) => !isDone(name));
    const unreached = never.map(
      (name) => `${name} ${[...(this.statuses.get(name) ?? [])].sort().join('/') || 'not asked'}`,
    );
    return `${names.length - never.length} of ${names.length} operations answered with success; never: ${unreached.join(', ') || 'none'}`;
  }

  fail(operation: string, what: string, example: string): void {
    const known = this.failed.get(`${operation} ${what}`) ?? { operation, what, times: 0, example };
    known.times++;
    this.failed.set(`${operation} ${what}`, known);
  }

  /** Reads the server's console: its errors with their stacks show the cause of a failed request. */
  hear(text: string): void {
    const lines = `${this.unfinished}${text}`.split('\n');
    this.unfinished = lines.pop()!;
    for (const line of lines) {
      if (!/^\s/.test(line)) {
        this.keepFault();
        this.fault = line.startsWith('error ') ? line : '';
      } else if (this.fault) this.fault += `\n${line}`;
    }
  }

  private keepFault(): void {
    if (!this.fault || this.faults.size >= 100) return;
    this.faults.add(this.fault.replace(/\b[0-9a-f-]{36}\b|\d{4,}/g, '…').slice(0, 1500));
  }

  get failures(): Failure[] {
    return [...this.failed.values()];
  }

  table(notes: string[]): string {
    this.keepFault();
    const faults = [...this.faults].map((fault) => `LOGGED ${fault}`);
    const kinds = ['2xx', '3xx', '4xx', '5xx'];
    const line = (cells: (string | number)[]) => cells.map((cell) => String(cell).padStart(14)).join('');
    return [
      line(['', ...kinds]),
      ...[...this.byRole].map(([role, row]) => line([role, ...kinds.map((kind) => row.get(kind) ?? 0)])),
      ...notes,
      `slowest: ${this.slowest.map(({ operation, ms }) => `${operation} ${Math.round(ms)} ms`).join(', ')}`,
      ...this.failures.map(
        ({ operation, what, times, example }) => `FAILED ${operation}: ${what}, ${times} times\n  ${example}`,
      ),
      ...faults,
    ].join('\n');
  }
}
