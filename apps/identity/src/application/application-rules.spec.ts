import { readRegistration, registrationProblems } from './application-rules';

const problemsOf = (redirectUris: string, scopes = 'api') =>
  registrationProblems(readRegistration('CI', redirectUris, scopes));

describe('registrationProblems', () => {
  it.each([
    'https://ci.example.com/callback',
    'http://localhost:3000/cb?x=1',
    'com.example.app:/oauth',
    'urn:ietf:wg:oauth:2.0:oob',
    'https://a.example/x\nhttps://b.example/y\r\n',
  ])('accepts %j', (uris) => expect(problemsOf(uris)).toEqual({}));

  it.each([
    ['/callback', 'must be an absolute URI.'],
    ['ci.example.com', 'must be an absolute URI.'],
    ['https://ci.example.com/#x', 'cannot contain a fragment.'],
    ['https://ci.example.com/#', 'cannot contain a fragment.'],
    ['javascript:alert(1)', 'is forbidden by the server.'],
    ['DATA:text/html,x', 'is forbidden by the server.'],
    ['https://a.example\n/b', 'must be an absolute URI.'],
    ['  ', "can't be blank"],
  ])('refuses %j', (uris, problem) => expect(problemsOf(uris)).toEqual({ redirect_uri: [problem] }));

  it('accepts a hundred addresses', () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => `https://a.example/${at}`).join('\n');
    expect(problemsOf(many(100))).toEqual({});
    expect(problemsOf(many(101))).toEqual({ redirect_uri: ['are too many (maximum is 100)'] });
  });

  it('accepts names of up to 255 characters', () => {
    const named = (length: number) =>
      registrationProblems(readRegistration('n'.repeat(length), 'https://a.example', 'api'));
    expect(named(255)).toEqual({});
    expect(named(256)).toEqual({ name: ['is too long (maximum is 255 characters)'] });
  });

  it('refuses scopes that do not exist, and none', () => {
    for (const scopes of ['', 'api everything']) {
      expect(problemsOf('https://a.example', scopes)).toHaveProperty('scopes');
    }
    expect(problemsOf('https://a.example', 'openid  profile email')).toEqual({});
  });

  it('splits at white space, without duplicates', () => {
    expect(readRegistration('CI', ' https://a.example \n https://b.example ', ' api  openid api ')).toEqual({
      name: 'CI',
      redirectUris: ['https://a.example', 'https://b.example'],
      scopes: ['api', 'openid'],
    });
  });

  it('needs a name, and reports each kind of problem once', () => {
    for (const name of ['', '  ']) {
      expect(registrationProblems(readRegistration(name, 'https://a.example', 'api'))).toEqual({
        name: ["can't be blank"],
      });
    }
    expect(problemsOf('/a\n/b\nvbscript:x')).toEqual({
      redirect_uri: ['must be an absolute URI.', 'is forbidden by the server.'],
    });
  });
});
