import { createUser, getAvatar, getUser, updateUser } from '@moothall/contracts';
import { type ServiceUnderTest, UploadStore } from '@moothall/testing';
import sharp from 'sharp';
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

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#2f5d50' } });

async function fetchAvatar(avatarUrl: string | null): Promise<Response> {
  const [, userId, filename] = /\/uploads\/-\/system\/user\/avatar\/(\d+)\/(.+)$/.exec(avatarUrl!)!;
  const { url } = await identity.client.call(getAvatar, { user_id: Number(userId), filename: filename! });
  return fetch(url);
}

describe('an avatar', () => {
  it.each(['png', 'jpeg', 'gif', 'webp', 'tiff'] as const)('given as %s becomes a small square PNG', async (format) => {
    const user = await makeUser(identity);
    const bytes = await picture(640, 300).toFormat(format).toBuffer();
    const changed = await identity.client.call(updateUser, { id: user.id, avatar: uploaded(bytes) }, asAdministrator);
    expect(changed.avatar_url).toMatch(/^http:\/\/moothall\.test\/uploads\//);
    const response = await fetchAvatar(changed.avatar_url);
    expect(response.headers.get('content-type')).toBe('image/png');
    const { format: stored, width, height } = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
    expect({ stored, width, height }).toEqual({ stored: 'png', width: 192, height: 192 });
  });

  // What is small stays small.
  it.each([
    [48, 48, 48],
    [300, 60, 60],
    [500, 400, 192],
  ])('of %i by %i points is shown with %i', async (width, height, side) => {
    const user = await makeUser(identity);
    const avatar = uploaded(await picture(width, height).png().toBuffer());
    const changed = await identity.client.call(updateUser, { id: user.id, avatar }, asAdministrator);
    const shown = await sharp(Buffer.from(await (await fetchAvatar(changed.avatar_url)).arrayBuffer())).metadata();
    expect([shown.width, shown.height]).toEqual([side, side]);
  });

  it('comes with a new user, and has a new address when it changes', async () => {
    const avatar = uploaded(await picture(10, 10).png().toBuffer());
    const given = { username: 'pictured', name: 'P', email: 'p@example.com', force_random_password: true, avatar };
    const user = await identity.client.call(createUser, given, asAdministrator);
    const other = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#fff' } })
      .png()
      .toBuffer();
    const changed = await identity.client.call(updateUser, { id: user.id, avatar: uploaded(other) }, asAdministrator);
    expect(changed.avatar_url).not.toBe(user.avatar_url);
    expect((await fetchAvatar(changed.avatar_url)).status).toBe(200);
    await expect(fetchAvatar(user.avatar_url)).rejects.toEqual(failure({ code: 'common.not_found' }));
  });

  it.each([
    ['a text that says it is an image', async () => Buffer.from('GIF89a, or so it says')],
    [
      'an SVG, which can carry scripts',
      async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'),
    ],
    ['half a picture', async () => (await picture(400, 400).jpeg().toBuffer()).subarray(0, 700)],
    ['a picture of too many points', async () => picture(12_000, 12_000).png({ compressionLevel: 9 }).toBuffer()],
  ])('is not %s', async (_name, make) => {
    const user = await makeUser(identity);
    const avatar = uploaded(await make());
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
