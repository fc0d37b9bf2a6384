import { actorsOf, isOnFor, parseValue, viewFeature } from './feature-rules';

const flag = (over: object) => ({ _id: 'flag', actors: [], ...over });

describe('feature flags', () => {
  it.each([
    [true, true],
    ['false', false],
    ['On', true],
    [' T ', true],
    ['off', false],
    ['f', false],
    ['on', true],
    [false, false],
    ['25', 25],
    [100, 100],
    [0, 0],
  ])('parse the value %s as %s', (given, meant) => {
    expect(parseValue(given)).toBe(meant);
  });

  it.each(['101', '-1', 'maybe', '', '1.5'])('refuse the value %j', (value) => {
    expect(() => parseValue(value)).toThrow('value is invalid');
  });

  it('have their default until they are set', () => {
    expect(isOnFor(null, true, {})).toBe(true);
    expect(isOnFor(null, false, {})).toBe(false);
    expect(isOnFor(flag({ isOn: false }), true, {}, 0)).toBe(false);
  });

  it('are on for the actors named, and for all below a group', () => {
    const some = flag({ actors: ['user:ann', 'path:group'] });
    expect(isOnFor(some, false, { username: 'Ann' })).toBe(true);
    expect(isOnFor(some, false, { username: 'ben' })).toBe(false);
    expect(isOnFor(some, false, { fullPath: 'Group/sub/tool' })).toBe(true);
    expect(isOnFor(some, false, { fullPath: 'groups/tool' })).toBe(false);
  });

  it('are on for about the given share of actors, always the same ones', () => {
    const users = Array.from({ length: 1000 }, (_, at) => ({ username: `user${at}` }));
    const on = (percentageOfActors: number) =>
      users.filter((user) => isOnFor(flag({ percentageOfActors }), false, user, 1));
    expect(on(30).length).toBeGreaterThan(240);
    expect(on(30).length).toBeLessThan(360);
    expect(on(60)).toEqual(expect.arrayContaining(on(30)));
    expect(on(99).length).toBeLessThan(1000);
  });

  it('are on for everybody once they are on', () => {
    expect(isOnFor(flag({ isOn: true }), false, {}, 1)).toBe(true);
    expect(isOnFor(flag({ isOn: true, actors: ['user:ann'] }), false, { username: 'ben' }, 1)).toBe(true);
  });

  it('are on for a share of time', () => {
    expect(isOnFor(flag({ percentageOfTime: 20 }), false, {}, 0.19)).toBe(true);
    expect(isOnFor(flag({ percentageOfTime: 20 }), false, {}, 0.2)).toBe(false);
    expect(isOnFor(flag({}), true, {}, 0)).toBe(false);
    expect(isOnFor(flag({ percentageOfTime: 100 }), false, {})).toBe(true);
  });

  it('are on for everybody at 100 percent of actors, and for nobody at 0', () => {
    const users = Array.from({ length: 300 }, (_, at) => ({ username: `user${at}` }));
    const on = (percentageOfActors: number) =>
      users.filter((one) => isOnFor(flag({ percentageOfActors }), false, one, 1));
    expect(on(100)).toHaveLength(300);
    expect(on(0)).toHaveLength(0);
    expect(isOnFor(flag({ percentageOfActors: 100 }), false, {}, 1)).toBe(false);
  });

  it('depend only on flag and actor', () => {
    const users = Array.from({ length: 200 }, (_, at) => ({ username: `user${at}` }));
    const on = (_id: string) =>
      users.filter((one) => isOnFor({ ...flag({ percentageOfActors: 50 }), _id }, false, one, 1));
    expect(on('one')).not.toEqual(on('other'));
  });

  it('describe themselves', () => {
    expect(viewFeature(flag({ isOn: true })).state).toBe('on');
    expect(viewFeature(flag({})).state).toBe('off');
    expect(viewFeature(flag({ percentageOfTime: 5 })).state).toBe('conditional');
    expect(viewFeature(flag({ isOn: true, percentageOfTime: 5 }))).toEqual({
      name: 'flag',
      state: 'on',
      gates: [
        { key: 'boolean', value: true },
        { key: 'percentage_of_time', value: 5 },
      ],
    });
    expect(viewFeature(flag({ percentageOfActors: 7, actors: ['user:ann'] }))).toEqual({
      name: 'flag',
      state: 'conditional',
      gates: [
        { key: 'boolean', value: false },
        { key: 'percentage_of_actors', value: 7 },
        { key: 'actors', value: ['user:ann'] },
      ],
    });
    expect(viewFeature(flag({}))).toEqual({ name: 'flag', state: 'off', gates: [{ key: 'boolean', value: false }] });
    expect(actorsOf({ username: 'Ann', fullPath: 'A' })).toEqual(['user:ann', 'path:a']);
    expect(actorsOf({})).toEqual([]);
    expect(actorsOf({ fullPath: 'a/b' })).toEqual(['path:a', 'path:a/b']);
  });
});
