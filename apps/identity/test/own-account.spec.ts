import {
  addOwnEmail,
  createOwnToken,
  endOwnSession,
  getCurrentUser,
  identifyBrowser,
  listOwnSessions,
  sessionErrors,
  showSignIn,
  signIn,
  updateOwnProfile,
} from '@moothall/contracts';
import { callerNamed, shareBetweenTests } from '@moothall/testing';
import { TestBrowser } from './browser';
import { asAdministrator, callerFor, failure, makeUser, startIdentity } from './service-under-test';

/* What users change on the pages of their account. */

const identity = shareBetweenTests(() => startIdentity());

async function newPerson() {
  const user = await makeUser(identity);
  return { user, context: { caller: callerFor(user, { credential: 'session' as const, scopes: [] }) } };
}

const browse = async (login: string) => {
  const browser = new TestBrowser(identity);
  await browser.submit(showSignIn, {}, signIn, { login, password: 'correct horse' });
  const identified = await identity.client.call(
    identifyBrowser,
    {},
    { client: { ip: '', userAgent: '', cookie: browser.cookie } },
  );
  return { browser, session: identified.session };
};

describe('sessions', () => {
  it('are listed with the latest first, and without those that wait for a password', async () => {
    const { user, context } = await newPerson();
    const [first, second] = [await browse(user.username), await browse(user.username)];
    await new TestBrowser(identity).submit(showSignIn, {}, signIn, { login: user.username, password: 'wrong' });
    const { items, total } = await identity.client.call(listOwnSessions, {}, context);
    expect(items.map(({ id }) => id)).toEqual([second.session, first.session]);
    expect(items[0]).toMatchObject({ ip: '192.0.2.1', user_agent: 'test' });
    expect(total).toBe(2);
  });

  it('end for their browser, once, and not for other users', async () => {
    const { user, context } = await newPerson();
    const { browser, session } = await browse(user.username);
    const other = await newPerson();
    const missing = sessionErrors.notFound();
    const id = session!;
    await expect(identity.client.call(endOwnSession, { id }, other.context)).rejects.toEqual(missing);
    await identity.client.call(endOwnSession, { id }, context);
    await expect(identity.client.call(endOwnSession, { id }, context)).rejects.toEqual(missing);
    const again = await identity.client.call(
      identifyBrowser,
      {},
      { client: { ip: '', userAgent: '', cookie: browser.cookie } },
    );
    expect(again).toMatchObject({ caller: null, session: null });
  });
});

describe('the own profile', () => {
  it('changes only what is given, also by two changes at once', async () => {
    const { context } = await newPerson();
    const changes = [{ bio: 'Counts' }, { location: 'London' }, { job_title: 'Analyst' }, { name: 'Ada' }];
    await Promise.all(changes.map((change) => identity.client.call(updateOwnProfile, change, context)));
    const shown = await identity.client.call(getCurrentUser, {}, context);
    expect(shown).toMatchObject(Object.assign({}, ...changes));
  });

  it('shows no address that the user has not confirmed', async () => {
    const { user, context } = await newPerson();
    const { email } = await identity.client.call(addOwnEmail, { email: `second.${user.email}` }, context);
    const other = await newPerson();
    for (const public_email of [email, other.user.email, 'nobody@example.com']) {
      await expect(identity.client.call(updateOwnProfile, { public_email }, context)).rejects.toEqual(
        failure({ message: { public_email: ['is not an email you own'] } }),
      );
    }
    await identity.client.call(updateOwnProfile, { public_email: user.email }, context);
    await identity.client.call(updateOwnProfile, { public_email: '' }, context);
    expect(await identity.client.call(getCurrentUser, {}, context)).toMatchObject({ public_email: null });
  });

  it('gives no rights', async () => {
    const { context } = await newPerson();
    await identity.client.call(updateOwnProfile, { admin: true, note: 'x', projects_limit: 5 } as object, context);
    const shown = await identity.client.call(getCurrentUser, {}, context);
    expect(shown.is_admin).toBeUndefined();
    expect(shown.projects_limit).not.toBe(5);
  });
});

describe('a token that is created in a browser', () => {
  it('has every scope, except acting as another user', async () => {
    const { context } = await newPerson();
    const scopes = ['api', 'write_repository', 'write_registry'] as const;
    const made = await identity.client.call(createOwnToken, { name: 'tool', scopes: [...scopes] }, context);
    expect(made.scopes).toEqual(scopes);
    await expect(identity.client.call(createOwnToken, { name: 'tool', scopes: ['sudo'] }, context)).rejects.toEqual(
      failure({ message: { scopes: ['can only contain available scopes'] } }),
    );
  });

  it('acts as another user if an administrator creates it', async () => {
    const user = await makeUser(identity, { admin: true });
    const caller = callerNamed(user.username, { id: user.id, isAdmin: true, credential: 'session', scopes: [] });
    const made = await identity.client.call(createOwnToken, { name: 'tool', scopes: ['sudo'] }, { caller });
    expect(made.scopes).toEqual(['sudo']);
  });

  it('of an API token has no more scopes than that, also for administrators', async () => {
    const context = { caller: { ...asAdministrator.caller!, scopes: ['api' as const] } };
    await expect(identity.client.call(createOwnToken, { name: 'tool', scopes: ['sudo'] }, context)).rejects.toEqual(
      failure({ message: expect.stringContaining('does not carry sudo') }),
    );
  });
});
