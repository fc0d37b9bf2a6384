import { ImageReader } from './image-reader';
import type { Manifest, RegistryClient } from './registry-client';
import { isTombstone, tombstoneOf } from './tombstone';

const digestOf = (number: number) => `sha256:${String(number).repeat(64)}`;
const blobs: Record<string, string> = { [digestOf(1)]: '{"created":"2020-01-02T03:04:05.678Z"}' };

function reading(manifests: Record<string, unknown> = {}) {
  const asked: string[] = [];
  const manifestOf = (digest: string, body: unknown): Manifest => ({ digest, mediaType: '', body: textOf(body) });
  const client = {
    blob: async (_path: string, digest: string) => blobs[digest],
    manifest: async (_path: string, digest: string) => {
      asked.push(digest);
      return digest in manifests ? manifestOf(digest, manifests[digest]) : undefined;
    },
  } as unknown as RegistryClient;
  return { asked, read: (body: unknown) => new ImageReader(client).read('a/b', manifestOf(digestOf(9), body)) };
}

const textOf = (body: unknown) => (typeof body === 'string' ? body : JSON.stringify(body));
const image = (config: number, ...sizes: unknown[]) => ({
  config: { digest: digestOf(config), size: 1 },
  layers: sizes.map((size) => ({ digest: digestOf(8), size })),
});
const nothing = { revision: '9'.repeat(64), createdAt: null, totalSize: 0 };

it('an image has the time of its configuration and the size of its layers', async () => {
  expect(await reading().read(image(1, 10, 20))).toEqual({
    revision: '1'.repeat(64),
    createdAt: new Date('2020-01-02T03:04:05.678Z'),
    totalSize: 30,
  });
});

it('an image without its configuration has no time', async () => {
  expect(await reading().read(image(2, 1))).toEqual({ revision: '2'.repeat(64), createdAt: null, totalSize: 1 });
});

it.each([['{'], ['null'], ['[]'], ['""'], [{ config: { digest: '../../x' } }], [{ config: 1, layers: 'x' }]])(
  '%j is an unknown manifest',
  async (body) => expect(await reading().read(body)).toEqual(nothing),
);

it('invalid sizes count as 0', async () => {
  const { totalSize } = await reading().read(image(1, -5, 'x', 1e300, null, 7));
  expect(totalSize).toBe(7);
});

it('an index that contains itself ends', async () => {
  const index = { manifests: [{ digest: digestOf(3), size: 1 }] };
  const { asked, read } = reading({ [digestOf(3)]: index });
  expect(await read(index)).toEqual(nothing);
  expect(asked.length).toBeLessThan(100);
});

it('an index of very many images is read up to a limit', async () => {
  const { asked, read } = reading();
  await read({ manifests: Array.from({ length: 10_000 }, () => ({ digest: digestOf(4), size: 1 })) });
  expect(asked.length).toBeLessThan(100);
});

it('a tombstone is recognized by its content, and each has a unique digest', () => {
  expect(isTombstone(tombstoneOf('a'))).toBe(true);
  expect(tombstoneOf('a').digest).not.toBe(tombstoneOf('b').digest);
  const { body } = tombstoneOf('a');
  const withImages = { ...JSON.parse(body), manifests: [{}] };
  expect(isTombstone({ digest: '', mediaType: '', body: JSON.stringify(withImages) })).toBe(false);
  expect(isTombstone({ digest: '', mediaType: '', body: '{"manifests":[]}' })).toBe(false);
});
