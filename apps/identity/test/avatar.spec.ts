import { createUser, getAvatar, getCurrentUser, getUser, updateOwnProfile, updateUser } from '@moothall/contracts';
import { type ServiceUnderTest, UploadStore } from '@moothall/testing';
import { asAdministrator, callerFor, failure, makeUser, startIdentity } from './service-under-test';

let identity: ServiceUnderTest;
let uploads: UploadStore;
beforeAll(async () => {
  uploads = await UploadStore.start();
  identity = await startIdentity();
});
afterAll(async () => {
  await identity?.stop();
  await uploads?.stop();
});

const uploaded = (bytes: Buffer) => uploads.add(bytes, 'me.png');

/** The smallest PNG, with any ending. */
const png = (end = '') =>
  Buffer.concat([
    Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    ),
    Buffer.from(end),
  ]);

async function fetchAvatar(avatarUrl: string | null): Promise<Response> {
  const [, userId, filename] = /\/uploads\/-\/system\/user\/avatar\/(\d+)\/(.+)$/.exec(avatarUrl!)!;
  const { url } = await identity.client.call(getAvatar, { user_id: Number(userId), filename: filename! });
  return fetch(url);
}

describe('an avatar', () => {
  it.each([
    ['png', 'image/png', '\x89PNG\r\n\x1a\n'],
    ['jpg', 'image/jpeg', '\xff\xd8\xff\xe0'],
    ['gif', 'image/gif', 'GIF89a'],
    ['webp', 'image/webp', 'RIFF\0\0\0\0WEBP'],
    ['tif', 'image/tiff', 'II*\0'],
  ])('in %s is returned as uploaded', async (ending, contentType, beginning) => {
    const user = await makeUser(identity);
    const bytes = Buffer.from(`${beginning} and more`, 'latin1');
    const changed = await identity.client.call(updateUser, { id: user.id, avatar: uploaded(bytes) }, asAdministrator);
    expect(changed.avatar_url).toMatch(new RegExp(`^http://moothall\\.test/uploads/.*\\.${ending}$`));
    const response = await fetchAvatar(changed.avatar_url);
    expect(response.headers.get('content-type')).toBe(contentType);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes);
  });

  it('can be set with a new user, and changes its address when it changes', async () => {
    const avatar = uploaded(png());
    const given = { username: 'pictured', name: 'P', email: 'p@example.com', force_random_password: true, avatar };
    const user = await identity.client.call(createUser, given, asAdministrator);
    const other = uploaded(png('other'));
    const changed = await identity.client.call(updateUser, { id: user.id, avatar: other }, asAdministrator);
    expect(changed.avatar_url).not.toBe(user.avatar_url);
    expect((await fetchAvatar(changed.avatar_url)).status).toBe(200);
    await expect(fetchAvatar(user.avatar_url)).rejects.toEqual(failure({ code: 'common.not_found' }));
  });

  it.each([
    ['a text', 'An image, or so it says'],
    ['an SVG, which can carry scripts', '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'],
  ])('is not %s', async (_name, content) => {
    const user = await makeUser(identity);
    const avatar = uploaded(Buffer.from(content));
    await expect(identity.client.call(updateUser, { id: user.id, avatar }, asAdministrator)).rejects.toEqual(
      failure({ code: 'common.invalid_record', message: { avatar: [expect.any(String)] } }),
    );
    await expect(identity.client.call(getUser, { id: user.id })).resolves.toMatchObject({ avatar_url: null });
  });

  it('is at most 200 KB', async () => {
    const user = await makeUser(identity);
    const avatar = uploaded(Buffer.alloc(200 * 1024 + 1));
    await expect(identity.client.call(updateUser, { id: user.id, avatar }, asAdministrator)).rejects.toEqual(
      failure({ message: { avatar: ['is too big (should be at most 200 KB)'] } }),
    );
  });
});

describe('the avatar of the caller', () => {
  const newPerson = async () => ({
    caller: callerFor(await makeUser(identity), { credential: 'session', scopes: [] }),
  });
  const show = async (context: Awaited<ReturnType<typeof newPerson>>) =>
    (await identity.client.call(getCurrentUser, {}, context)).avatar_url;

  it('is set, replaced and removed, and then nobody has its image', async () => {
    const context = await newPerson();
    const save = (avatar: ReturnType<typeof uploaded> | '') =>
      identity.client.call(updateOwnProfile, { avatar }, context);
    await save(uploaded(png()));
    const first = await show(context);
    expect((await fetchAvatar(first)).status).toBe(200);
    await identity.client.call(updateOwnProfile, { bio: 'Counts' }, context);
    expect(await show(context)).toBe(first);
    await save(uploaded(png('other')));
    const second = await show(context);
    await expect(fetchAvatar(first)).rejects.toEqual(failure({ code: 'common.not_found' }));
    for (let times = 0; times < 2; times++) await save('');
    expect(await show(context)).toBeNull();
    await expect(fetchAvatar(second)).rejects.toEqual(failure({ code: 'common.not_found' }));
  });

  it('stays as it is if anything else is refused', async () => {
    const context = await newPerson();
    await identity.client.call(updateOwnProfile, { avatar: uploaded(png()) }, context);
    const before = await show(context);
    const refused = { avatar: uploaded(png('other')), public_email: 'nobody@example.com' };
    await expect(identity.client.call(updateOwnProfile, refused, context)).rejects.toEqual(
      failure({ message: { public_email: ['is not an email you own'] } }),
    );
    const text = { avatar: uploaded(Buffer.from('A text')), bio: 'Counts' };
    await expect(identity.client.call(updateOwnProfile, text, context)).rejects.toEqual(
      failure({ code: 'common.invalid_record', message: { avatar: [expect.any(String)] } }),
    );
    expect(await show(context)).toBe(before);
    expect((await fetchAvatar(before)).status).toBe(200);
  });

  it('has its image after two changes at once', async () => {
    const context = await newPerson();
    await Promise.all(
      ['a', 'b'].map((end) => identity.client.call(updateOwnProfile, { avatar: uploaded(png(end)) }, context)),
    );
    expect((await fetchAvatar(await show(context))).status).toBe(200);
  });
});
