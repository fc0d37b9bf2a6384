import { bytesOf, requestedRange } from './byte-range';

const partOf = (sizeBytes: number, headers: { range?: string; 'if-range'?: string }, etag?: string) => {
  const asked = requestedRange(headers, etag);
  return asked && (bytesOf(asked, sizeBytes) ?? 'none');
};

it.each([
  ['bytes=0-0', { start: 0, end: 1 }],
  ['bytes=0-', { start: 0, end: 10 }],
  ['bytes=3-5', { start: 3, end: 6 }],
  ['bytes=9-9', { start: 9, end: 10 }],
  ['bytes=5-100', { start: 5, end: 10 }],
  ['bytes=-3', { start: 7, end: 10 }],
  ['bytes=-100', { start: 0, end: 10 }],
  [' Bytes=2-2 ', { start: 2, end: 3 }],
  ['bytes=10-', 'none'],
  ['bytes=10-20', 'none'],
  ['bytes=999999999999999-', 'none'],
  ['bytes=-0', 'none'],
])('%s of ten bytes are %j', (range, part) => expect(partOf(10, { range })).toEqual(part));

it.each([
  'bytes=5-3',
  'bytes=0-1,3-4',
  'bytes=-',
  'bytes=',
  'bytes=a-b',
  'bytes=1-2x',
  'items=0-1',
  '0-1',
  '',
  `bytes=${'9'.repeat(400)}-`,
])('%p requests the whole object', (range) => expect(partOf(10, { range })).toBeUndefined());

it('does not exist for an empty object', () => {
  expect(partOf(0, { range: 'bytes=0-' })).toBe('none');
  expect(partOf(0, { range: 'bytes=-5' })).toBe('none');
});

it('returns a part only if the object is unchanged', () => {
  const range = 'bytes=5-';
  expect(partOf(10, { range, 'if-range': '"a"' }, '"a"')).toEqual({ start: 5, end: 10 });
  expect(partOf(10, { range, 'if-range': '"a"' }, '"b"')).toBeUndefined();
  expect(partOf(10, { range, 'if-range': '"a"' })).toBeUndefined();
  expect(partOf(10, { range, 'if-range': 'W/"a"' }, '"a"')).toBeUndefined();
  expect(partOf(10, { range, 'if-range': 'Wed, 21 Oct 2015 07:28:00 GMT' }, '"a"')).toBeUndefined();
});
