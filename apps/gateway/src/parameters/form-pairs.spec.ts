import { formPairs } from './form-pairs';

const pairs = (text: string) => [...formPairs(text)];

describe('formPairs', () => {
  it.each([
    [
      'a=1&b=2&a=3',
      [
        ['a', '1'],
        ['b', '2'],
        ['a', '3'],
      ],
    ],
    [
      'a=x+y&b=%C3%BC%20',
      [
        ['a', 'x y'],
        ['b', 'ü '],
      ],
    ],
    [
      '&&a&=b&c=1=2',
      [
        ['a', ''],
        ['', 'b'],
        ['c', '1=2'],
      ],
    ],
    ['', []],
  ])('reads %s in order', (text, expected) => {
    expect(pairs(text)).toEqual(expected);
  });

  it.each(['a=%zz', 'a=%', 'a=%ff', '%e0%a4=1'])('refuses %s, which is no encoding', (text) => {
    expect(() => pairs(text)).toThrow('common.bad_request');
  });

  it('refuses more pairs than anybody fills in', () => {
    expect(() => pairs('a&'.repeat(70_000))).toThrow('common.too_large');
  });
});
