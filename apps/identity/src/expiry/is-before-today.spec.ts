import { isBeforeToday } from './is-before-today';

describe('the last day', () => {
  beforeEach(() => {
    jest.useFakeTimers({ now: new Date('2026-03-01T15:30:00Z') });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it.each([
    ['2026-03-01', false],
    ['2026-03-01T00:00:00Z', false],
    ['2026-03-01T15:29:00Z', false],
    ['2026-03-02', false],
    ['2026-02-28', true],
    ['2026-02-28T23:59:59.999Z', true],
    ['2026-03-01T00:30:00+01:00', true],
  ])('%s is over: %s', (text, isOver) => {
    expect(isBeforeToday(new Date(text))).toBe(isOver);
  });
});
