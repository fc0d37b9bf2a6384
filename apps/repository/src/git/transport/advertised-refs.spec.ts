import { parseAdvertisement } from './advertised-refs';
import { FLUSH, packet } from './pkt-line';

const start = [packet('# service=git-upload-pack\n'), FLUSH];
const a = 'a'.repeat(40);
const b = 'b'.repeat(40);
const refsOf = (...parts: (Buffer | string)[]) =>
  parseAdvertisement(
    Buffer.concat([...start, ...parts.map((part) => (typeof part === 'string' ? packet(part) : part))]),
  );

it('has all refs, tags as they are, and the branch that HEAD names', () => {
  const first = `${a} HEAD\0multi_ack symref=HEAD:refs/heads/trunk agent=git/2\n`;
  const refs = [`${a} refs/heads/trunk\n`, `${b} refs/tags/v1\n`, `${a} refs/tags/v1^{}\n`, `shallow ${a}\n`];
  expect(refsOf(first, ...refs, FLUSH)).toEqual({
    head: 'trunk',
    refs: [
      { id: a, name: 'refs/heads/trunk' },
      { id: b, name: 'refs/tags/v1' },
    ],
  });
});

it('has no refs of an empty repository, and no branch with an invalid name', () => {
  const empty = `${'0'.repeat(40)} capabilities^{}\0multi_ack agent=git/2\n`;
  expect(refsOf(empty, FLUSH)).toEqual({ head: null, refs: [] });
  expect(refsOf(`${a} HEAD\0symref=HEAD:refs/heads/-x..y\n`, FLUSH)).toEqual({ head: null, refs: [] });
});

it('refuses partial and other input', () => {
  expect(refsOf(`${a} refs/heads/main\n`)).toBeNull();
  expect(parseAdvertisement(Buffer.from('0011<html></html>0000'))).toBeNull();
  expect(parseAdvertisement(Buffer.alloc(0))).toBeNull();
  expect(() => parseAdvertisement(Buffer.from('<html>'))).toThrow();
});
