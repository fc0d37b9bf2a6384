import { pipeline } from 'node:stream/promises';
import { putTo } from './presigned-bytes';
import { isDigest, type Manifest, type RegistrySite } from './registry-site';

/** Limit of nesting: an index refers to an image per platform, and may refer to indexes. */
const mostDeep = 4;
const mostManifests = 1000;

interface Named {
  digest: string;
  /** Layers whose licence forbids distribution are stored elsewhere. */
  isForeign: boolean;
}

/** @returns tags that exist here but not there */
export async function copyImage(from: RegistrySite, to: RegistrySite, signal?: AbortSignal): Promise<string[]> {
  const wanted = await from.tags();
  const left = { manifests: mostManifests };
  for (const tag of wanted) {
    if (signal?.aborted) throw new Error('It was ended');
    left.manifests = mostManifests;
    const digest = await from.digestOf(tag);
    // The tag was removed meanwhile: the next list does not have it.
    if (digest !== undefined && (await to.digestOf(tag)) !== digest) await copyManifest(from, to, tag, left);
  }
  const there = new Set(wanted);
  return (await to.tags()).filter((tag) => !there.has(tag));
}

/** References first: a registry refuses a manifest with missing references. */
async function copyManifest(
  from: RegistrySite,
  to: RegistrySite,
  reference: string,
  left: { manifests: number },
  depth = 0,
): Promise<void> {
  if (depth > mostDeep || left.manifests-- <= 0) throw new Error('The image references too many manifests');
  const manifest = await from.manifest(reference);
  const { manifests, blobs } = namedBy(manifest);
  for (const { digest } of manifests)
    if ((await to.digestOf(digest)) !== digest) await copyManifest(from, to, digest, left, depth + 1);
  for (const { digest, isForeign } of blobs) if (!isForeign) await copyBlob(from, to, digest);
  await to.putManifest(reference, manifest);
}

/** The receiving registry verifies the digest. */
async function copyBlob(from: RegistrySite, to: RegistrySite, digest: string): Promise<void> {
  if (await to.hasBlob(digest)) return;
  const url = await to.beginBlob();
  url.searchParams.set('digest', digest);
  await from.blob(digest, async (bytes) => {
    const headers = { ...to.authorization, 'content-type': 'application/octet-stream' };
    const status = await putTo(url, headers, (sent) => pipeline(bytes, sent));
    if (status !== 201) throw new Error(`The registry of this site answers ${status} to a blob`);
  });
}

/** Clients wrote it, so it is untrusted. */
function namedBy({ body }: Manifest): { manifests: Named[]; blobs: Named[] } {
  const { manifests, config, layers } = (JSON.parse(body) ?? {}) as Record<string, unknown>;
  return { manifests: named(manifests), blobs: [...named([config]), ...named(layers)] };
}

function named(given: unknown): Named[] {
  const list: unknown[] = Array.isArray(given) ? given : [];
  return list.flatMap((one) => {
    const { digest, mediaType } = (one ?? {}) as { digest?: unknown; mediaType?: unknown };
    if (!isDigest(digest)) return [];
    return [{ digest, isForeign: /foreign|nondistributable/.test(String(mediaType)) }];
  });
}
