import type { Application } from '../application/application.schema';
import { addressOf, readRequest, redirectUriOf } from './authorization-request';

const application: Application = {
  _id: 1,
  uid: 'uid',
  secretHash: 'hash',
  name: 'CI',
  redirectUris: ['https://ci.example/cb', 'https://ci.example/other'],
  scopes: ['api', 'read_user', 'openid'],
  isConfidential: true,
  isTrusted: false,
  ownerId: null,
  createdAt: new Date(),
};
const read = (input: object) =>
  readRequest(application, addressOf('https://ci.example/cb', input), { response_type: 'code', ...input });

describe('redirectUriOf', () => {
  it.each([
    'https://ci.example/cb/',
    'https://ci.example/cb?x=1',
    'https://ci.example/CB',
    'https://ci.example.evil/cb',
    'http://ci.example/cb',
    '',
    undefined,
  ])('knows nothing but what was registered, to the letter: %s', (asked) => {
    expect(redirectUriOf(application, asked)).toBeUndefined();
  });

  it('may be left out where there is one only', () => {
    expect(redirectUriOf({ ...application, redirectUris: ['https://a.example'] }, undefined)).toBe('https://a.example');
    expect(redirectUriOf(application, 'https://ci.example/other')).toBe('https://ci.example/other');
  });
});

describe('readRequest', () => {
  it('takes api where no scope is named, and what is named where the application may have it', () => {
    expect(read({})).toMatchObject({ scopes: ['api'] });
    expect(read({ scope: 'openid  read_user openid' })).toMatchObject({ scopes: ['openid', 'read_user'] });
  });

  it.each([
    [{ scope: 'api sudo' }, 'invalid_scope'],
    [{ scope: 'everything' }, 'invalid_scope'],
    [{ response_type: 'id_token' }, 'unsupported_response_type'],
    [{ response_type: undefined }, 'invalid_request'],
    [{ code_challenge: 'short', code_challenge_method: 'S256' }, 'invalid_request'],
    [{ code_challenge: 'a'.repeat(43), code_challenge_method: 'S512' }, 'invalid_request'],
  ])('refuses %j with %s', (input, error) => expect(read(input)).toMatchObject({ error }));

  it('never answers a token in a query', () => {
    const input = { response_type: 'token', response_mode: 'query' };
    expect(addressOf('https://ci.example/cb', input).responseMode).toBe('fragment');
    expect(addressOf('https://ci.example/cb', { response_type: 'code' }).responseMode).toBe('query');
  });
});
