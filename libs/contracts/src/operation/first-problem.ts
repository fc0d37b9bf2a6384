import type { z } from 'zod';

const longestProblem = 300;

/** The first thing that a schema found wrong, for people: `runs[0].tool expected object`; of the whole value, the problem alone. */
export function firstProblem({ issues: [issue] }: z.ZodError): string {
  if (!issue) return 'is wrong';
  const at = issue.path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return `${at.replace(/^\./, '')} ${issue.message}`.trimStart().slice(0, longestProblem);
}
