import { createUser, getAvatar, getUser, updateUser } from '@moothall/contracts';
import { type ServiceUnderTest, UploadStore } from '@moothall/testing';
import { asAdministrator, failure, makeUser, startIdentity } from './service-under-test';

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
