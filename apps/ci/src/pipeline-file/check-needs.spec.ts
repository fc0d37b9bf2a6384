import { checkNeeds, JobNames } from './check-needs';
import { inheritedOf } from './inherit';
import type { FileJob } from './job-spec';

const job = (name: string, ...needs: string[]): FileJob =>
  ({ name, needs: needs.map((need) => ({ job: need.replace('?', ''), isOptional: need.endsWith('?') })) }) as FileJob;

describe('needs', () => {
  it.each([
    ['of nothing', [job('a'), { ...job('b'), needs: null }], undefined],
    ['in a row', [job('a'), job('b', 'a'), job('c', 'b', 'a')], undefined],
    ['of two that need the same', [job('a', 'c'), job('b', 'c'), job('c')], undefined],
    ['of one that may be absent', [job('a', 'gone?')], undefined],
    ['of one that is absent', [job('a', 'gone')], 'a job: undefined need: gone'],
    ['of itself', [job('a', 'a')], 'circular'],
    ['in a circle', [job('a', 'c'), job('b', 'a'), job('c', 'b')], 'circular'],
    ['in a circle further on', [job('x', 'a'), job('a', 'b'), job('b', 'a')], 'circular'],
    ['of all copies', [job('a 1/2'), job('a 2/2'), job('b', 'a')], undefined],
    ['of a copy that needs it', [job('a 1/2', 'b'), job('a 2/2'), job('b', 'a')], 'circular'],
    ['of as many as may be', [job('a'), job('b'), job('c', 'a', 'b')], undefined],
    [
      'of too many',
      [job('a'), job('b'), job('c'), job('d', 'a', 'b', 'c')],
      'only need 2 others, but you have listed 3',
    ],
  ])('%s', (_, jobs, problem) => {
    const check = () => checkNeeds(jobs, 2);
    if (problem) expect(check).toThrow(problem);
    else expect(check).not.toThrow();
  });

  it('are followed once each, for any number of paths', () => {
    const layers = Array.from({ length: 60 }, (_, layer) =>
      ['l', 'r'].map((side) => job(`${side}${layer}`, ...(layer === 0 ? [] : [`l${layer - 1}`, `r${layer - 1}`]))),
    );
    expect(() => checkNeeds(layers.reverse().flat(), 2)).not.toThrow();
  });

  it('name a job, or all its parallel copies', () => {
    const copies = ['a', 'b 1/2', 'b 2/2', 'bb 1/2', 'b x/2', 'b 1/2x', 'b: [x, y]', 'b: x', 'd: [x]: [y]'];
    const names = new JobNames(copies.map((name) => ({ name })));
    expect(names.of('a')).toEqual(['a']);
    expect(names.of('b')).toEqual(['b 1/2', 'b 2/2', 'b: [x, y]']);
    expect(names.of('c')).toEqual([]);
    expect(names.of('d')).toEqual(names.of('d: [x]'));
    expect(names.of('d')).toEqual(['d: [x]: [y]']);
  });
});

it('a job inherits all defaults, none, or those it names', () => {
  const given = { a: 1, b: 2 };
  expect([inheritedOf(given, true), inheritedOf(given, false), inheritedOf(given, ['b', 'c'])]).toEqual([
    given,
    {},
    { b: 2 },
  ]);
});
