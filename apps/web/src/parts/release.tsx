import type { ProjectRef, Release } from '@moothall/contracts';
import { Named } from '@moothall/pages';
import { pathOf } from './address';
import { below } from './code-address';
import { Day } from './time';
import { UserLink } from './user-link';

/** Tag, commit, author and date of a release; without what only readers of the code see. */
export const ReleaseFacts = ({ project, release }: { project: ProjectRef; release: Release }) => (
  <ul class="facts">
    {release.upcoming_release && <li class="tag">upcoming</li>}
    {release.tag_name !== undefined && (
      <li>
        Tag{' '}
        <a href={below(project, 'tags', release.tag_name)}>
          <Named>{release.tag_name}</Named>
        </a>
      </li>
    )}
    {release.commit && (
      <li>
        <a href={below(project, 'commit', release.commit.id)}>
          <code>{release.commit.short_id}</code>
        </a>
      </li>
    )}
    <li>
      <Day at={release.released_at} />
    </li>
    {release.author && (
      <li>
        By <UserLink user={release.author} />
      </li>
    )}
    {release.milestones?.map(({ id, title, web_url }) => (
      <li key={id}>
        Milestone{' '}
        <a href={pathOf(web_url)}>
          <Named>{title}</Named>
        </a>
      </li>
    ))}
  </ul>
);

type Link = Release['assets']['links'][number];

/** Links of a release, to this server and to others. */
export const ReleaseLinks = ({ links }: { links: readonly Link[] }) => (
  <ul class="list files">
    {links.map(({ id, name, url, external, link_type }) => (
      <li key={id}>
        {external ? (
          <a href={url} rel="nofollow noreferrer noopener">
            <Named>{name}</Named>
          </a>
        ) : (
          <a href={pathOf(url)}>
            <Named>{name}</Named>
          </a>
        )}
        {link_type !== 'other' && <span class="tag after">{link_type}</span>}
      </li>
    ))}
  </ul>
);
