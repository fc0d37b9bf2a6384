import { createHash } from 'node:crypto';
import { ask, newUser } from '../server/connection';

/* Files that are downloaded in parts, as when a client resumes a download. */

type User = Awaited<ReturnType<typeof newUser>>;

const bytes = Buffer.from('one two three four five');
let user: User;
let project: { id: number; path_with_namespace: string };

beforeAll(async () => {
  user = await newUser('parts');
  project = (await user.client.Projects.create({ name: 'Parts', path: 'parts' })) as typeof project;
});

async function get(path: string, headers: Record<string, string>) {
  const response = await ask(path, { headers });
  const header = (name: string) => response.headers.get(name);
  return {
    ...{ status: response.status, body: await response.text(), range: header('content-range') },
    ...{ length: header('content-length'), etag: header('etag') },
  };
}

const files: [what: string, make: () => Promise<{ path: string; authorization: Record<string, string> }>][] = [
  [
    'a package',
    async () => {
      const path = `/api/v4/projects/${project.id}/packages/generic/app/1.0.0/app.bin`;
      await ask(path, { method: 'PUT', token: user.token, body: bytes });
      return { path, authorization: { 'private-token': user.token } };
    },
  ],
  [
    'an object of Git LFS',
    async () => {
      const oid = createHash('sha256').update(bytes).digest('hex');
      const authorization = { authorization: `Basic ${Buffer.from(`x:${user.token}`).toString('base64')}` };
      const path = `/${project.path_with_namespace}.git/info/lfs/objects/${oid}`;
      const headers = { ...authorization, 'content-type': 'application/octet-stream' };
      await ask(`${path}/${bytes.length}`, { method: 'PUT', headers, body: bytes });
      return { path, authorization };
    },
  ],
];

it.each(files)('%s is sent in part, and continues after an interruption', async (_what, make) => {
  const { path, authorization } = await make();
  const whole = await get(path, authorization);
  expect(whole).toMatchObject({ status: 200, body: bytes.toString(), etag: expect.stringMatching(/^"[^"]+"$/) });
  const part = { status: 206, body: 'five', range: `bytes 19-22/${bytes.length}`, length: '4', etag: whole.etag };
  expect(await get(path, { ...authorization, range: 'bytes=19-' })).toEqual(part);
  expect(await get(path, { ...authorization, range: 'bytes=-4', 'if-range': whole.etag! })).toEqual(part);
  expect(await get(path, { ...authorization, range: 'bytes=19-', 'if-range': '"another"' })).toEqual(whole);
  expect(await get(path, { ...authorization, range: `bytes=${bytes.length}-` })).toMatchObject({
    ...{ status: 416, body: '', range: `bytes */${bytes.length}` },
  });
});
