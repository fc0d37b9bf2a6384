import { burndownOf } from './burndown-of';

const close = (day: string) => ({ action: 'close' as const, at: new Date(`${day}T23:59:59Z`) });
const reopen = (day: string) => ({ action: 'reopen' as const, at: new Date(`${day}T00:00:00Z`) });

const issue = (created: string, ...stateChanges: ReturnType<typeof close | typeof reopen>[]) => ({
  createdAt: new Date(`${created}T12:00:00Z`),
  stateChanges,
});

it('counts open issues after each day with a change', () => {
  const issues = [
    issue('2020-01-03', close('2020-01-04'), reopen('2020-01-05'), close('2020-01-05')),
    issue('2020-01-01'),
    issue('2020-01-01', close('2020-01-01')),
  ];
  const days = [
    { day: '2020-01-01', open: 1 },
    { day: '2020-01-03', open: 2 },
    { day: '2020-01-04', open: 1 },
    { day: '2020-01-05', open: 1 },
  ];
  expect(burndownOf(issues, null)).toEqual(days);
  expect(burndownOf(issues, '2020-01-03')).toEqual(days.slice(0, 2));
  expect(burndownOf([], null)).toEqual([]);
});

it('has at most 100 days, with the first and the last one', () => {
  const dayAt = (at: number) => new Date(Date.UTC(2020, 0, 1 + at)).toISOString().slice(0, 10);
  const days = burndownOf(
    Array.from({ length: 1000 }, (_, at) => issue(dayAt(at))),
    null,
  );
  expect([days.length, days[0], days.at(-1)]).toEqual([
    100,
    { day: dayAt(0), open: 1 },
    { day: dayAt(999), open: 1000 },
  ]);
});
