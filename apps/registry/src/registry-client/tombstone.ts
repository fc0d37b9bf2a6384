import { createHash } from 'node:crypto';
import type { Manifest } from './registry-client';

const mediaType = 'application/vnd.oci.image.index.v1+json';
const deletion = 'org.moothall.deletion';

/**
 * An index without images, which replaces tags before they are deleted: deleting it deletes all tags that point to it,
 * and no image. Each deletion has its own, since concurrent ones must not share one. See
 * docs/adr/0010-container-registry.md.
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
