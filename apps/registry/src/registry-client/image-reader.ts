import { Injectable } from '@nestjs/common';
import { type Manifest, RegistryClient } from './registry-client';

/** Metadata of an image. See docs/api/registry.md#4. */
export interface ImageFacts {
  /** Digest of the configuration, or of an index, without its algorithm. */
  revision: string;
  createdAt: Date | null;
  totalSize: number;
}

interface Descriptor {
  digest: string;
  size: number;
}

/** Limit of images of an index, which usually has one per platform, over all levels of nesting. */
const mostImages = 50;

/** Reads manifests. Clients wrote them, so they are untrusted. Source: OCI image specification. */
@Injectable()
export class ImageReader {
  constructor(private readonly client: RegistryClient) {}

  async read(path: string, manifest: Manifest, left = { images: mostImages }): Promise<ImageFacts> {
    const { manifests, config, layers } = parse(manifest.body);
    const unknown = { revision: hexOf(manifest.digest), createdAt: null, totalSize: 0 };
    if (Array.isArray(manifests)) return this.readIndex(path, unknown, descriptors(manifests), left);
    const [configuration] = descriptors([config]);
    if (!configuration) return unknown;
    return {
      revision: hexOf(configuration.digest),
      createdAt: await this.readTime(path, configuration.digest),
      totalSize: descriptors(layers).reduce((sum, { size }) => add(sum, size), 0),
    };
  }

  private async readIndex(
    path: string,
    unknown: ImageFacts,
    named: Descriptor[],
    left: { images: number },
  ): Promise<ImageFacts> {
    const facts = { ...unknown };
    for (const { digest } of named) {
      if (left.images-- <= 0) break;
      const manifest = await this.client.manifest(path, digest);
      const one = manifest && (await this.read(path, manifest, left));
      if (!one) continue;
      facts.totalSize = add(facts.totalSize, one.totalSize);
      if (one.createdAt && one.createdAt > (facts.createdAt ?? 0)) facts.createdAt = one.createdAt;
    }
    return facts;
  }

  private async readTime(path: string, digest: string): Promise<Date | null> {
    const configuration = await this.client.blob(path, digest);
    const { created } = parse(configuration ?? '');
    const time = new Date(typeof created === 'string' ? created : Number.NaN);
    return Number.isNaN(time.getTime()) ? null : time;
  }
}

function parse(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** Digests are used in URLs, and sizes in sums. */
function descriptors(given: unknown): Descriptor[] {
  const list: unknown[] = Array.isArray(given) ? given : [];
  return list.flatMap((one) => {
    const { digest, size } = (one ?? {}) as Partial<Descriptor>;
    if (typeof digest !== 'string' || !/^sha(256|512):[0-9a-f]{64,128}$/.test(digest)) return [];
    return [{ digest, size: isSize(size) ? size : 0 }];
  });
}

const isSize = (size: unknown): size is number => Number.isSafeInteger(size) && Number(size) > 0;

/** Sums of sizes by clients may overflow. */
const add = (one: number, other: number): number => Math.min(one + other, Number.MAX_SAFE_INTEGER);

const hexOf = (digest: string): string => digest.slice(digest.indexOf(':') + 1);
