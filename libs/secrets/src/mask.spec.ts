import { masked, unmasked } from './mask';

const secret = Buffer.from('thirty-two bytes of some secret.');

it('differs each time, and each one has the secret', () => {
  const texts = Array.from({ length: 100 }, () => masked(secret));
  expect(new Set(texts).size).toBe(100);
  for (const text of texts) expect(unmasked(text)).toEqual(secret);
});

it.each(['', 'A', 'AAAA', `${masked(secret)}A`, `${masked(secret)}==`, '!'.repeat(86), 'ä'])(
  '%j is refused',
  (text) => {
    expect(unmasked(text)).toBeUndefined();
  },
);
