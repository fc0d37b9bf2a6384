import { createHash } from 'node:crypto';
import {
  type ContextOf,
  collectReleaseEvidence,
  deleteRelease,
  type ParsedOf,
  releaseErrors,
  updateRelease,
  updateTagRelease,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { type ReleaseChange, Releases } from '../release.repository';
import { mostEvidences, type Release } from '../release.schema';
import { releaseEvent } from '../release-event';
import { ReleaseViews } from '../release-views';
import { type Changing, ChangingReleases } from './changing-releases';

/** Updates and deletes releases. */
@Controller()
export class ChangeRelease {
  constructor(
    private readonly changing: ChangingReleases,
    private readonly releases: Releases,
    private readonly views: ReleaseViews,
  ) {}

  @Handles(updateRelease)
  async update(context: ContextOf<typeof updateRelease>, input: ParsedOf<typeof updateRelease>) {
    const { name, description, released_at, milestones } = input;
    const release = await this.changing.getRelease(context, input.tag_name);
    const ids = milestones && (await this.changing.milestoneIds(context.project, milestones));
    const changed = await this.change(context, release, {
      ...(name !== undefined && { name: name || null }),
      ...(description !== undefined && { description }),
      ...(released_at !== undefined && { releasedAt: new Date(released_at) }),
      ...(ids && { milestoneIds: ids }),
    });
    return this.views.one(changed, context.project);
  }

  @Handles(updateTagRelease)
  async updateOfTag(context: ContextOf<typeof updateTagRelease>, input: ParsedOf<typeof updateTagRelease>) {
    const { tag_name, description } = input;
    await this.change(context, await this.changing.getRelease(context, tag_name), { description });
    return { tag_name, description };
  }

  @Handles(deleteRelease)
  async remove(context: ContextOf<typeof deleteRelease>, { tag_name }: ParsedOf<typeof deleteRelease>) {
    const { project, caller } = context;
    const release = await this.changing.getRelease(context, tag_name);
    // A release whose tag was deleted during its creation may still exist.
    const commit = (await this.changing.findTag(context, tag_name))?.commit ?? null;
    const view = await this.views.one(release, project);
    await this.releases.remove(release, releaseEvent(release, { action: 'delete', userId: caller.id, commit }));
    return view;
  }

  /** Publishes nothing, because the release does not change. */
  @Handles(collectReleaseEvidence)
  async collect(
    context: ContextOf<typeof collectReleaseEvidence>,
    { tag_name }: ParsedOf<typeof collectReleaseEvidence>,
  ) {
    const release = await this.changing.getRelease(context, tag_name);
    const { commit } = await this.changing.getTag(context, tag_name);
    const collect = (current: Release): ReleaseChange => {
      const { evidences } = current;
      if (evidences.length >= mostEvidences) throw releaseErrors.tooManyEvidences();
      const sha256 = digestOf(current, commit?.id ?? null);
      return { evidences: [...evidences, { id: evidences.length + 1, sha256, collectedAt: new Date() }] };
    };
    await this.releases.change(release, ['evidences'], collect, () => []);
    return 200 as const;
  }

  private async change(context: Changing, release: Release, change: ReleaseChange): Promise<Release> {
    const { commit } = await this.changing.getTag(context, release.tagName);
    return this.releases.change(
      release,
      [],
      () => change,
      (changed) => [releaseEvent(changed, { action: 'update', userId: context.caller.id, commit })],
    );
  }
}

/** Digest of everything that a release consists of. */
function digestOf(release: Release, commitId: string | null): string {
  const { _id, projectId, tagName, name, description, milestoneIds, links, releasedAt, createdAt } = release;
  const facts = { _id, projectId, tagName, commitId, name, description, milestoneIds, links, releasedAt, createdAt };
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex');
}
