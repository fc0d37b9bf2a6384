import { formatDate, parseCommit, parseTag } from './commit';

const ID = '1'.repeat(40);

it.each([
  [1348131022, '+0300', '2012-09-20T11:50:22.000+03:00'],
  [1348131022, '-0730', '2012-09-20T01:20:22.000-07:30'],
  [0, '+0000', '1970-01-01T00:00:00.000+00:00'],
  [1e18, '+0000', '1970-01-01T00:00:00.000+00:00'],
])('writes %s %s as %s', (seconds, offset, expected) => {
  expect(formatDate(seconds, offset)).toBe(expected);
});

it('reads headers, parents and the title, and passes signatures by', () => {
  const commit = parseCommit(
    ID,
    Buffer.from(
      `tree ${'a'.repeat(40)}\nparent ${'b'.repeat(40)}\nparent ${'c'.repeat(40)}\nauthor A B <a@b> 1348131022 +0300\ncommitter C <> 0 +0000\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n author X <x@x> 1 +0000\n -----END PGP SIGNATURE-----\n\n\nTitle \n\nBody\n`,
    ),
  );
  expect(commit).toMatchObject({
    treeId: 'a'.repeat(40),
    parentIds: ['b'.repeat(40), 'c'.repeat(40)],
    author: { name: 'A B', email: 'a@b', date: '2012-09-20T11:50:22.000+03:00' },
    committer: { name: 'C', email: '' },
    committedAt: 0,
    title: 'Title',
    message: '\nTitle \n\nBody\n',
  });
});

it.each(['', 'tree x', 'author nobody\n\nx', 'author <<>> x\n'])('survives the broken commit %j', (content) => {
  expect(parseCommit(ID, Buffer.from(content)).id).toBe(ID);
});

it.each([
  ['author A <a> 1 +0000\ncommitter C <c> 1348131022 +0300', 1348131022],
  ['author A <a> 1 +0000\ncommitter C <c> 1348131022', 1348131022],
  ['author A <a> 1 +0000\ncommitter C <c>> 1348131022 +0300', null],
  ['author A <a> 1 +0000\ncommitter C <c> 1348131022 > 1 +0300', null],
  ['author A <a> 1 +0000\ncommitter C <c> 1348131022 +0300\nparent x', null],
  ['author A <a> 1 +0000\ncommitter C <c> -1 +0300', null],
  ['author A <a> 1 +0000\ncommitter C <c> 12345678901 +0300', null],
  ['author A <a> 1 +0000\nx y\ncommitter C <c> 1 +0000', null],
  ['committer C <c> 1 +0000\nauthor A <a> 1 +0000', null],
  ['author A <a> 1 +0000', null],
])('reads of %j that it was committed at %p', (people, expected) => {
  expect(parseCommit(ID, Buffer.from(`tree ${'a'.repeat(40)}\n${people}\n\nx`)).committedAt).toBe(expected);
});

// Pushed commits may be written by other programs than git.
it('reads authors in time linear to the commit', () => {
  const author = (text: string) => parseCommit(ID, Buffer.from(`author ${text}\n\nx`)).author;
  expect(author('0000<'.repeat(200_000))).toMatchObject({ email: '' });
  expect(author(`a ${'<'.repeat(500_000)}b@c> 0 +0000`)).toMatchObject({ name: 'a' });
});

it('reads tags without their signature', () => {
  const tag = parseTag(
    Buffer.from(
      `object ${ID}\ntype commit\ntag v1\ntagger T <t@t> 0 +0000\n\nHello\n-----BEGIN PGP SIGNATURE-----\nx\n`,
    ),
  );
  expect(tag).toMatchObject({ targetId: ID, name: 'v1', message: 'Hello\n', tagger: { name: 'T' } });
});
