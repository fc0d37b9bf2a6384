import type { Application } from '../../application/application.schema';
import { redirectUriOf } from '../redirect-uri';
import { addressOf, readRequest } from './authorization-request';

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
  ])('accepts only registered addresses, by exact comparison: %s', (asked) => {
    expect(redirectUriOf(application, asked)).toBeUndefined();
  });

  it('may be omitted if there is only one', () => {
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
    'accepts any port of a loopback address: %s',
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
  ])('accepts nothing else: %s', (asked) => expect(redirectUriOf(native, asked)).toBeUndefined());
});

describe('readRequest', () => {
  it('defaults to api, and accepts named scopes that the application has', () => {
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

  const address = 'https://ci.example/cb';
  const challenge = 'a'.repeat(43);

  it('returns the requested scopes', () => {
    const input = {
      scope: ' api read_user',
      redirect_uri: address,
      state: 'xyz',
      nonce: 'n',
      code_challenge: challenge,
      code_challenge_method: 'S256',
      prompt: ' login  consent',
      max_age: '60',
    };
    expect(read(input)).toEqual({
      application,
      redirectUri: address,
      isRedirectUriNamed: true,
      responseType: 'code',
      responseMode: 'query',
      scopes: ['api', 'read_user'],
      state: 'xyz',
      nonce: 'n',
      codeChallenge: challenge,
      codeChallengeMethod: 'S256',
      prompt: ['login', 'consent'],
      maxAgeSeconds: 60,
    });
    expect(read({})).toMatchObject({
      isRedirectUriNamed: false,
      nonce: null,
      codeChallenge: null,
      codeChallengeMethod: null,
      prompt: [],
      maxAgeSeconds: undefined,
    });
  });

  it.each([
    [{ code_challenge: challenge }, { codeChallengeMethod: 'plain' }],
    [{ code_challenge: 'a'.repeat(128), code_challenge_method: 'plain' }, { codeChallengeMethod: 'plain' }],
    [{ code_challenge: 'a'.repeat(129) }, { error: 'invalid_request' }],
    [{ code_challenge: 'a'.repeat(42) }, { error: 'invalid_request' }],
    [{ code_challenge: '' }, { error: 'invalid_request' }],
    [{ response_type: 'token' }, { responseType: 'token', responseMode: 'fragment' }],
    [{ response_type: '' }, { error: 'invalid_request' }],
    [{ response_mode: 'form_post' }, { responseMode: 'form_post' }],
    [{ max_age: '0' }, { maxAgeSeconds: 0 }],
    [{ max_age: '1234567890' }, { error: 'invalid_request' }],
    [{ max_age: '' }, { error: 'invalid_request' }],
    [{ prompt: 'none' }, { prompt: ['none'] }],
    [{ prompt: '' }, { prompt: [] }],
    [{ prompt: 'select_account login' }, { prompt: ['select_account', 'login'] }],
    [{ prompt: 'login everything' }, { error: 'invalid_request', description: 'The prompt is unknown.' }],
    [
      { prompt: 'none login' },
      { error: 'invalid_request', description: 'The prompt none cannot be combined with others.' },
    ],
    [{ scope: 'openid', redirect_uri: address }, { scopes: ['openid'] }],
    [{ scope: 'api' }, { scopes: ['api'], isRedirectUriNamed: false }],
  ])('%j: the decision is %j', (input, expected) => expect(read(input)).toMatchObject(expected));

  it('requires no redirect URI if openid comes with the application', () => {
    const onlyOpenid = { ...application, scopes: ['openid' as const] };
    const input = { response_type: 'code' };
    expect(readRequest(onlyOpenid, addressOf(address, input), input)).toMatchObject({ scopes: ['openid'] });
  });

  it('requires a challenge of public applications, if there is a code to protect', () => {
    const browser = { ...application, isConfidential: false };
    const asked = (input: object) => readRequest(browser, addressOf(address, input), input);
    expect(asked({ response_type: 'code' })).toMatchObject({ error: 'invalid_request' });
    expect(asked({ response_type: 'code', code_challenge: challenge })).toMatchObject({ codeChallenge: challenge });
    expect(asked({ response_type: 'token' })).toMatchObject({ responseType: 'token' });
  });

  it('refuses a parameter that occurs twice', () => {
    const input = { response_type: 'code' };
    const twice = readRequest(application, addressOf(address, input), input, ['state', 'scope']);
    expect(twice).toEqual({ error: 'invalid_request', description: 'The parameter state was given more than once.' });
  });

  it.each([
    ['code', undefined, 'query'],
    ['code', 'query', 'query'],
    ['code', 'fragment', 'fragment'],
    ['code', 'form_post', 'form_post'],
    ['code', 'other', 'query'],
    ['token', undefined, 'fragment'],
    ['token', 'form_post', 'form_post'],
    ['token', 'fragment', 'fragment'],
    ['token', 'other', 'fragment'],
    [undefined, 'query', 'query'],
  ])('answers a %s with mode %s in a %s', (response_type, response_mode, expected) => {
    const input = { response_type, response_mode, state: 's' } as never;
    expect(addressOf(address, input)).toEqual({ redirectUri: address, responseMode: expected, state: 's' });
  });
});
