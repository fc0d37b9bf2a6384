import { isOver, pauseSeconds, verdictOf } from './verdict';

it.each([
  [200, 'sent'],
  [204, 'sent'],
  [301, 'refused'],
  [307, 'refused'],
  [400, 'refused'],
  [410, 'refused'],
  [408, 'failed'],
  [429, 'failed'],
  [500, 'failed'],
  [503, 'failed'],
])('%i is %s', (status, verdict) => expect(verdictOf(status)).toBe(verdict));

it('waits twice as long each time, two hours at most', () => {
  expect([1, 2, 3, 4].map((failures) => pauseSeconds(failures, 5, 0))).toEqual([5, 10, 20, 40]);
  expect(pauseSeconds(1_000, 5, 0)).toBe(7_200);
  expect(pauseSeconds(1, 5, 1)).toBeCloseTo(5.5);
});

it('gives up old deliveries', () => {
  const now = new Date();
  expect(isOver({ createdAt: new Date(now.getTime() - 9_000) }, now, 10)).toBe(false);
  expect(isOver({ createdAt: new Date(now.getTime() - 10_000) }, now, 10)).toBe(true);
});
