import {
  addGroupMember,
  addOwnEmail,
  addOwnGpgKey,
  addOwnKey,
  addUserEmail,
  addUserGpgKey,
  addUserKey,
  authenticateBasic,
  authenticateNode,
  banUser,
  changeOwnStatus,
  changePassword,
  checkSecondFactor,
  confirmEmail,
  createGroupServiceAccount,
  createGroupToken,
  createOwnToken,
  createServiceAccount,
  createServiceAccountToken,
  createUser,
  createUserToken,
  decideAuthorization,
  deleteApplication,
  deleteGroupServiceAccount,
  deleteOwnGpgKey,
  deleteUser,
  deleteUserEmail,
  deleteUserGpgKey,
  deleteUserKey,
  disableTwoFactor,
  disableUserTwoFactor,
  enableTwoFactor,
  followUser,
  getOwnStatus,
  getUser,
  issueToken,
  listFollowing,
  listGroupServiceAccounts,
  listGroupTokens,
  listOwnEmails,
  listOwnGpgKeys,
  listOwnKeys,
  listServiceAccountTokens,
  listTokens,
  listUserEmails,
  listUserGpgKeys,
  listUserKeys,
  listUsers,
  nodesWithApplication,
  type Operation,
  type OutputOf,
  registerApplication,
  removeApplication,
  removeNodeApplication,
  renewNodeApplication,
  requestPasswordReset,
  resetPassword,
  revokeAuthorization,
  revokeGroupToken,
  revokeOauthToken,
  revokeOwnToken,
  revokeServiceAccountToken,
  rotateGroupToken,
  rotateServiceAccountToken,
  rotateToken,
  setOwnStatus,
  showApplications,
  showForgottenPassword,
  showPassword,
  showPasswordReset,
  showSecondFactor,
  showSignIn,
  showTwoFactor,
  signIn,
  signOut,
  unbanUser,
  unfollowUser,
  updateGroupServiceAccount,
  updateServiceAccount,
  updateUser,
  userCreated,
  userDeleted,
} from '@moothall/contracts';
import {
  eventually,
  groupNamed,
  itUnderFaults,
  meetFaults,
  shareBetweenTests,
  throughFaults,
  uniqueId,
} from '@moothall/testing';
import { Secret, TOTP } from 'otpauth';
import { MailTokens } from '../src/mail/mail-token.repository';
import { hiddenFields, TestBrowser } from './browser';
import { consent, oauthOf, redirect_uri } from './oauth-steps';
import { newEd25519, newGpgKey } from './public-keys';
import { asAdministrator, callerFor, failure, makeToken, makeUser, startIdentity } from './service-under-test';

meetFaults();

const identity = shareBetweenTests(() => startIdentity());

// A failure of the database, NATS or Redis must not be answered as success, or leave a part.
it('users exist once if acknowledged, and not at all if refused', async () => {
  const { client } = identity;
  const made = await throughFaults(client, createUser, () => makeUser(identity, { skip_confirmation: false }));
  const listed = async () => {
    const { items } = await client.call(listUsers, { per_page: 100 }, asAdministrator);
    return items.map(({ username }) => username).filter((username) => username.startsWith('user-'));
  };
  const names = (users: { username: string }[]) => users.map(({ username }) => username).sort();
  expect((await listed()).sort()).toEqual(names(made));
  const isPublished = (id: number) => identity.events(userCreated).some(({ data }) => data.user_id === id);
  await eventually(() => made.every(({ id }) => isPublished(id)), 'the events');

  const [user, ...others] = made as [OutputOf<typeof createUser>, ...typeof made];
  const bios = await throughFaults(client, updateUser, async (turn) => {
    const { bio } = await client.call(updateUser, { id: user.id, bio: `bio ${turn}` }, asAdministrator);
    return bio;
  });
  const again = await client.call(updateUser, { id: user.id, name: 'Ada' }, asAdministrator);
  expect(again).toMatchObject({ bio: bios.at(-1), name: 'Ada' });

  const gone = await throughFaults(client, deleteUser, async () => {
    const victim = others.pop() ?? (await makeUser(identity));
    await client.call(deleteUser, { id: victim.id, hard_delete: true }, asAdministrator);
    return victim;
  });
  await eventually(async () => (await listed()).every((name) => !names(gone).includes(name)), 'the end of users');
  const ended = (id: number) => identity.events(userDeleted).some(({ data }) => data.user_id === id);
  await eventually(() => gone.every(({ id }) => ended(id)), 'the events');
  expect((await listed()).sort()).toEqual(names([{ ...user }, ...others]));
}, 120_000);

