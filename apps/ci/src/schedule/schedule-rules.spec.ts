import { Access } from '@moothall/contracts';
import { callerNamed, projectNamed } from '@moothall/testing';
import { mayChange, nextRunOf, requireChangeable } from './schedule-rules';

const { Reporter, Developer, Maintainer } = Access;
const user = callerNamed('user');
const after = new Date('2026-01-01T00:00:00Z');
const daily = { description: 'nightly', cron: '0 1 * * *', cronTimezone: 'UTC' };

describe('a schedule', () => {
  it.each([
    [Reporter, 0, false],
    [Developer, 0, true],
    [Developer, 1, false],
    [Maintainer, 1, true],
  ] as const)('at level %i, owned by another (%i), may be changed: %s', (accessLevel, other, expected) => {
    const project = projectNamed('p', { accessLevel });
    const schedule = { ownerId: user.id + other } as never;
    expect(mayChange(schedule, project, user)).toBe(expected);
    const change = () => requireChangeable(schedule, project, user);
    if (expected) expect(change).not.toThrow();
    else expect(change).toThrow('common.forbidden');
  });

  it('runs next in its zone', () => {
    expect(nextRunOf(daily, after)).toEqual(new Date('2026-01-01T01:00:00Z'));
    expect(nextRunOf({ ...daily, cronTimezone: 'Berlin' }, after)).toEqual(new Date('2026-01-02T00:00:00Z'));
  });

  it.each([
    [{ description: '  ' }, { description: ["can't be blank"] }],
    [{ cronTimezone: 'Nowhere' }, { cron_timezone: [' is invalid syntax'] }],
    [{ cron: 'often' }, { cron: [' is invalid syntax'] }],
    [{ cron: '0 0 31 2 *' }, { cron: [' is invalid syntax'] }],
    [
      { description: '', cronTimezone: 'Nowhere', cron: 'often' },
      { description: ["can't be blank"], cron_timezone: [' is invalid syntax'], cron: [' is invalid syntax'] },
    ],
  ])('with %j is refused with %j', (over, problems) => {
    const refused = () => nextRunOf({ ...daily, ...over }, after);
    expect(refused).toThrow(`common.invalid_record: ${JSON.stringify(problems)}`);
  });
});
