import { ask, connection, newUser, root, uniqueName } from '../server/connection';
import { until } from '../server/until';
import { newSshKey } from './ssh-key';

const statusOf = (work: Promise<unknown>): Promise<number> =>
  work.then(
    () => 200,
    (error: { cause?: { response?: { status: number } } }) => error.cause?.response?.status ?? 0,
  );

describe('users, with a v4 client', () => {
  it('are created, found, changed and deleted', async () => {
    const user = await newUser();
    const [found] = await root.Users.all({ search: user.username });
    expect(found).toMatchObject({ id: user.id, email: `${user.username}@example.com` });
    const edited = await root.Users.edit(user.id, { bio: 'Hello', privateProfile: null as never, admin: false });
    expect(edited).toMatchObject({ bio: 'Hello', private_profile: false });
    expect(await user.client.Users.showCurrentUser()).toMatchObject({ id: user.id, bio: 'Hello' });
    expect(
      await statusOf(
        root.Users.create({
          username: user.username,
          name: 'x',
          email: `x${user.username}@example.com`,
          password: 'correct horse',
        }),
      ),
    ).toBe(409);
    await root.Users.remove(user.id);
    expect(await statusOf(root.Users.show(user.id))).toBe(404);
  });

  it('show no private fields to others, and no list to anonymous callers', async () => {
    const [user, other] = [await newUser(), await newUser()];
    const seen = await other.client.Users.show(user.id);
    expect(seen).toMatchObject({ username: user.username });
    expect(seen).not.toHaveProperty('email');
    expect((await ask('/api/v4/users')).status).toBe(403);
    expect(await (await ask(`/api/v4/users?username=${user.username}`)).json()).toMatchObject([{ id: user.id }]);
    expect(await statusOf(other.client.Users.remove(user.id))).toBe(403);
  });

  it('if blocked are refused immediately with every credential, and accepted again when unblocked', async () => {
    const user = await newUser();
    const seen = () => ask('/api/v4/user', { token: user.token }).then(({ status }) => status);
    expect(await seen()).toBe(200);
    await root.Users.block(user.id);
    expect(await seen()).toBe(403);
    await root.Users.unblock(user.id);
    expect(await seen()).toBe(200);
  });

  it('who are the only owner of a group are deleted with it or not at all', async () => {
    const user = await newUser();
    const path = uniqueName('group');
    const group = await user.client.Groups.create(path, path);
    expect(await statusOf(root.Users.remove(user.id))).toBe(409);
    await root.Users.remove(user.id, { hardDelete: true } as never);
    expect(await statusOf(root.Users.show(user.id))).toBe(404);
    await until('the end of the group', async () => (await statusOf(root.Groups.show(group.id))) === 404);
  });

  it('carry custom attributes and further addresses', async () => {
    const user = await newUser();
    await root.UserCustomAttributes.set(user.id, 'team', 'red');
    expect(await root.UserCustomAttributes.all(user.id)).toEqual([{ key: 'team', value: 'red' }]);
    const email = `second-${user.username}@example.com`;
    await user.client.UserEmails.add(email);
    expect(await user.client.UserEmails.all()).toMatchObject([{ email }]);
  });

  it('have tokens that end when revoked', async () => {
    const user = await newUser();
    const made = await root.UserImpersonationTokens.create(user.id, 'debug', ['read_user'], {
      expiresAt: '2099-01-01',
    });
    const seen = () => ask('/api/v4/user', { token: String(made.token) }).then(({ status }) => status);
    expect(await seen()).toBe(200);
    await root.UserImpersonationTokens.revoke(user.id, made.id);
    // Immediately: the next request is refused.
    expect(await seen()).toBe(401);
  });

  it('act under sudo for administrators only', async () => {
    const user = await newUser();
    const sudo = (token: string, name: string) => ask('/api/v4/user', { token, headers: { sudo: name } });
    expect(await (await sudo(connection.token, user.username)).json()).toMatchObject({ id: user.id });
    expect((await sudo(user.token, 'root')).status).toBe(403);
    expect((await sudo(connection.token, 'nobody-at-all')).status).toBe(404);
  });
});

describe('keys, with a v4 client', () => {
  it('of users are added, found and deleted', async () => {
    const user = await newUser();
    const added = await user.client.UserSSHKeys.add('laptop', newSshKey());
    expect(await root.UserSSHKeys.all({ userId: user.id })).toMatchObject([{ id: added.id, title: 'laptop' }]);
    const found = await ask(`/api/v4/keys/${added.id}`, { token: connection.token });
    expect(await found.json()).toMatchObject({ id: added.id, user: { id: user.id } });
    await user.client.UserSSHKeys.remove(added.id);
    expect(await user.client.UserSSHKeys.all()).toEqual([]);
  });

  it('of projects are added, joined elsewhere and removed', async () => {
    const user = await newUser();
    const [one, two] = await Promise.all(
      ['one', 'two'].map((name) => user.client.Projects.create({ name: uniqueName(name) })),
    );
    const key = newSshKey();
    const added = await user.client.DeployKeys.create(one!.id, 'ci', key, { canPush: true });
    expect(added).toMatchObject({ title: 'ci', can_push: true });
    const enabled = await user.client.DeployKeys.enable(two!.id, added.id);
    expect(enabled).toMatchObject({ id: added.id });
    expect(await user.client.DeployKeys.all({ projectId: two!.id })).toMatchObject([{ id: added.id, can_push: false }]);
    const other = await newUser();
    const theirs = await other.client.Projects.create({ name: uniqueName('theirs') });
    expect(await statusOf(other.client.DeployKeys.create(theirs.id, 'mine', key))).toBe(400);
    await user.client.DeployKeys.remove(one!.id, added.id);
    await user.client.DeployKeys.remove(two!.id, added.id);
    expect(await statusOf(other.client.DeployKeys.create(theirs.id, 'mine', key))).toBe(200);
  });

  it('of a single project are tokens of a bot', async () => {
    const user = await newUser();
    const project = await user.client.Projects.create({ name: uniqueName('robots') });
    const made = await user.client.ProjectAccessTokens.create(project.id, 'robot', ['api'], '2099-01-01', {
      accessLevel: 30,
    });
    const seen = () =>
      ask(`/api/v4/projects/${project.id}`, { token: String(made.token) }).then(({ status }) => status);
    expect(await seen()).toBe(200);
    await user.client.ProjectAccessTokens.revoke(project.id, made.id);
    expect(await seen()).toBe(401);
  });
});
