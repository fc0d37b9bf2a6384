import { CronExpressionParser } from 'cron-parser';
import { nextRun } from './cron';

const runs = (cron: string, zone: string, after: string, count = 3): string[] => {
  const found: string[] = [];
  let at = new Date(after);
  while (found.length < count) {
    at = nextRun(cron, zone, at)!;
    found.push(at.toISOString().slice(0, 16));
  }
  return found;
};

describe('nextRun', () => {
  it.each([
    ['*/15 * * * *', ['2026-01-01T00:15', '2026-01-01T00:30', '2026-01-01T00:45']],
    ['0 4 * * mon-fri', ['2026-01-01T04:00', '2026-01-02T04:00', '2026-01-05T04:00']],
    ['0 0 * JAN,jul 7', ['2026-01-04T00:00', '2026-01-11T00:00', '2026-01-18T00:00']],
    ['30 1 1,15 * *', ['2026-01-01T01:30', '2026-01-15T01:30', '2026-02-01T01:30']],
    // Day of month and day of week are alternatives if both are given.
    ['0 0 13 * 5', ['2026-01-02T00:00', '2026-01-09T00:00', '2026-01-13T00:00']],
    ['0 0 29 2 *', ['2028-02-29T00:00', '2032-02-29T00:00', '2036-02-29T00:00']],
    ['5/20 * * * *', ['2026-01-01T00:05', '2026-01-01T00:25', '2026-01-01T00:45']],
    ['0 22-1 * * *', ['2026-01-01T01:00', '2026-01-01T22:00', '2026-01-01T23:00']],
    ['0 0 * * sat-mon', ['2026-01-03T00:00', '2026-01-04T00:00', '2026-01-05T00:00']],
    ['0 23-3/2 * * *', ['2026-01-01T01:00', '2026-01-01T03:00', '2026-01-01T23:00']],
    ['0 0 l * *', ['2026-01-31T00:00', '2026-02-28T00:00', '2026-03-31T00:00']],
    ['  @Daily ', ['2026-01-02T00:00', '2026-01-03T00:00', '2026-01-04T00:00']],
    ['@noon', ['2026-01-01T12:00', '2026-01-02T12:00', '2026-01-03T12:00']],
    ['@yearly', ['2027-01-01T00:00', '2028-01-01T00:00', '2029-01-01T00:00']],
  ])('reads %s', (cron, expected) => {
    expect(runs(cron, 'UTC', '2026-01-01T00:00:00Z')).toEqual(expected);
  });

  it.each([
    '',
    'nonsense',
    '* * * *',
    '* * * * * *',
    '60 * * * *',
    '* 24 * * *',
    '* * 0 * *',
    '* * * 13 *',
    '* * * * 8',
    '*/0 * * * *',
    '99-3 * * * *',
    '0 0 * * monx',
    '0 0 * * friday',
    '1,,2 * * * *',
    '@never',
    'H * * * *',
    `${'1,'.repeat(1000)}1 * * * *`,
  ])('refuses %s', (cron) => {
    expect(() => nextRun(cron, 'UTC', new Date())).toThrow();
  });

  it('is null for a date that does not exist', () => {
    expect(nextRun('0 0 30 2 *', 'UTC', new Date())).toBeNull();
  });

  it('is strictly after the time it counts from', () => {
    expect(runs('0 0 * * *', 'UTC', '2026-01-01T00:00:00Z', 1)).toEqual(['2026-01-02T00:00']);
    expect(runs('0 0 * * *', 'UTC', '2025-12-31T23:59:59.999Z', 1)).toEqual(['2026-01-01T00:00']);
  });

  describe('across changes of the clock', () => {
    it('runs skipped times once, at the end of the gap', () => {
      const around = runs('30 2 * * *', 'America/New_York', '2026-03-07T08:00:00Z');
      expect(around).toEqual(['2026-03-08T07:00', '2026-03-09T06:30', '2026-03-10T06:30']);
    });

    it('does so in a gap of half an hour', () => {
      const around = runs('15 2 * * *', 'Australia/Lord_Howe', '2026-10-03T00:00:00Z', 2);
      expect(around).toEqual(['2026-10-03T15:30', '2026-10-04T15:15']);
    });

    it('runs repeated times once', () => {
      const around = runs('30 1 * * *', 'America/New_York', '2026-11-01T00:00:00Z');
      expect(around).toEqual(['2026-11-01T05:30', '2026-11-02T06:30', '2026-11-03T06:30']);
    });

    it('runs every quarter of an hour through both hours', () => {
      expect(runs('*/30 * * * *', 'America/New_York', '2026-11-01T05:00:00Z', 4)).toEqual([
        '2026-11-01T05:30',
        '2026-11-01T06:00',
        '2026-11-01T06:30',
        '2026-11-01T07:00',
      ]);
    });

    it('uses the local time before and after the change', () => {
      expect(runs('0 9 * * *', 'Europe/Berlin', '2026-03-28T09:00:00Z', 1)).toEqual(['2026-03-29T07:00']);
      expect(runs('0 9 * * *', 'Europe/Berlin', '2026-10-24T09:00:00Z', 1)).toEqual(['2026-10-25T08:00']);
    });
  });

  describe('beside another library', () => {
    const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Sydney', 'America/St_Johns'];
    const expressions = 10_000;

    it(`agrees on ${expressions} random expressions`, () => {
      const random = numbers(20201015);
      const differing: string[] = [];
      for (let n = 0; n < expressions; n += 1) {
        const cron = randomCron(random);
        const zone = zones[random(zones.length)]!;
        const after = new Date(Date.UTC(2024, random(36), 1 + random(28), random(24), random(60), random(60)));
        const ours = nextRun(cron, zone, after)?.toISOString();
        const theirs = otherNextRun(cron, zone, after);
        if (ours !== theirs && !isNearChange(zone, ours, theirs))
          differing.push(`${cron} ${zone} ${after.toISOString()}: ${ours}, ${theirs}`);
      }
      expect(differing).toEqual([]);
    }, 120_000);

    function otherNextRun(cron: string, zone: string, after: Date): string | undefined {
      try {
        return CronExpressionParser.parse(cron, { tz: zone, currentDate: after }).next().toDate().toISOString();
      } catch {
        return undefined;
      }
    }

    /** The libraries have different rules for skipped and repeated times; ours are tested above. */
    function isNearChange(zone: string, ...times: (string | undefined)[]): boolean {
      return times.some((time) => {
        if (!time) return false;
        const at = Date.parse(time);
        return offsetOf(zone, at - 4 * hourMs) !== offsetOf(zone, at + 4 * hourMs);
      });
    }
  });
});

const hourMs = 3_600_000;

function offsetOf(zone: string, at: number): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' }).formatToParts(at);
  return parts.find(({ type }) => type === 'timeZoneName')!.value;
}

/** The same numbers in each run, so that a failure can be reproduced. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const bounds = [
  [0, 59],
  [0, 23],
  [1, 28],
  [1, 12],
  [0, 6],
] as const;

function randomCron(random: (below: number) => number): string {
  return bounds.map(([min, max]) => randomField(random, min, max)).join(' ');
}

function randomField(random: (below: number) => number, min: number, max: number): string {
  const one = () => min + random(max - min + 1);
  const range = () => [one(), one()].sort((a, b) => a - b).join('-');
  switch (random(7)) {
    case 0:
    case 1:
      return String(one());
    case 2:
      return range();
    case 3:
      return `*/${2 + random(Math.min(max, 20) - 1)}`;
    case 4:
      return [...new Set([one(), one(), one()])].join(',');
    case 5:
      return `${range()}/${1 + random(5)}`;
    default:
      return '*';
  }
}