it('tokens and keys exist if acknowledged', async () => {
  const { client } = identity;
  const user = await makeUser(identity);
  const tokens = await throughFaults(client, createUserToken, () => makeToken(identity, user));
  expect(new Set(tokens.map(({ id }) => id)).size).toBe(tokens.length);
  const caller = callerFor(user);
  const key = newEd25519();
  await client.call(addOwnKey, { title: 'k', key }, { caller });
  expect((await client.call(listOwnKeys, {}, { caller })).items).toHaveLength(1);
});

const oauth = oauthOf(identity);
const { signedIn, authorized, holderOf } = oauth;
const password = 'correct horse';
const fresh = { password: 'fresh horse', password_confirmation: 'fresh horse' };
const revoked = failure({ code: 'authentication.revoked' });
const mailTokens = () => identity.running.app.get(MailTokens, { strict: false });

/** The applications page in a browser: 200 if signed in, otherwise a redirect to the sign-in. */
const seenBy = async (browser: TestBrowser) => (await browser.ask(showApplications, {})).status;
const tokensOf = async (user: { id: number }) =>
  (await identity.client.call(listTokens, { user_id: user.id }, asAdministrator)).items;

async function withTwoFactor() {
  const { user, browser } = await signedIn();
  const fields = hiddenFields((await browser.ask(showTwoFactor, {})).body);
  const app = new TOTP({ secret: Secret.fromBase32(fields.secret!) });
  const { status, body } = await browser.ask(enableTwoFactor, { ...fields, code: app.generate() });
  return { user, browser, status, recovery: body.match(/[0-9a-f]{16}(?=<\/code>)/g) ?? [] };
}

/** A group of an owner, whose members the stub of projects accepts. */
async function owned() {
  const group = groupNamed(`group-${uniqueId()}`, { accessLevel: 50 });
  const context = { group, caller: callerFor(await makeUser(identity)) };
  const ref = { id: String(group.id) };
  identity.respond(addGroupMember, () => ({ status: 'success' }));
  const list = async () => (await identity.client.call(listGroupServiceAccounts, ref, context)).items;
  const tokens = async () => (await identity.client.call(listGroupTokens, ref, context)).items;
  return { context, ref, list, tokens };
}

const robot = { name: 'robot', scopes: ['api' as const] };

async function withAccount() {
  const group = await owned();
  const { id: user_id } = await identity.client.call(createGroupServiceAccount, group.ref, group.context);
  const account = { ...group.ref, user_id };
  const tokens = async () => (await identity.client.call(listServiceAccountTokens, account, group.context)).items;
  return { ...group, account, tokens };
}

async function withAccountToken() {
  const made = await withAccount();
  const { account, context } = made;
  const { id: token_id } = await identity.client.call(createServiceAccountToken, { ...account, ...robot }, context);
  return { ...made, token: { ...account, token_id } };
}

