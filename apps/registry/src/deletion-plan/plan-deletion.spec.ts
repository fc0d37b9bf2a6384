import * as fc from 'fast-check';
import { type GivenRules, readDeletionRules } from './deletion-rules';
import { concerns, type JudgedTag, planDeletion } from './plan-deletion';

const now = new Date('2026-03-14T09:26:53.000Z');
const ago = (hours: number) => new Date(now.getTime() - hours * 3_600_000);
const tag = (name: string, hours: number | null): JudgedTag => ({
  name,
  createdAt: hours === null ? null : ago(hours),
});

function plan(tags: readonly JudgedTag[], given: GivenRules): string[] {
  const rules = readDeletionRules(given);
  const concerned = tags.filter(({ name }) => concerns(rules, name));
  return planDeletion(concerned, rules, now).map(({ name }) => name);
}

const tags = [tag('latest', 9), tag('v1', 5), tag('v2', 4), tag('v3', 3), tag('nightly', 2), tag('unknown', null)];

describe('a plan', () => {
  it.each<[string, GivenRules, string[]]>([
    ['all but latest', { name_regex_delete: '.*' }, ['unknown', 'nightly', 'v3', 'v2', 'v1']],
    ['what matches as a whole', { name_regex_delete: 'v' }, []],
    ['nothing by an empty pattern', { name_regex_delete: '' }, []],
    ['not latest, even by name', { name_regex_delete: 'latest' }, []],
    ['except those that match the keep pattern', { name_regex_delete: 'v.*', name_regex_keep: 'v2' }, ['v3', 'v1']],
    ['nothing where all is kept', { name_regex_delete: '.*', name_regex_keep: '.*' }, []],
    ['not the newest', { name_regex_delete: 'v.*', keep_n: 2 }, ['v1']],
    ['not more than there is', { name_regex_delete: 'v.*', keep_n: Number.MAX_SAFE_INTEGER }, []],
    [
      'not the newest, of those that match alone',
      { name_regex_delete: 'v.*', name_regex_keep: 'v3', keep_n: 1 },
      ['v1'],
    ],
    ['what has no time as the newest', { name_regex_delete: '.*', keep_n: 1 }, ['nightly', 'v3', 'v2', 'v1']],
    ['what is older, which has a time', { name_regex_delete: '.*', older_than: '3h' }, ['v2', 'v1']],
    ['the old, after the newest are left out', { name_regex_delete: '.*', keep_n: 4, older_than: '1h' }, ['v1']],
  ])('has %s', (_, given, names) => {
    expect(plan(tags, given)).toEqual(names);
  });

  it('orders tags of one time by name, so that it is the same each time', () => {
    const same = ['c', 'a', 'd', 'b'].map((name) => tag(name, 1));
    expect(plan(same, { name_regex_delete: '.*', keep_n: 1 })).toEqual(['b', 'c', 'd']);
  });

  it('does not change the given tags', () => {
    const given = Object.freeze([tag('a', 2), tag('b', 1)]);
    expect(plan(given, { name_regex_delete: '.*' })).toEqual(['b', 'a']);
  });
});

/* A naive implementation of the rules, tag by tag: a tag is deleted if enough others come before it. */

const isNewer = (one: JudgedTag, other: JudgedTag): boolean => {
  if (one.createdAt?.getTime() === other.createdAt?.getTime()) return one.name < other.name;
  if (one.createdAt === null || other.createdAt === null) return one.createdAt === null;
  return one.createdAt > other.createdAt;
};

function naivePlan(all: readonly JudgedTag[], given: GivenRules): Set<string> {
  const whole = (pattern: string | undefined, name: string) =>
    pattern !== undefined && pattern !== '' && new RegExp(`^(?:${pattern})$`).test(name);
  const isMeant = ({ name }: JudgedTag) =>
    name !== 'latest' &&
    whole(given.name_regex_delete ?? given.name_regex, name) &&
    !whole(given.name_regex_keep, name);
  const hours = given.older_than === undefined ? undefined : Number.parseInt(given.older_than, 10);
  const goes = (one: JudgedTag) =>
    isMeant(one) &&
    all.filter((other) => isMeant(other) && isNewer(other, one)).length >= (given.keep_n ?? 0) &&
    (hours === undefined || (one.createdAt !== null && one.createdAt < ago(hours)));
  return new Set(all.filter(goes).map(({ name }) => name));
}

const someTags = fc.uniqueArray(
  fc.record({
    name: fc.oneof(fc.constant('latest'), fc.stringMatching(/^[ab][ab1]{0,3}$/)),
    // Few values, so that many are equal; some in the future.
    createdAt: fc.option(fc.integer({ min: -3, max: 12 }).map(ago)),
  }),
  { selector: ({ name }) => name, maxLength: 40 },
);
const pattern = fc.constantFrom('', '.*', 'a.*', '.*1', 'latest', '[ab]+', 'a|b|aa', '(a|b)(a|1)?');
const someRules: fc.Arbitrary<GivenRules> = fc.record(
  {
    name_regex_delete: pattern,
    name_regex: pattern,
    name_regex_keep: pattern,
    keep_n: fc.oneof(fc.nat({ max: 12 }), fc.constant(Number.MAX_SAFE_INTEGER)),
    older_than: fc.integer({ min: 1, max: 12 }).map((hours) => `${hours}h`),
  },
  { requiredKeys: [] },
);
const runs = { numRuns: 2000 };

describe('any plan', () => {
  it('applies the rules to each tag', async () => {
    await fc.assert(
      fc.property(someTags, someRules, (all, given) => {
        expect(new Set(plan(all, given))).toEqual(naivePlan(all, given));
      }),
      runs,
    );
  });

  it('is the same for any order of the tags', async () => {
    const shuffled = someTags.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
    );
    await fc.assert(
      fc.property(shuffled, someRules, ([all, mixed], given) => {
        expect(plan(mixed, given)).toEqual(plan(all, given));
      }),
      runs,
    );
  });

  it('deletes nothing more when it is repeated', async () => {
    await fc.assert(
      fc.property(someTags, someRules, (all, given) => {
        const gone = new Set(plan(all, given));
        const left = all.filter(({ name }) => !gone.has(name));
        expect(plan(left, given)).toEqual([]);
      }),
      runs,
    );
  });

  it('deletes no more with a larger keep_n or older_than', async () => {
    await fc.assert(
      fc.property(someTags, someRules, fc.nat({ max: 5 }), (all, given, more) => {
        const planned = new Set(plan(all, given));
        const keepsMore = plan(all, { ...given, keep_n: (given.keep_n ?? 0) + more });
        const onlyOlder = plan(all, { ...given, older_than: '12h' });
        expect([...keepsMore, ...onlyOlder].filter((name) => !planned.has(name))).toEqual([]);
      }),
      runs,
    );
  });
});
