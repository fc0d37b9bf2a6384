import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { unclearPhrases } from './unclear-phrases';

const root = path.resolve(__dirname, '../../..');

/** Subjects of the latest commits since the rules of CONTRIBUTING.md exist; empty without a git history. */
function subjects(): string[] {
  const args = ['log', '--no-merges', '--max-count=30', '--since=2026-11-29', '--format=%s'];
  try {
    const output = execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return output.split('\n').filter((subject) => subject !== '');
  } catch {
    return [];
  }
}

/** @returns the rule that a subject breaks */
function problemOf(subject: string): string | undefined {
  if (subject.length > 70) return 'has more than 70 characters';
  if (!/^[\w.-]+(, [\w.-]+)*: [a-z]/.test(subject)) return 'is not of the form "area: imperative verb and what"';
  if (unclearPhrases.test(subject)) return 'has a phrase that needs a second reading';
  return undefined;
}

it.each([
  ['docs: add a page', undefined],
  ['ci, delivery: resume uploads after a restart', undefined],
  ['Fix it', 'is not of the form "area: imperative verb and what"'],
  ['projects: whoever adds members is told why', 'has a phrase that needs a second reading'],
  [`docs: ${'x'.repeat(70)}`, 'has more than 70 characters'],
])('the rules are applied to "%s"', (subject, problem) => expect(problemOf(subject)).toBe(problem));

it('subjects of recent commits follow CONTRIBUTING.md', () => {
  expect(subjects().filter((subject) => problemOf(subject) !== undefined)).toEqual([]);
});
