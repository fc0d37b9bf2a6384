import type { Badge } from '@moothall/contracts';
import { keyParts } from '../member/source';
import type { BadgeDocument } from './badge.schema';
import { type BadgeValues, resolveBadgeUrl } from './badge-urls';

interface Urls {
  linkUrl: string;
  imageUrl: string;
}

export const renderBadge = ({ linkUrl, imageUrl }: Urls, values: BadgeValues | null) => ({
  link_url: linkUrl,
  image_url: imageUrl,
  rendered_link_url: resolveBadgeUrl(linkUrl, values),
  rendered_image_url: resolveBadgeUrl(imageUrl, values),
});

export const viewBadge = (badge: BadgeDocument, values: BadgeValues | null): Badge => ({
  name: badge.name,
  id: badge._id,
  ...renderBadge(badge, values),
  kind: keyParts(badge.source).kind,
});
