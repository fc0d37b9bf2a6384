import type { Namespace } from '@moothall/contracts';
import type { NamespaceDocument } from './namespace.schema';

export const viewNamespace = (namespace: NamespaceDocument, baseUrl: string): Namespace => ({
  id: namespace._id,
  name: namespace.name,
  path: namespace.path,
  kind: namespace.kind,
  full_path: namespace.fullPath,
  parent_id: namespace.parentId,
  avatar_url: avatarUrlOf('group', namespace, baseUrl),
  web_url: webUrlOf(namespace, baseUrl),
});

/** What has a page of its own, at its full path. */
export interface WithPage {
  kind: NamespaceDocument['kind'] | 'project';
  fullPath: string;
}

/** Groups have pages of their own; a personal namespace has the user's page. */
export const webUrlOf = ({ kind, fullPath }: WithPage, baseUrl: string): string =>
  kind === 'group' ? `${baseUrl}/groups/${fullPath}` : `${baseUrl}/${fullPath}`;

interface WithAvatar {
  _id: number;
  avatar: { filename: string } | null;
}

export const avatarUrlOf = (kind: 'group' | 'project', { _id, avatar }: WithAvatar, baseUrl: string): string | null =>
  avatar && `${baseUrl}/uploads/-/system/${kind}/avatar/${_id}/${encodeURIComponent(avatar.filename)}`;
