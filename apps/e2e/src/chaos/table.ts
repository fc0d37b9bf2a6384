import type { Findings } from './check';

/** Result of one fault. */
export interface Outcome extends Findings {
  what: string;
  requests: number;
  /** Without an answer: their connection ended, or there was none. */
  cut: number;
  /** Responses without success. */
  refused: number;
  /** Those that are not a temporary error of the server: anything but 502, 503, 504 and 507. */
  unclean: string[];
  /** From the fault to the last failed request. */
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

/** Results that no fault may have, with a description of each. */
export function wrongsOf(outcomes: readonly Outcome[]): object[] {
  return outcomes.flatMap(({ what, lost, doubled, untrue, unclean }) =>
    lost.length + doubled.length + untrue.length + unclean.length > 0
      ? [{ what, lost, doubled, untrue, unclean: [...new Set(unclean)] }]
      : [],
  );
}
