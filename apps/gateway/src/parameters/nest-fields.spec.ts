import { nestFields } from './nest-fields';

const nest = (query: string) => nestFields(new URLSearchParams(query));

describe('nestFields', () => {
  it.each([
    ['a=1&b=', { a: '1', b: '' }],
    ['k[]=1&k[]=2', { k: ['1', '2'] }],
    ['k[]=1', { k: ['1'] }],
    ['k=1&k=2&k=3', { k: ['1', '2', '3'] }],
    ['custom[key]=v&custom[other]=w', { custom: { key: 'v', other: 'w' } }],
    ['not[labels][]=a&not[labels][]=b', { not: { labels: ['a', 'b'] } }],
    ['files[][path]=a&files[][content]=1&files[][path]=b', { files: [{ path: 'a', content: '1' }, { path: 'b' }] }],
    [
      'files[][a]=1&files[][b]=2&files[][a]=3&files[][b]=4',
      {
        files: [
          { a: '1', b: '2' },
          { a: '3', b: '4' },
        ],
      },
    ],
    ['files[][a]=1&files[][t][]=2&files[][t][]=3&files[][a]=4', { files: [{ a: '1', t: ['2', '3'] }, { a: '4' }] }],
    ['files[][a][x]=1&files[][a][y]=2&files[][a][x]=3', { files: [{ a: { x: '1', y: '2' } }, { a: { x: '3' } }] }],
    ['files[0][a]=1&files[1][a]=2&files[0][b]=3', { files: { 0: { a: '1', b: '3' }, 1: { a: '2' } } }],
    ['a[b=1', { 'a[b': '1' }],
    ['a.b=1', { 'a.b': '1' }],
  ])('reads %s', (query, fields) => {
    expect(nest(query)).toEqual(fields);
  });

  it('does not reach into prototypes', () => {
    expect(nest('__proto__[polluted]=1&a[constructor][prototype][polluted]=1')).toEqual({});
    expect({}).not.toHaveProperty('polluted');
  });

  it('does not write into scalar values', () => {
    const file = { url: 'http://own' };
    nestFields([
      ['file', file],
      ['file[url]', 'http://other'],
    ]);
    expect(file).toEqual({ url: 'http://own' });
  });

  it('refuses endless nesting', () => {
    expect(() => nest(`a${'[b]'.repeat(5000)}=1`)).toThrow('common.bad_request');
  });

  it('reads a million names that are one in their time', () => {
    const pairs = Array.from({ length: 1_000_000 }, () => ['a', 'b'] as const);
    expect(nestFields(pairs).a).toHaveLength(1_000_000);
  });
});
