import type { Findings } from './check';

/** What one fault came to. */
export interface Outcome extends Findings {
  what: string;
  requests: number;
  /** Without an answer: their connection ended, or there was none. */
  cut: number;
  /** Answered, and not with success. */
  refused: number;
  /** Of these: as no fault of the server that a client could wait for. Nothing but 502, 503, 504 and 507 is clean. */
  unclean: string[];
  /** From the fault to the last request that failed. */
  seconds: number;
}

const columns: [string, (outcome: Outcome) => string | number][] = [
  ['fault', ({ what }) => what],
  ['requests', ({ requests }) => requests],
  ['cut off', ({ cut }) => cut],
  ['refused', ({ refused }) => refused],
  ['other status', ({ unclean }) => unclean.length],
  ['stored anyway', ({ undone }) => undone.length],
  ['lost', ({ lost }) => lost.length],
  ['duplicated', ({ doubled }) => doubled.length],
  ['delivered', ({ deliveries }) => deliveries],
  ['redelivered', ({ again }) => again],
  ['seconds to recover', ({ seconds }) => seconds.toFixed(1)],
];

/** As a Markdown table. */
export function table(outcomes: readonly Outcome[]): string {
  const rows = outcomes.map((outcome) => columns.map(([, cell]) => String(cell(outcome))));
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [line(columns.map(([name]) => name)), line(columns.map(() => '---')), ...rows.map(line)].join('\n');
}

/** What no fault may come to, with words for each. */
export function wrongsOf(outcomes: readonly Outcome[]): object[] {
  return outcomes.flatMap(({ what, lost, doubled, untrue, unclean }) =>
    lost.length + doubled.length + untrue.length + unclean.length > 0
      ? [{ what, lost, doubled, untrue, unclean: [...new Set(unclean)] }]
      : [],
  );
}
