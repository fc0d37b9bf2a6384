import {
  commonErrors,
  defaultApplicationSettings,
  forbidden,
  type OperationError,
  readApplicationSettings,
  showPage,
  showSignIn,
  signIn,
  takeForm,
} from '@moothall/contracts';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test';
import { rawClient } from './raw-client';

/* Refused requests of browsers: a page says why, also if the service for pages is down. */

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGatewayUnderTest({ MAX_BODIES: '4MB', BODY_RATE_SPAN: '1' });
  gateway.stubs.respond(readApplicationSettings, () => defaultApplicationSettings);
});
afterAll(() => gateway?.stop());

const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
const formType = 'application/x-www-form-urlencoded';
const form = (body: string, type = formType, more: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { accept, 'content-type': type, ...more },
  body,
});

async function load(path: string, init: RequestInit = { headers: { accept } }) {
  const answer = await gateway.fetch(path, init);
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

/** As a page: its status, its heading, and when it may be requested again. */
async function refused(path: string, init?: RequestInit) {
  const { status, headers, text } = await load(path, init);
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': expect.stringMatching(/^default-src 'none'; style-src 'sha256-[^']+'; img-src 'self';/),
    'x-frame-options': 'DENY',
    vary: expect.stringContaining('Accept'),
  });
  return [status, /<h1>(.*)<\/h1>/.exec(text)?.[1], headers.get('retry-after')];
}

// First, because nobody answers yet.
describe('while services are down', () => {
  it.each(['/', '/a/b', '/a/b/-/raw/main/x', '/users/sign_in', '/oauth/authorize?client_id=1'])(
    'a page at %s is not available',
    async (path) => expect(await refused(path)).toEqual([503, 'Not available', '5']),
  );

  it.each(['/a/b', '/', '/users/sign_in'])('a form at %s cannot be taken', async (path) => {
    expect(await refused(path, form('a=b'))).toEqual([503, 'Not available', '5']);
  });

  it.each([
    ['/%ff', [400, 'Invalid request', null]],
    ['/a?b=%zz', [400, 'Invalid request', null]],
    ['/users/sign_in.x/-/y?c=%zz', [400, 'Invalid request', null]],
  ])('an invalid address %s is explained nevertheless', async (path, expected) => {
    expect(await refused(path)).toEqual(expected);
  });

  it('a form that is too large is refused nevertheless', async () => {
    expect(await refused('/a/b', form('a&'.repeat(70_000)))).toEqual([413, 'The form is too large', null]);
  });

  it('programs get what they always got', async () => {
    const body = '{"message":"503 Service Unavailable"}';
    for (const [path, init] of [
      ['/a/b/-/raw/main/x', {}],
      ['/users/sign_in', form('a=b', formType, { accept: '*/*' })],
      ['/api/v4/users', undefined],
      ['/.well-known/openid-configuration', undefined],
    ] as const) {
      const answer = await load(path, init);
      expect([path, answer.headers.get('content-type'), answer.text]).toEqual([path, 'application/json', body]);
    }
    const token = await load('/oauth/token', form('grant_type=password'));
    expect([token.status, JSON.parse(token.text)]).toMatchObject([503, { error: 'temporarily_unavailable' }]);
  });
});

describe('a form', () => {
  it.each([
    ['malformed', form('a=%zz')],
    ['malformed with files', form('--x\r\nbroken', 'multipart/form-data; boundary=x')],
    ['with files, without boundary', form('x', 'multipart/form-data')],
  ])('%s is invalid', async (_case, init) => {
    for (const path of ['/a/b', '/users/sign_in'])
      expect(await refused(path, init)).toEqual([400, 'Invalid request', null]);
    expect((await load('/a/b', init)).text).toContain('Nothing was saved. Go back in your browser');
  });

  it('is refused while the server has many others, and if it comes too slowly', async () => {
    const head = ['POST /a/b HTTP/1.1', 'host: a', `accept: ${accept}`, `content-type: ${formType}`];
    const begin = () => rawClient(gateway, [...head, 'content-length: 2500000']);
    const both = await Promise.all([begin(), begin()]);
    // The body of the one that is admitted never comes.
    expect((await Promise.all(both.map(({ ended }) => ended))).sort()).toEqual([
      expect.stringMatching(/^HTTP\/1\.1 408 .*no-store.*<h1>The form came too slowly<.*Nothing was saved/is),
      expect.stringMatching(/^HTTP\/1\.1 429 .*retry-after: 60\r\n.*<h1>Too many requests<.*in 60 seconds\./is),
    ]);
  });
});

it('a token that is not valid is refused', async () => {
  expect(await refused('/a/b?private_token=x')).toEqual([401, 'Unknown token', null]);
  expect(await refused('/a/b', form('a=b', formType, { authorization: 'Bearer x' }))).toEqual([
    401,
    'Unknown token',
    null,
  ]);
  const userinfo = await load('/oauth/userinfo', { headers: { accept, authorization: 'Bearer x' } });
  expect([userinfo.status, userinfo.headers.get('content-type')]).toEqual([401, 'application/json']);
});

describe('refusals of a service', () => {
  const limited = commonErrors.tooManyRequests({ error: 'Too often' });
  limited.value.retryAfterSeconds = 1;

  const cases: [OperationError, unknown[]][] = [
    [commonErrors.internal(), [500, 'Server error', null]],
    [commonErrors.unavailable(), [503, 'Not available', '5']],
    [commonErrors.timeout(), [504, 'No answer', null]],
    [commonErrors.diskFull(), [507, 'The disk is full', null]],
    [limited, [429, 'Too many requests', '1']],
    [commonErrors.forbidden(), [403, 'Not allowed', null]],
    [commonErrors.conflict(), [409, 'Invalid request', null]],
  ];
  it.each(cases.map(([error, expected]) => ({ code: error.code, error, expected })))(
    '$code is a page',
    async ({ error, expected }) => {
      for (const operation of [showPage, showSignIn, takeForm, signIn])
        gateway.stubs.respond(operation, () => error as never);
      for (const path of ['/a/b', '/users/sign_in'])
        for (const init of [undefined, form('a=b')]) expect(await refused(path, init)).toEqual(expected);
    },
  );

  it('are shown with their reason, as text', async () => {
    gateway.stubs.respond(takeForm, () => forbidden('<b>Only</b> on Monday') as never);
    const { text } = await load('/a/b', form('a=b'));
    expect(text).toContain('<bdi>&lt;b>Only&lt;/b> on Monday</bdi>');
  });
});
