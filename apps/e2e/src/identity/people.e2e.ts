import { newUser, root } from '../server/connection';
import { newGpgKey } from './gpg-key';

/* Profiles of users, by a v4 client. */

it('users have a status', async () => {
  const user = await newUser();
  const set = await user.client.Users.editStatus({ emoji: 'tea', message: 'Away' });
  expect(set).toMatchObject({ emoji: 'tea', message: 'Away', availability: 'not_set' });
  expect(await root.Users.showStatus({ iDOrUsername: user.username })).toEqual(set);
  expect(await user.client.Users.showStatus()).toEqual(set);
});

it('users follow each other', async () => {
  const [user, other] = [await newUser(), await newUser()];
  expect(await user.client.Users.follow(other.id)).toMatchObject({ username: other.username });
  expect(await user.client.Users.allFollowing(user.id)).toMatchObject([{ id: other.id }]);
  expect(await user.client.Users.allFollowers(other.id)).toMatchObject([{ id: user.id }]);
  await user.client.Users.unfollow(other.id);
  expect(await user.client.Users.allFollowers(other.id)).toEqual([]);
});

it('users are banned, and can sign in again after an unban', async () => {
  const user = await newUser();
  await root.Users.ban(user.id);
  await expect(user.client.Users.showCurrentUser()).rejects.toThrow();
  expect(await root.Users.show(user.id)).toMatchObject({ state: 'banned' });
  await root.Users.unban(user.id);
  expect(await user.client.Users.showCurrentUser()).toMatchObject({ state: 'active' });
});

it('administrators remove a second factor, if there is one', async () => {
  const user = await newUser();
  await expect(root.Users.disableTwoFactor(user.id)).rejects.toThrow(/400|not enabled/);
  await expect(user.client.Users.disableTwoFactor(user.id)).rejects.toThrow(/403/);
});

it('users have GPG keys', async () => {
  const user = await newUser();
  const key = newGpgKey();
  const made = await user.client.UserGPGKeys.create(key);
  expect(made).toMatchObject({ key });
  expect(await root.UserGPGKeys.all({ userId: user.id })).toEqual([made]);
  expect(await user.client.UserGPGKeys.show(made.id)).toEqual(made);
  await expect(root.UserGPGKeys.create(key)).rejects.toThrow(/taken/);
  const second = await root.UserGPGKeys.create(newGpgKey(), { userId: user.id });
  await root.UserGPGKeys.remove(second.id, { userId: user.id });
  await user.client.UserGPGKeys.remove(made.id);
  expect(await user.client.UserGPGKeys.all()).toEqual([]);
});

it('users have counts of their records and pending work', async () => {
  const user = await newUser();
  const project = await user.client.Projects.create({ name: `counted-${user.username}`, visibility: 'private' });
  await user.client.Issues.create(project.id, 'Mine', { assigneeId: user.id });
  expect(await user.client.Users.showCount()).toMatchObject({
    assigned_issues: 1,
    review_requested_merge_requests: 0,
  });
  const associations = { groups_count: 0, projects_count: 1, issues_count: 1, merge_requests_count: 0 };
  expect(await root.Users.showAssociationsCount(user.id)).toEqual(associations);
  expect(await user.client.Users.showAssociationsCount(user.id)).toEqual(associations);
  await expect((await newUser()).client.Users.showAssociationsCount(user.id)).rejects.toThrow(/403|Forbidden/);
});

it('the last activity of users and the avatar of an address are available', async () => {
  const user = await newUser();
  await user.client.Users.showCurrentUser();
  const activities = await root.Users.allActivities({ perPage: 100 });
  expect(activities[0]).toMatchObject({ username: expect.any(String), last_activity_on: expect.any(String) });
  await expect(user.client.Users.allActivities()).rejects.toThrow(/403|Forbidden/);
  expect(await root.Avatar.show('nobody@example.com')).toHaveProperty('avatar_url');
});