/** An operation, and a call of it with assertions that must hold from then on. */
const rows: [Operation, () => Promise<void>][] = [
  [
    disableUserTwoFactor,
    async () => {
      const { id } = (await withTwoFactor()).user;
      await identity.client.call(disableUserTwoFactor, { id }, asAdministrator);
      expect(await identity.client.call(getUser, { id }, asAdministrator)).toMatchObject({ two_factor_enabled: false });
    },
  ],
  [
    createGroupToken,
    async () => {
      const { context, ref, tokens } = await owned();
      const { id } = await identity.client.call(createGroupToken, { ...ref, ...robot }, context);
      expect(await tokens()).toMatchObject([{ id }]);
    },
  ],
  [
    rotateGroupToken,
    async () => {
      const { context, ref, tokens } = await owned();
      const { id: token_id } = await identity.client.call(createGroupToken, { ...ref, ...robot }, context);
      const { id } = await identity.client.call(rotateGroupToken, { ...ref, token_id }, context);
      expect(await tokens()).toMatchObject([{ id }]);
    },
  ],
  [
    revokeGroupToken,
    async () => {
      const { context, ref, tokens } = await owned();
      const { id: token_id } = await identity.client.call(createGroupToken, { ...ref, ...robot }, context);
      await identity.client.call(revokeGroupToken, { ...ref, token_id }, context);
      expect(await tokens()).toEqual([]);
    },
  ],
  [
    createServiceAccount,
    async () => {
      const { id } = await identity.client.call(createServiceAccount, { name: 'robot' }, asAdministrator);
      expect(await identity.client.call(getUser, { id }, asAdministrator)).toMatchObject({ name: 'robot' });
    },
  ],
  [
    updateServiceAccount,
    async () => {
      const { id: user_id } = await identity.client.call(createServiceAccount, {}, asAdministrator);
      await identity.client.call(updateServiceAccount, { user_id, name: 'second' }, asAdministrator);
      expect(await identity.client.call(getUser, { id: user_id }, asAdministrator)).toMatchObject({ name: 'second' });
    },
  ],
  [
    createGroupServiceAccount,
    async () => {
      const { context, ref, list } = await owned();
      const { id } = await identity.client.call(createGroupServiceAccount, ref, context);
      expect(await list()).toMatchObject([{ id }]);
    },
  ],
  [
    updateGroupServiceAccount,
    async () => {
      const { context, account, list } = await withAccount();
      await identity.client.call(updateGroupServiceAccount, { ...account, name: 'second' }, context);
      expect(await list()).toMatchObject([{ name: 'second' }]);
    },
  ],
  [
    deleteGroupServiceAccount,
    async () => {
      const { context, account, list } = await withAccount();
      await identity.client.call(deleteGroupServiceAccount, account, context);
      expect(await list()).toEqual([]);
    },
  ],
  [
    createServiceAccountToken,
    async () => {
      const { token, tokens } = await withAccountToken();
      expect(await tokens()).toMatchObject([{ id: token.token_id, revoked: false }]);
    },
  ],
  [
    rotateServiceAccountToken,
    async () => {
      const { context, token, tokens } = await withAccountToken();
      const { id } = await identity.client.call(rotateServiceAccountToken, token, context);
      expect(await tokens()).toMatchObject([{ revoked: true }, { id, revoked: false }]);
    },
  ],
  [
    revokeServiceAccountToken,
    async () => {
      const { context, token, tokens } = await withAccountToken();
      await identity.client.call(revokeServiceAccountToken, token, context);
      expect(await tokens()).toMatchObject([{ revoked: true }]);
    },
  ],
  ...([setOwnStatus, changeOwnStatus] as const).map((operation): [Operation, () => Promise<void>] => [
    operation,
    async () => {
      const caller = callerFor(await makeUser(identity));
      await identity.client.call(operation, { message: 'Hi' }, { caller });
      expect(await identity.client.call(getOwnStatus, {}, { caller })).toMatchObject({ message: 'Hi' });
    },
  ]),
  [
    followUser,
    async () => {
      const [user, { id }] = [await makeUser(identity), await makeUser(identity)];
      const caller = callerFor(user);
      await identity.client.call(followUser, { id }, { caller });
      expect((await identity.client.call(listFollowing, { id: user.id }, { caller })).items).toMatchObject([{ id }]);
    },
  ],
  [
    unfollowUser,
    async () => {
      const [user, { id }] = [await makeUser(identity), await makeUser(identity)];
      const caller = callerFor(user);
      await identity.client.call(followUser, { id }, { caller });
      await identity.client.call(unfollowUser, { id }, { caller });
      expect((await identity.client.call(listFollowing, { id: user.id }, { caller })).items).toEqual([]);
    },
  ],
  [
    banUser,
    async () => {
      const { id } = await makeUser(identity);
      await identity.client.call(banUser, { id }, asAdministrator);
      expect(await identity.client.call(getUser, { id }, asAdministrator)).toMatchObject({ state: 'banned' });
    },
  ],
  [
    unbanUser,
    async () => {
      const { id } = await makeUser(identity);
      await identity.client.call(banUser, { id }, asAdministrator);
      await identity.client.call(unbanUser, { id }, asAdministrator);
      expect(await identity.client.call(getUser, { id }, asAdministrator)).toMatchObject({ state: 'active' });
    },
  ],
  [
    addOwnGpgKey,
    async () => {
      const caller = callerFor(await makeUser(identity));
      const { id } = await identity.client.call(addOwnGpgKey, { key: newGpgKey() }, { caller });
      expect((await identity.client.call(listOwnGpgKeys, {}, { caller })).items).toMatchObject([{ id }]);
    },
  ],
  [
    deleteOwnGpgKey,
    async () => {
      const caller = callerFor(await makeUser(identity));
      const { id: key_id } = await identity.client.call(addOwnGpgKey, { key: newGpgKey() }, { caller });
      await identity.client.call(deleteOwnGpgKey, { key_id }, { caller });
      expect((await identity.client.call(listOwnGpgKeys, {}, { caller })).items).toEqual([]);
    },
  ],
  ...([addUserGpgKey, deleteUserGpgKey] as const).map((operation): [Operation, () => Promise<void>] => [
    operation,
    async () => {
      const { id: user_id } = await makeUser(identity);
      const { id } = await identity.client.call(addUserGpgKey, { user_id, key: newGpgKey() }, asAdministrator);
      if (operation === deleteUserGpgKey)
        await identity.client.call(deleteUserGpgKey, { user_id, key_id: id }, asAdministrator);
      const { items } = await identity.client.call(listUserGpgKeys, { user: String(user_id) }, asAdministrator);
      expect(items.map((key) => key.id)).toEqual(operation === addUserGpgKey ? [id] : []);
    },
  ]),
  [
    renewNodeApplication,
    async () => {
      const node_id = uniqueId();
      await identity.client.call(renewNodeApplication, { node_id, name: 'first', url: 'https://a.example' });
      const given = { node_id, name: 'second', url: 'https://b.example' };
      const renewed = await identity.client.call(renewNodeApplication, given);
      expect(await identity.client.call(authenticateNode, renewed)).toEqual({ node_id });
    },
  ],
  [
    removeNodeApplication,
    async () => {
      const node_id = uniqueId();
      await identity.client.call(renewNodeApplication, { node_id, name: 'first', url: 'https://a.example' });
      await identity.client.call(removeNodeApplication, { node_id });
      expect(await identity.client.call(nodesWithApplication, { node_ids: [node_id] })).toEqual([]);
    },
  ],
  [
    deleteUserEmail,
    async () => {
      const { id, email } = await makeUser(identity);
      const given = { id, email: `second-${email}`, skip_confirmation: true };
      const { id: email_id } = await identity.client.call(addUserEmail, given, asAdministrator);
      await identity.client.call(deleteUserEmail, { id, email_id }, asAdministrator);
      expect((await identity.client.call(listUserEmails, { id }, asAdministrator)).items).toEqual([]);
    },
  ],
  [
    deleteUserKey,
    async () => {
      const { id: user_id } = await makeUser(identity);
      const given = { user_id, title: 'k', key: newEd25519() };
      const { id: key_id } = await identity.client.call(addUserKey, given, asAdministrator);
      await identity.client.call(deleteUserKey, { user_id, key_id }, asAdministrator);
      expect((await identity.client.call(listUserKeys, { user: String(user_id) }, asAdministrator)).items).toEqual([]);
    },
  ],
  [
    createOwnToken,
    async () => {
      const user = await makeUser(identity);
      const given = { name: 'mine', scopes: ['api' as const] };
      const { id } = await identity.client.call(createOwnToken, given, { caller: callerFor(user) });
      expect(await tokensOf(user)).toMatchObject([{ id }]);
    },
  ],
  [
    revokeOwnToken,
    async () => {
      const user = await makeUser(identity);
      const { id: tokenId } = await makeToken(identity, user);
      await identity.client.call(revokeOwnToken, {}, { caller: callerFor(user, { tokenId }) });
      expect(await tokensOf(user)).toMatchObject([{ id: tokenId, revoked: true }]);
    },
  ],
  [
    rotateToken,
    async () => {
      const user = await makeUser(identity);
      const { id } = await makeToken(identity, user);
      const rotated = await identity.client.call(rotateToken, { id }, { caller: callerFor(user) });
      expect(await tokensOf(user)).toMatchObject([
        { id, revoked: true },
        { id: rotated.id, revoked: false },
      ]);
    },
  ],
  [
    signIn,
    async () => {
      const { user, browser } = await signedIn();
      expect(await seenBy(browser)).toBe(200);
      const seen = await identity.client.call(getUser, { id: user.id }, asAdministrator);
      expect(seen).toMatchObject({ sign_in_count: 1 });
    },
  ],
  [
    signOut,
    async () => {
      const { browser } = await signedIn();
      const { cookie } = browser;
      await browser.submit(showApplications, {}, signOut, {});
      browser.cookie = cookie;
      expect(await seenBy(browser)).toBe(303);
    },
  ],
  [
    changePassword,
    async () => {
      const { user, browser } = await signedIn();
      const other = new TestBrowser(identity);
      await other.submit(showSignIn, {}, signIn, { login: user.username, password });
      const answer = await browser.submit(showPassword, {}, changePassword, { current_password: password, ...fresh });
      expect([answer.status, await seenBy(browser), await seenBy(other)]).toEqual([200, 200, 303]);
      await identity.client.call(authenticateBasic, { username: user.username, password: fresh.password });
    },
  ],
  [
    requestPasswordReset,
    async () => {
      const { email } = await makeUser(identity);
      const issued = jest.spyOn(mailTokens(), 'issue');
      await new TestBrowser(identity).submit(showForgottenPassword, {}, requestPasswordReset, { email });
      await eventually(() => issued.mock.calls.some(([, , to]) => to === email), 'the mail');
    },
  ],
  [
    resetPassword,
    async () => {
      const { user, browser } = await signedIn();
      const reset_password_token = await mailTokens().issue('reset_password', user.id, user.email);
      const visitor = new TestBrowser(identity);
      const { status } = await visitor.submit(showPasswordReset, { reset_password_token }, resetPassword, fresh);
      expect([status, await seenBy(browser)]).toEqual([200, 303]);
      expect((await visitor.ask(showPasswordReset, { reset_password_token })).status).toBe(404);
      await identity.client.call(authenticateBasic, { username: user.username, password: fresh.password });
    },
  ],
  [
    confirmEmail,
    async () => {
      const user = await makeUser(identity);
      const [email, caller] = [`second-${user.email}`, callerFor(user)];
      await identity.client.call(addOwnEmail, { email }, { caller });
      const confirmation_token = await mailTokens().issue('confirm_email', user.id, email);
      expect((await new TestBrowser(identity).ask(confirmEmail, { confirmation_token })).status).toBe(200);
      const { items } = await identity.client.call(listOwnEmails, {}, { caller });
      expect(items).toMatchObject([{ email, confirmed_at: expect.any(String) }]);
    },
  ],
  [
    enableTwoFactor,
    async () => {
      const { user, browser, status, recovery } = await withTwoFactor();
      expect([status, recovery.length, await seenBy(browser)]).toEqual([200, 10, 200]);
      const basic = identity.client.call(authenticateBasic, { username: user.username, password });
      await expect(basic).rejects.toEqual(failure({ code: 'common.unauthorized' }));
    },
  ],
  [
    disableTwoFactor,
    async () => {
      const { user, browser } = await withTwoFactor();
      const fields = { current_password: password };
      expect((await browser.submit(showTwoFactor, {}, disableTwoFactor, fields)).status).toBe(200);
      await identity.client.call(authenticateBasic, { username: user.username, password });
    },
  ],
  [
    registerApplication,
    async () => {
      const { browser } = await signedIn();
      const given = { name: 'My tool', redirect_uri, scopes: ['read_user'], confidential: '1' };
      expect((await browser.submit(showApplications, {}, registerApplication, given)).status).toBe(200);
      expect((await browser.ask(showApplications, {})).body.match(/Application ID:/g)).toHaveLength(1);
    },
  ],
  [
    removeApplication,
    async () => {
      const { browser } = await signedIn();
      const given = { name: 'My tool', redirect_uri, scopes: ['api'], confidential: '1' };
      const { body } = await browser.submit(showApplications, {}, registerApplication, given);
      const [, client_id] = /id="application_id">([0-9a-f]{64})</.exec(body)!;
      const [, client_secret] = /id="application_secret">([0-9a-f]{64})</.exec(body)!;
      const [, application] = /name="application" value="(\d+)"/.exec(body)!;
      const { code } = await consent(browser, { client_id, response_type: 'code' });
      const grant = { grant_type: 'authorization_code', code, redirect_uri, client_id, client_secret };
      const tokens = (await oauth.ask(issueToken, grant)).body;
      expect(await holderOf(tokens.access_token)).toBeDefined();
      await browser.submit(showApplications, {}, removeApplication, { application });
      expect((await browser.ask(showApplications, {})).body).not.toContain('My tool');
      await expect(holderOf(tokens.access_token)).rejects.toEqual(revoked);
    },
  ],
  [
    deleteApplication,
    async () => {
      const { id, tokens } = await authorized();
      await identity.client.call(deleteApplication, { id }, asAdministrator);
      await expect(holderOf(tokens.access_token)).rejects.toEqual(revoked);
    },
  ],
  [
    decideAuthorization,
    async () => {
      const [{ browser }, { client_id }] = [await signedIn(), await oauth.register()];
      expect(await consent(browser, { client_id, response_type: 'code' })).toEqual({ code: expect.any(String) });
    },
  ],
  [
    issueToken,
    async () => {
      const { application, tokens } = await authorized();
      const grant = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token, ...application };
      const { status, body } = await oauth.ask(issueToken, grant);
      expect([status, (await holderOf(body.access_token)).caller.scopes]).toEqual([200, ['api']]);
      await expect(holderOf(tokens.access_token)).rejects.toEqual(revoked);
      expect(await oauth.ask(issueToken, grant)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    },
  ],
  [
    revokeOauthToken,
    async () => {
      const { application, tokens } = await authorized();
      const token = tokens.access_token;
      expect(await oauth.ask(revokeOauthToken, { token, ...application })).toMatchObject({ status: 200 });
      await expect(holderOf(token)).rejects.toEqual(revoked);
    },
  ],
  [
    revokeAuthorization,
    async () => {
      const { id, tokens, browser } = await authorized();
      await browser.submit(showApplications, {}, revokeAuthorization, { application: String(id) });
      await expect(holderOf(tokens.access_token)).rejects.toEqual(revoked);
    },
  ],
];

itUnderFaults.each(rows.map(([operation, act]) => [operation.name, operation, act] as const))(
  '%s takes effect once if acknowledged',
  async (_name, operation, act) => {
    await throughFaults(identity.client, operation, act);
  },
  240_000,
);

// The first write uses up the code, even if a later one fails: so only the first one fails here.
itUnderFaults(
  'codes of the second factor are accepted once',
  async () => {
    const { user, recovery } = await withTwoFactor();
    const browser = new TestBrowser(identity);
    await browser.submit(showSignIn, {}, signIn, { login: user.username, password });
    const { status } = await browser.submit(showSecondFactor, {}, checkSecondFactor, { code: recovery[0] });
    expect([status, await seenBy(browser)]).toEqual([303, 200]);
  },
  60_000,
);
