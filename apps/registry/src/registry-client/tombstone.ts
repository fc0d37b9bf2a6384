import { createHash } from 'node:crypto';
import type { Manifest } from './registry-client';

const mediaType = 'application/vnd.oci.image.index.v1+json';
const deletion = 'org.moothall.deletion';

/**
 * An index without images, which takes the place of a tag that is to go: with it every tag goes that is at it, and no
 * image. Each deletion has its own, or one would end under another. See docs/adr/0010-container-registry.md.
 */
export function tombstoneOf(id: string): Manifest {
  const body = JSON.stringify({ schemaVersion: 2, mediaType, manifests: [], annotations: { [deletion]: id } });
  return { mediaType, body, digest: `sha256:${createHash('sha256').update(body).digest('hex')}` };
}

export function isTombstone({ body }: Manifest): boolean {
  if (!body.includes(deletion)) return false;
  const { annotations, manifests } = JSON.parse(body) as {
    annotations?: Record<string, string>;
    manifests?: unknown[];
  };
  return annotations?.[deletion] !== undefined && manifests?.length === 0;
}
