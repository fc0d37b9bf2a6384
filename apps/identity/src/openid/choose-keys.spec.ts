import { chooseKeys, publishedForMs } from './choose-keys';

const keys = [
  { name: 'first', signsFrom: 0 },
  { name: 'second', signsFrom: 1000 },
];
const at = (now: number, of = keys) => {
  const { current, published } = chooseKeys(of, now);
  return [current.name, published.map(({ name }) => name)];
};

describe('keys that id tokens are signed with', () => {
  it('a single key signs, and is always published', () => {
    expect(at(10 * publishedForMs, keys.slice(0, 1))).toEqual(['first', ['first']]);
  });

  it('the next is published before it signs', () => {
    expect(at(999)).toEqual(['first', ['first', 'second']]);
  });

  it('the former is published while its tokens are good, and no longer', () => {
    expect(at(1000)).toEqual(['second', ['first', 'second']]);
    expect(at(999 + publishedForMs)).toEqual(['second', ['first', 'second']]);
    expect(at(1000 + publishedForMs)).toEqual(['second', ['second']]);
  });

  it('if one was removed, the oldest remaining one signs', () => {
    expect(at(500, keys.slice(1))).toEqual(['second', ['second']]);
  });
});
