import { ask, clientFor, newUser, root, uniqueName } from '../server/connection';
import { until } from '../server/until';

/* Bots of groups, and service accounts. */

async function withGroup() {
  const user = await newUser('owner');
  const group = await user.client.Groups.create(uniqueName('Group'), uniqueName('group'), { visibility: 'private' });
  return { user, group };
}

const tokenOf = (made: unknown) => String((made as { token: string }).token);
const dayAfter = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

it('a token of a group acts in it with its level, and is deleted with its bot', async () => {
  const { user, group } = await withGroup();
  const { GroupAccessTokens } = user.client;
  const made = await GroupAccessTokens.create(group.id, 'robot', ['api'], dayAfter(30), { accessLevel: 30 });
  const robot = clientFor(tokenOf(made));
  expect(await robot.Groups.show(group.id)).toMatchObject({ id: group.id });
  expect(await robot.Users.showCurrentUser()).toMatchObject({ id: made.user_id, bot: true });
  await expect(robot.GroupAccessTokens.all(group.id)).rejects.toThrow(/403/);
  expect(await user.client.GroupMembers.show(group.id, made.user_id)).toMatchObject({ access_level: 30 });
  const rotated = await GroupAccessTokens.rotate(group.id, made.id);
  await until('the end of the first', async () =>
    robot.Users.showCurrentUser().then(
      () => false,
      () => true,
    ),
  );
  expect(await GroupAccessTokens.all(group.id)).toMatchObject([{ id: rotated.id, access_level: 30 }]);
  expect(await GroupAccessTokens.show(group.id, rotated.id)).toMatchObject({ resource_type: 'group' });
  // With its own token, without permission to list tokens.
  const own = clientFor(tokenOf(rotated));
  const self = await own.GroupAccessTokens.rotate(group.id, 'self' as unknown as number);
  await GroupAccessTokens.revoke(group.id, self.id);
  expect(await GroupAccessTokens.all(group.id)).toEqual([]);
  await until('the end of the bot', async () => {
    const members = await user.client.GroupMembers.all(group.id);
    return members.every(({ id }) => id !== made.user_id);
  });
});

it('service accounts of the instance act by tokens that administrators make', async () => {
  const username = uniqueName('robot');
  const made = await root.ServiceAccounts.create({ name: 'Robot', username });
  expect(made).toMatchObject({ username, name: 'Robot' });
  const token = await root.PersonalAccessTokens.create(made.id, 'programs', ['api']);
  const robot = clientFor(tokenOf(token));
  expect(await robot.Users.showCurrentUser()).toMatchObject({ id: made.id, username, bot: true });
  await expect((await newUser()).client.ServiceAccounts.create()).rejects.toThrow(/403/);
});

it('service accounts of a group are members where they are added', async () => {
  const { user, group } = await withGroup();
  const made = await user.client.GroupServiceAccounts.create(group.id, { name: 'Robot' });
  const path = `/api/v4/groups/${group.id}/service_accounts/${made.id}/personal_access_tokens`;
  const asOwner = async <T>(method: string, to: string, body?: object): Promise<T> => {
    const headers = { 'content-type': 'application/json' };
    const response = await ask(to, { token: user.token, method, headers, ...(body && { body: JSON.stringify(body) }) });
    return (await response.json()) as T;
  };
  const token = await asOwner<{ id: number; token: string }>('POST', path, { name: 'programs', scopes: ['api'] });
  const robot = clientFor(String(token.token));
  await expect(robot.Groups.show(group.id)).rejects.toThrow(/404/);
  await user.client.GroupMembers.add(group.id, 30, { userId: made.id });
  await until('the membership', async () =>
    robot.Groups.show(group.id).then(
      () => true,
      () => false,
    ),
  );
  const rotated = await user.client.GroupServiceAccounts.rotatePersonalAccessToken(group.id, Number(made.id), token.id);
  expect(rotated).toMatchObject({ user_id: made.id, name: 'programs' });
  expect(await asOwner('GET', `${path}?state=active`)).toMatchObject([{ id: rotated.id }]);
});
