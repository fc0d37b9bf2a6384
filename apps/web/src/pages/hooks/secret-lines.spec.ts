import { type LineKind, readLines } from './secret-lines';

const headers: LineKind = { parameter: 'custom_headers', separator: ':' };
const variables: LineKind = { parameter: 'url_variables', separator: '=' };

it('reads names and values up to the first separator, and skips blank lines', () => {
  expect(readLines('\nX-Key: a:b\n  \n X-Two :two  ', headers)).toEqual({
    pairs: [
      { key: 'X-Key', value: 'a:b' },
      { key: 'X-Two', value: 'two' },
    ],
    problems: [],
  });
  expect(readLines('path=YWJj==', variables).pairs).toEqual([{ key: 'path', value: 'YWJj==' }]);
  expect(readLines(' \n', variables)).toEqual({ pairs: [], problems: [] });
});

it.each([
  ['X-Key: a\n\nX-Two=b', headers, ['line 3 has no colon']],
  ['a: b\nc', variables, ['line 1 has no equals sign', 'line 2 has no equals sign']],
  ['\n1a=b\nc d=e', variables, ['the name in line 2 is not permitted', 'the name in line 3 is not permitted']],
  ['=b', variables, ['the name in line 1 is not permitted']],
  [
    'Host: a\nContent-Length: 1',
    headers,
    ['the name in line 1 is not permitted', 'the name in line 2 is not permitted'],
  ],
  ['X-Key:', headers, ['line 1 has no value']],
  [`X-Key: ${'a'.repeat(2049)}`, headers, ['the value in line 1 is too long']],
  ['X-Key: a\tb', headers, ['the value in line 1 has a control character']],
  ['a=b\n'.repeat(21), variables, ['there are more than 20']],
])('says by line what is wrong with %j', (text, kind, problems) => {
  expect(readLines(text, kind).problems).toEqual(problems);
});

it('takes 20 lines, and values of 2,048 characters', () => {
  expect(readLines('a=b\n'.repeat(20), variables)).toMatchObject({ problems: [] });
  expect(readLines(`a=${'b'.repeat(2048)}`, variables)).toMatchObject({ problems: [] });
});
