import fc from 'fast-check';
import { Shape } from './shape';

const part = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', '1', 'toString'), fc.jsonValue());
const parts = fc.tuple(part, part, part, part, part);

describe('a shape', () => {
  it('merges parts as spreading does, in any order of calls', () => {
    fc.assert(
      fc.property(fc.array(parts), (all) => {
        const shape = new Shape();
        for (const each of all) {
          const [a, b, c, d, e] = each;
          expect(JSON.parse(JSON.stringify(shape.join(...each)))).toEqual(
            JSON.parse(JSON.stringify({ ...a, ...b, ...c, ...d, ...e })),
          );
        }
      }),
    );
  });

  it('does not retain its parts', () => {
    const shape = new Shape();
    shape.join({ a: 1 }, {}, {}, {}, { b: 2 });
    expect(JSON.stringify(shape.join({ c: 3 }, {}, {}, {}, {}))).toBe('{"c":3}');
  });
});
