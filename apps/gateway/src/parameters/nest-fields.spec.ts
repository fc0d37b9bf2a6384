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
    ['files[0][path]=a&files[1][path]=b&files[0][content]=1', { files: [{ path: 'a', content: '1' }, { path: 'b' }] }],
    ['a[b=1', { 'a[b': '1' }],
    ['a.b=1', { 'a.b': '1' }],
  ])('reads %s', (query, fields) => {
    expect(nest(query)).toEqual(fields);
  });

  it('does not reach into prototypes', () => {
    expect(nest('__proto__[polluted]=1&a[constructor][prototype][polluted]=1')).toEqual({});
    expect({}).not.toHaveProperty('polluted');
  });

  it('does not build a huge array for a huge index', () => {
    expect(nest('a[4000000000][b]=1')).toEqual({ a: { '4000000000': { b: '1' } } });
  });
});
