import { type EventRecord, type OutputOf, releaseChanged, type tagFacts } from '@moothall/contracts';
import { newEvent } from '@moothall/database';
import type { Release } from './release.schema';

const mostDescriptionBytes = 256 * 1024;
/**
 * Limit of characters of a commit message in an event: messages may have megabytes, and the outbox stores the event.
 */
const mostCommitText = 10_000;

interface Happened {
  action: 'create' | 'update' | 'delete';
  /** Null if its tag was deleted. */
  userId: number | null;
  commit: OutputOf<typeof tagFacts>[number]['commit'];
}

/** The event of a change, with the release at that time. */
export function releaseEvent(release: Release, { action, userId, commit }: Happened): EventRecord {
  const { _id: id, projectId, tagName, name, description, createdAt, releasedAt, links } = release;
  const isLong = description !== null && Buffer.byteLength(description) > mostDescriptionBytes;
  return newEvent(releaseChanged, {
    action,
    project_id: projectId,
    user_id: userId,
    release: {
      id,
      tag_name: tagName,
      name: name ?? tagName,
      description: isLong ? '' : description,
      created_at: createdAt.toISOString(),
      released_at: releasedAt.toISOString(),
      links: links.map((link) => ({ id: link.id, name: link.name, url: link.url, link_type: link.linkType })),
    },
    commit: commit && {
      id: commit.id,
      title: commit.title.slice(0, mostCommitText),
      message: commit.message.slice(0, mostCommitText),
      timestamp: commit.committed_date,
      url: commit.web_url,
      author: { name: commit.author_name, email: commit.author_email },
    },
  });
}
