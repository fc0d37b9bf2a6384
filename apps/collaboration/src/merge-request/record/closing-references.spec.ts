import { closedBy } from './closing-references';

describe('issues that a text closes', () => {
  it.each([
    ['Closes #1', [1]],
    ['closes: #1', [1]],
    ['Fixes #1, #2 and #3', [1, 2, 3]],
    ['Resolve #4\n\nImplements #5', [4, 5]],
    ['fixed #7 #8', [7, 8]],
    ['See #1', []],
    ['Prefixes #1', []],
    ['closes 1', []],
    ['Closes group/project#1', []],
    ['', []],
  ])('of %j are %j', (text, iids) => expect(closedBy(text)).toEqual(iids));

  it('are named once, over all texts', () => {
    expect(closedBy('Closes #1', null, 'fix #2, #1')).toEqual([1, 2]);
  });

  // A description can hold more than a hundred thousand of them.
  it('are the first hundred', () => {
    const all = Array.from({ length: 130_000 }, (_, at) => at + 1);
    const text = `Closes ${all.map((iid) => `#${iid}`).join(' ')}`;
    expect(closedBy(text, 'Closes #0')).toEqual(all.slice(0, 100));
  });
});
