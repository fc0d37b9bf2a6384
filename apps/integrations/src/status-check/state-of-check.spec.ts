import { patienceMs, stateOf } from './state-of-check';

const now = new Date('2030-01-01T00:00:00Z');
const ago = (ms: number) => new Date(now.getTime() - ms);

it.each([
  ['one that was never asked', undefined, 'pending'],
  ['one that was asked just now', { status: 'pending' as const, askedAt: ago(patienceMs) }, 'pending'],
  ['one that is silent', { status: 'pending' as const, askedAt: ago(patienceMs + 1) }, 'failed'],
  ['one that passed long ago', { status: 'passed' as const, askedAt: ago(10 * patienceMs) }, 'passed'],
  ['one that failed', { status: 'failed' as const, askedAt: now }, 'failed'],
])('of %s is the answer', (_what, answer, given) => {
  expect(stateOf(answer, now)).toBe(given);
});
