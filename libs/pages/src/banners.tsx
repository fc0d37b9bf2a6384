import { type Banner, matchesWildcard } from '@moothall/contracts';
import { Named } from './named';

const mostShown = 3;

/** What decides which messages a page shows. */
export interface BannerTarget {
  /** The path of the page, without a query; undefined if it is unknown. */
  path?: string | undefined;
  /** Of the visitor in the project or group of the page. */
  accessLevel?: number | undefined;
}

/** The broadcast messages of a page, latest first. */
export const Banners = ({ banners = [], target }: { banners: Banner[] | undefined; target: BannerTarget }) => {
  const shown = banners.filter((banner) => isMeant(banner, target, Date.now())).slice(0, mostShown);
  if (shown.length === 0) return null;
  return (
    <section aria-label="Messages from the administrators" class="banners">
      {shown.map(({ message }) => (
        <p>
          <Named>{message}</Named>
        </p>
      ))}
    </section>
  );
};

/** Whether a page shows a message at a time. */
export function isMeant(banner: Banner, { path, accessLevel = 0 }: BannerTarget, now: number): boolean {
  const { starts_at, ends_at, target_path: pattern, target_access_levels: levels } = banner;
  if (now < Date.parse(starts_at) || now >= Date.parse(ends_at)) return false;
  if (levels.length > 0 && !levels.includes(accessLevel)) return false;
  return !pattern || (path !== undefined && matchesWildcard(pattern.toLowerCase(), path.toLowerCase()));
}
