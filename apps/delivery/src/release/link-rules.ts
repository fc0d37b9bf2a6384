import { invalidRecord, mostLinks, type ReleaseLink, releaseErrors } from '@moothall/contracts';
import type { Link } from './release.schema';

/** Input for a link: the path has a newer and an older name. */
interface Given {
  name?: string | undefined;
  url?: string | undefined;
  filepath?: string | undefined;
  direct_asset_path?: string | undefined;
  link_type?: Link['linkType'] | undefined;
}

/** Fields of a link from the input. */
export const linkFieldsOf = ({ name, url, filepath, direct_asset_path, link_type }: Given): Partial<Link> => {
  const path = direct_asset_path ?? filepath;
  return {
    ...(name !== undefined && { name }),
    ...(url !== undefined && { url }),
    ...(path !== undefined && { filepath: path }),
    ...(link_type !== undefined && { linkType: link_type }),
  };
};

const unique = { name: 'name', url: 'url', filepath: 'filepath' } as const;

/** Links of one release, newest first. @throws common.invalid_record, release.too_many_links */
export function requireSoundLinks(links: readonly Link[]): void {
  if (links.length > mostLinks) throw releaseErrors.tooManyLinks();
  for (const [field, name] of Object.entries(unique)) {
    const values = links.flatMap((link) => link[field as keyof typeof unique] ?? []);
    if (new Set(values).size < values.length) throw invalidRecord({ [name]: ['has already been taken'] });
  }
}

/** URLs of releases and of their files. */
export interface ReleasePlace {
  externalUrl: string;
  projectId: number;
  /** Null if the caller may not see it. */
  tagName: string | null;
}

export function viewLink(link: Link, { externalUrl, projectId, tagName }: ReleasePlace): ReleaseLink {
  const { id, name, url, filepath, linkType } = link;
  const releases = `${externalUrl}/api/v4/projects/${projectId}/releases`;
  const hasPlace = filepath !== null && tagName !== null;
  return {
    id,
    name,
    url,
    direct_asset_url: hasPlace ? `${releases}/${encodeURIComponent(tagName)}/downloads${filepath}` : url,
    external: !url.startsWith(`${externalUrl}/`),
    link_type: linkType,
  };
}
