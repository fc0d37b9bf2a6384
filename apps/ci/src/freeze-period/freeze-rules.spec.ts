import { isFrozen, requireReadable } from './freeze-rules';

const weekend = { freezeStart: '0 23 * * 5', freezeEnd: '0 7 * * 1', cronTimezone: 'UTC' };

it.each([
  // The 2nd of January 2026 is a Friday.
  ['2026-01-02T22:59:00Z', weekend, false],
  ['2026-01-02T23:01:00Z', weekend, true],
  ['2026-01-04T12:00:00Z', weekend, true],
  ['2026-01-05T06:59:00Z', weekend, true],
  ['2026-01-05T07:01:00Z', weekend, false],
  ['2026-01-02T22:30:00Z', { ...weekend, cronTimezone: 'Europe/Berlin' }, true],
  ['2026-01-03T12:00:00Z', { ...weekend, freezeStart: '0 0 * * *' }, true],
  ['2026-01-03T12:00:00Z', { ...weekend, cronTimezone: 'Nowhere' }, false],
])('at %s by %j: %s', (now, period, expected) => {
  expect(isFrozen(period, new Date(now))).toBe(expected);
});

it.each([
  ['freeze_start', { ...weekend, freezeStart: 'soon' }],
  ['freeze_start', { ...weekend, freezeStart: '0 0 30 2 *' }],
  ['freeze_end', { ...weekend, freezeEnd: '* * * * * *' }],
  ['cron_timezone', { ...weekend, cronTimezone: 'Nowhere' }],
])('refuses %s of %j', (field, period) => {
  expect(() => requireReadable(period)).toThrow(field);
});

it('accepts a valid period', () => {
  expect(() => requireReadable({ ...weekend, freezeStart: '@weekly' })).not.toThrow();
});
