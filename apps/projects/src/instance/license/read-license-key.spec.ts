import { type ErrorMessage, OperationError } from '@moothall/contracts';
import { digestOf, readLicenseKey } from './read-license-key';

const today = '2030-06-01';
const least = { plan: 'premium', licensee: { Name: 'Ada' }, starts_at: '2030-01-01' };
const keyOf = (written: unknown): string => Buffer.from(JSON.stringify(written)).toString('base64');

it('reads all fields of a key', () => {
  const licensee = { Name: 'Adä', Company: 'Engines', Email: 'ada@example.com' };
  const more = { licensee, expires_at: '2030-06-02', user_limit: 3, add_ons: { FileLocks: 1, constructor: 2 } };
  expect(readLicenseKey(keyOf({ ...least, ...more }), today)).toEqual({
    ...{ plan: 'premium', licensee, startsAt: '2030-01-01', expiresAt: '2030-06-02', userLimit: 3 },
    addOns: [
      { name: 'FileLocks', count: 1 },
      { name: 'constructor', count: 2 },
    ],
  });
});

it('accepts a key with line breaks as the same', () => {
  const key = keyOf(least);
  const broken = `${key.replace(/(.{20})/g, '$1\r\n')}\n`;
  expect(readLicenseKey(broken, today)).toMatchObject({ expiresAt: null, userLimit: null, addOns: [] });
  expect(digestOf(broken)).toBe(digestOf(key));
});

it.each<[string, string, ErrorMessage]>([
  ['no base64', 'ü', 'The license key is invalid: it is not base64 of JSON.'],
  ['nothing but breaks', ' \n', 'The license key is invalid: it is not base64 of JSON.'],
  ['no JSON', 'eHh4', 'The license key is invalid: it is not base64 of JSON.'],
  [
    'bytes that are no text',
    Buffer.from('"\xff"', 'latin1').toString('base64'),
    'The license key is invalid: it is not base64 of JSON.',
  ],
  ['a list', keyOf([least]), 'The license key is invalid: it is not an object.'],
  [
    'lists in lists',
    Buffer.from('['.repeat(9000)).toString('base64'),
    'The license key is invalid: it is not base64 of JSON.',
  ],
  ['no name', keyOf({ ...least, licensee: {} }), 'The license key is invalid: licensee.Name is missing or invalid.'],
  [
    'a day that is none',
    keyOf({ ...least, starts_at: '2030-02-30' }),
    'The license key is invalid: starts_at is missing or invalid.',
  ],
  [
    'half a user',
    keyOf({ ...least, user_limit: 0.5 }),
    'The license key is invalid: user_limit is missing or invalid.',
  ],
  [
    'an add-on with a dot',
    keyOf({ ...least, add_ons: { 'a.b': 1 } }),
    'The license key is invalid: add_ons.a.b is missing or invalid.',
  ],
  ['what nobody knows', keyOf({ ...least, users: 3 }), 'The license key is invalid: users is not known.'],
  [
    'an end before the start',
    keyOf({ ...least, expires_at: '2030-01-01' }),
    'The license key is invalid: expires_at must be after starts_at.',
  ],
  ['an end that has come', keyOf({ ...least, expires_at: today }), 'This license has already expired.'],
])('refuses a key with %s', (_what, key, message) => {
  let refusal: unknown;
  try {
    readLicenseKey(key, today);
  } catch (error) {
    refusal = error;
  }
  expect((refusal as OperationError).value).toEqual({ code: 'license.invalid', message });
});
