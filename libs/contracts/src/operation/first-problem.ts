import type { z } from 'zod';

const longestProblem = 300;

/**
 * The first error of a schema as a message: `runs[0].tool expected object`; without a place if it is about the whole
 * value.
 */
export function firstProblem({ issues: [issue] }: z.ZodError): string {
  if (!issue) return 'is wrong';
  const at = issue.path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return `${at.replace(/^\./, '')} ${issue.message}`.trimStart().slice(0, longestProblem);
}
