import { daysOf, filterState, stateOf } from './iteration-days';

const june = { startDate: '2026-06-01', dueDate: '2026-06-30' };

describe('an iteration', () => {
  it.each([
    ['2026-05-31', 1],
    ['2026-06-01', 2],
    ['2026-06-30', 2],
    ['2026-07-01', 3],
  ])('is, on %s, in state %i', (day, state) => {
    expect(stateOf(june, day)).toBe(state);
  });

  it.each([
    ['2026-05-31', ['opened', 'upcoming', 'all']],
    ['2026-06-01', ['opened', 'current', 'started', 'all']],
    ['2026-06-30', ['opened', 'current', 'started', 'all']],
    ['2026-07-01', ['closed', 'all']],
  ])('is found on %s by its state on that day', (day, expected) => {
    const states = ['opened', 'upcoming', 'current', 'started', 'closed', 'all'] as const;
    const holds = (value: string, condition: Record<string, string> = {}) =>
      Object.entries(condition).every(([operator, bound]) => compare[operator]!(value, bound));
    const found = states.filter((state) => {
      const { startDate, dueDate } = filterState(state, day) as Record<string, Record<string, string>>;
      return holds(june.startDate, startDate) && holds(june.dueDate, dueDate);
    });
    expect(found).toEqual(expected);
  });

  it('has each of its days, also at clock changes and in years of 53 weeks', () => {
    expect(daysOf({ startDate: '2026-03-28', dueDate: '2026-03-30' })).toEqual([20540, 20541, 20542]);
    expect(daysOf({ startDate: '2028-01-01', dueDate: '2028-12-31' })).toHaveLength(366);
    expect(daysOf({ startDate: '2026-03-28', dueDate: '2026-03-28' })).toHaveLength(1);
  });

  it.each([
    ['ends before it starts', { startDate: '2026-03-28', dueDate: '2026-03-27' }],
    ['never ends', { startDate: '0001-01-01', dueDate: '9999-12-31' }],
  ])('does not exist if it %s', (_what, span) => {
    expect(() => daysOf(span)).toThrow(/due_date/);
  });
});

const compare: Record<string, (value: string, bound: string) => boolean> = {
  $lt: (value, bound) => value < bound,
  $lte: (value, bound) => value <= bound,
  $gt: (value, bound) => value > bound,
  $gte: (value, bound) => value >= bound,
};
