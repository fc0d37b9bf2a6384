import { friendlyZoneNames, zoneOf } from './time-zone';

describe('zoneOf', () => {
  it('accepts friendly names', () => {
    expect(zoneOf('Pacific Time (US & Canada)')).toBe('America/Los_Angeles');
    expect(zoneOf('Berlin')).toBe('Europe/Berlin');
    expect(zoneOf("Nuku'alofa")).toBe('Pacific/Tongatapu');
  });

  it('has a zone that exists for each friendly name', () => {
    const broken = friendlyZoneNames.filter((name) => {
      new Intl.DateTimeFormat('en', { timeZone: zoneOf(name) });
      return !zoneOf(name)!.includes('/');
    });
    expect(broken).toEqual([]);
  });

  it.each(['UTC', 'Europe/Berlin', 'US/Eastern', 'Etc/GMT+5', 'America/Argentina/Buenos_Aires'])(
    'accepts %s',
    (name) => {
      expect(zoneOf(name)).toBe(name);
    },
  );

  it('caches one entry for each zone, whatever the case', () => {
    expect(zoneOf('Europe/Vienna')).toBe('Europe/Vienna');
    const confirming = jest.spyOn(Intl, 'DateTimeFormat');
    expect(zoneOf('europe/vienna')).toBe('europe/vienna');
    expect(zoneOf('EUROPE/Vienna')).toBe('EUROPE/Vienna');
    expect(confirming).not.toHaveBeenCalled();
    confirming.mockRestore();
  });

  it.each(['', 'Nowhere', 'Europe/Nowhere', '+02:00', '-05:00', 'UTC+2', 'constructor', '__proto__'])(
    'refuses %s',
    (name) => {
      expect(zoneOf(name)).toBeUndefined();
    },
  );
});
