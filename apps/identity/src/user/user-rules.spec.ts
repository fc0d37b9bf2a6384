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

  it.each(['a', '_', '.x', 'a'.repeat(255), 'ann-', 'x.git.y'])('takes the username %j', (username) =>
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
});
