import type { AccessCase, Rule } from './access-case';
import type { SubjectName } from './subjects';

export type Expected = 'ok' | '400' | '401' | '403' | '404';

/** One operation, as one role, on a subject in one state. */
export interface Cell {
  rule: Rule;
  of: SubjectName;
  asked: AccessCase;
  role: string;
  state: string;
  expected: Expected;
  /** Its role is the first or last one of the row, or a neighbouring role gets another answer. */
  isAtLimit: boolean;
}

/** Rows and columns of a table by name. */
export function cellsOf(rule: Rule): Cell[] {
  const { table, operations: named, of = 'project' } = rule;
  const [heading, ...lines] = table.trim().split('\n');
  const columns = heading!.trim().split(/\s+/);
  return lines.flatMap((line) => {
    const [state, ...expected] = line.trim().split(/\s+/) as [string, ...Expected[]];
    return named.flatMap((operation) => {
      const asked = typeof operation === 'string' ? { ask: operation } : operation;
      const isAtLimit = (at: number) => expected[at - 1] !== expected[at] || expected[at + 1] !== expected[at];
      return columns.map((role, at) => ({
        ...{ rule, of, asked, role, state },
        ...{ expected: expected[at]!, isAtLimit: isAtLimit(at) },
      }));
    });
  });
}
