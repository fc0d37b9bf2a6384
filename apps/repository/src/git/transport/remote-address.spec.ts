import { explainRemote, parseRemote, withoutCredentials } from './remote-address';

describe('an address of another server', () => {
  it.each(['https://git.example.com/a.git', 'http://ada:secret@[::1]:8080/a', 'ssh://git@example.com/a', 'git://e/a'])(
    '%s is one',
    (text) => {
      expect(parseRemote(text).href).toBe(new URL(text).href);
    },
  );

  it.each([
    'file:///etc',
    '/etc',
    'ext::sh -c id',
    'git@example.com:a.git',
    'ssh://-oProxyCommand=id/a',
    'ssh://%2DoProxyCommand%3Did@example.com/a',
    "ssh://exam'ple.com/a",
    'ssh://-l@example.com/a',
    'ssh://a$b@example.com/a',
    'http://',
  ])('%s is refused', (text) => {
    expect(() => parseRemote(text)).toThrow(expect.objectContaining({ reason: 'url_refused' }));
  });
});

describe('name and password', () => {
  const { url, config } = withoutCredentials(new URL('https://ada:p%40ss@example.com/a.git'));

  it('are sent in a header, not in the address', () => {
    expect(url).toBe('https://example.com/a.git');
    expect(config['http.extraHeader']).toBe(`Authorization: Basic ${Buffer.from('ada:p@ss').toString('base64')}`);
  });

  it('follow no redirect', () => {
    const route = { config: { 'http.proxy': 'http://127.0.0.1:1' }, env: {} };
    const followed = (text: string) => withoutCredentials(new URL(text), route).config['http.followRedirects'];
    expect([followed('https://example.com/a'), followed('https://ada:x@example.com/a')]).toEqual(['initial', 'false']);
  });
});

describe('ssh', () => {
  const commandFor = (isKnown: boolean) =>
    withoutCredentials(new URL('ssh://git@example.com/a'), undefined, { key: '/k', knownHosts: '/h', isKnown }).config[
      'core.sshCommand'
    ];

  it('stores the key of a server at the first contact only', () => {
    expect(commandFor(false)).toContain('-oStrictHostKeyChecking=accept-new');
    expect(commandFor(true)).toContain('-oStrictHostKeyChecking=yes');
  });

  it('uses its own key and files, and none of the machine', () => {
    expect(commandFor(true)).toMatch(/^ssh -F \/dev\/null .*-i '\/k' .*-oUserKnownHostsFile='\/h'$/);
  });
});

it.each([
  ['fatal: unable to access: Received HTTP code 403 from proxy after CONNECT', /local network/],
  ['Host key verification failed.\nfatal: Could not read', /another host key/],
  ['Cloning…\nfatal: repository not found\nmore', /^repository not found$/],
  ['', /could not be reached/],
])('explains %j', (detail, words) => {
  expect(explainRemote(detail)).toMatch(words);
});
