import { createHash } from 'node:crypto';
import type { Milestone, ProjectRef } from '@moothall/contracts';
import type { Release } from './release.schema';

/** Limit of characters of the description of a milestone: a release may have 100 of them. */
const mostMilestoneText = 10_000;

/**
 * What a release consists of now. The names are those of the evidence of GitLab; `commit` and `assets` are additions.
 * @param milestones those of the release
 */
export function evidenceOf(
  release: Release,
  { project, commitId, milestones }: { project: ProjectRef; commitId: string | null; milestones: readonly Milestone[] },
): string {
  const { _id: id, tagName, name, description, createdAt, releasedAt, links } = release;
  return JSON.stringify({
    release: {
      id,
      tag_name: tagName,
      name: name ?? tagName,
      description,
      created_at: createdAt.toISOString(),
      released_at: releasedAt.toISOString(),
      commit: commitId,
      project: { id: project.id, name: project.name, description: project.description, created_at: project.createdAt },
      milestones: milestones.map((milestone) => ({
        id: milestone.id,
        iid: milestone.iid,
        title: milestone.title,
        description: milestone.description?.slice(0, mostMilestoneText) ?? null,
        state: milestone.state,
        created_at: milestone.created_at,
        due_date: milestone.due_date,
      })),
      assets: {
        links: links.map((link) => ({ id: link.id, name: link.name, url: link.url, link_type: link.linkType })),
      },
    },
  });
}

/** Digest of the bytes of a file. */
export const sha256Of = (content: string): string => createHash('sha256').update(content).digest('hex');
