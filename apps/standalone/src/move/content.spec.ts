import { Adding, isSame } from './content';

const contentOf = (...documents: string[]) => {
  const adding = new Adding();
  for (const one of documents) adding.add(Buffer.from(one));
  return adding.content;
};

describe('the content of a collection', () => {
  it('is the same in any order', () => {
    expect(contentOf('a', 'bc')).toEqual({ documents: 2, bytes: 3, checksum: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(isSame(contentOf('a', 'bc', 'd'), contentOf('d', 'a', 'bc'))).toBe(true);
  });

  it('differs if a document is missing, duplicated, or has a changed byte', () => {
    const whole = contentOf('ab', 'cd');
    for (const other of [contentOf('ab'), contentOf('ab', 'ab'), contentOf('ab', 'cd', 'cd'), contentOf('ab', 'ce')])
      expect(isSame(whole, other)).toBe(false);
    // Equal counts and bytes.
    expect(isSame(whole, contentOf('abc', 'd'))).toBe(false);
  });

  it('of nothing is nothing', () => {
    expect(contentOf()).toEqual({ documents: 0, bytes: 0, checksum: '0'.repeat(64) });
  });
});
