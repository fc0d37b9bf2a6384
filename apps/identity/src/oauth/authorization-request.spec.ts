import type { Application } from '../application/application.schema';
import { addressOf, readRequest } from './authorization-request';
import { redirectUriOf } from './redirect-uri';

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

describe('redirectUriOf of programs on a user machine', () => {
  const native = {
    ...application,
    redirectUris: ['http://127.0.0.1/cb', 'http://[::1]:1234/cb?x=1', 'http://localhost/cb'],
  };

  it.each(['http://127.0.0.1:53682/cb', 'http://127.0.0.1/cb', 'http://[::1]/cb?x=1', 'http://[::1]:9/cb?x=1'])(
    'takes any port of a loopback address: %s',
    (asked) => expect(redirectUriOf(native, asked)).toBe(asked),
  );

  it.each([
    'http://127.0.0.1:53682/other',
    'http://127.0.0.1:99999/cb',
    'http://127.0.0.1:1@evil.example/cb',
    'http://127.0.0.1.evil.example/cb',
    'https://127.0.0.1:53682/cb',
    'http://localhost:53682/cb',
    'http://[::1]:1/cb',
  ])('takes nothing else: %s', (asked) => expect(redirectUriOf(native, asked)).toBeUndefined());
});

describe('readRequest', () => {
  it('takes api where no scope is named, and what is named where the application may have it', () => {
    expect(read({})).toMatchObject({ scopes: ['api'] });
    expect(read({ scope: 'openid  read_user openid', redirect_uri: 'https://ci.example/cb' })).toMatchObject({
      scopes: ['openid', 'read_user'],
    });
  });

  it.each([
    [{ scope: 'api sudo' }, 'invalid_scope'],
    [{ scope: 'everything' }, 'invalid_scope'],
    [{ response_type: 'id_token' }, 'unsupported_response_type'],
    [{ response_type: undefined }, 'invalid_request'],
    [{ code_challenge: 'short', code_challenge_method: 'S256' }, 'invalid_request'],
    [{ code_challenge: 'a'.repeat(43), code_challenge_method: 'S512' }, 'invalid_request'],
    [{ response_mode: 'web_message' }, 'invalid_request'],
    [{ prompt: 'none login' }, 'invalid_request'],
    [{ prompt: 'everything' }, 'invalid_request'],
    [{ max_age: '-1' }, 'invalid_request'],
    [{ request: 'a.b.c' }, 'request_not_supported'],
    [{ request_uri: 'https://a.example' }, 'request_uri_not_supported'],
    [{ registration: '{}' }, 'registration_not_supported'],
    [{ scope: 'openid' }, 'invalid_request'],
  ])('refuses %j with %s', (input, error) => expect(read(input)).toMatchObject({ error }));

  it('never answers a token in a query', () => {
    const input = { response_type: 'token', response_mode: 'query' };
    expect(addressOf('https://ci.example/cb', input).responseMode).toBe('fragment');
    expect(addressOf('https://ci.example/cb', { response_type: 'code' }).responseMode).toBe('query');
  });
});
