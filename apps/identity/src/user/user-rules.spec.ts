import { userProblems } from './user-rules';

describe('userProblems', () => {
  it('finds nothing wrong with an ordinary user', () => {
    const given = { username: 'ann.b-c_9', email: 'ann@example.com', name: 'Ann', password: 'correct horse' };
    expect(userProblems({ ...given, website_url: 'example.com', bio: 'x'.repeat(255) })).toEqual({});
  });

  it.each(['-ann', 'ann.', 'ann.git', 'ann.ATOM', 'a n', 'ann/b', 'änn', '', 'a'.repeat(256)])(
    'refuses the username %j',
    (username) => expect(userProblems({ username })).toHaveProperty('username'),
  );

  it.each(['a', '_', '.x', 'a'.repeat(255), 'ann-', 'x.git.y'])('accepts the username %j', (username) =>
    expect(userProblems({ username })).toEqual({}),
  );

  it.each(['ann', '@b', 'a@', 'a b@c', 'a@b\n', 'a@b@c', `${'a'.repeat(250)}@b.com`])(
    'refuses the address %j',
    (email) => expect(userProblems({ email })).toEqual({ email: ['is invalid'] }),
  );

  it('names every problem', () => {
    const given = { password: 'short', name: ' ', projects_limit: -1, website_url: 'javascript:alert(1)' };
    expect(userProblems(given)).toEqual({
      name: ["can't be blank"],
      password: ['is too short (minimum is 8 characters)'],
      projects_limit: ['must be greater than or equal to 0'],
      website_url: ['must be a valid URL'],
    });
  });

  it.each(['name', 'bio', 'location', 'organization', 'job_title', 'skype', 'linkedin', 'twitter'])(
    'accepts 255 characters of %s',
    (attribute) => {
      expect(userProblems({ [attribute]: 'x'.repeat(255) })).toEqual({});
      expect(userProblems({ [attribute]: 'x'.repeat(256) })).toEqual({
        [attribute]: ['is too long (maximum is 255 characters)'],
      });
    },
  );

  it.each(['projects_limit', 'shared_runners_minutes_limit'])('accepts %s from 0', (attribute) => {
    expect(userProblems({ [attribute]: 0 })).toEqual({});
    expect(userProblems({ [attribute]: -1 })).toEqual({ [attribute]: ['must be greater than or equal to 0'] });
  });

  it.each([
    ['public_email', '', true],
    ['public_email', 'ann@example.com', true],
    ['public_email', 'ann', false],
    ['website_url', '', true],
    ['website_url', 'https://example.com/~ann', true],
    ['website_url', 'http://example.com', true],
    ['website_url', 'HTTPS://example.com', true],
    ['website_url', 'ftp://example.com', false],
    ['website_url', 'http://', false],
    ['website_url', `example.com/${'x'.repeat(243)}`, true],
    ['website_url', `example.com/${'x'.repeat(244)}`, false],
    ['email', `${'a'.repeat(249)}@b.com`, true],
  ])('%s: accepts %j: %s', (attribute, value, isGood) => {
    expect(Object.keys(userProblems({ [attribute]: value }))).toEqual(isGood ? [] : [attribute]);
  });

  it('explains which characters a username may contain', () => {
    expect(userProblems({ username: '-', name: 'Ann' })).toEqual({
      username: [expect.stringContaining('can contain only letters, digits')],
    });
  });
});
