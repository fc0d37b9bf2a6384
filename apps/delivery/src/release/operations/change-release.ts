import {
  type ContextOf,
  collectReleaseEvidence,
  deleteRelease,
  isError,
  type Milestone,
  type ParsedOf,
  releaseErrors,
  updateRelease,
  updateTagRelease,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { EvidenceFiles } from '../evidence.repository';
import { evidenceOf, sha256Of } from '../evidence-content';
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
    private readonly evidenceFiles: EvidenceFiles,
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
    const { project } = context;
    const release = await this.changing.getRelease(context, tag_name);
    if (release.evidences.length >= mostEvidences) throw releaseErrors.tooManyEvidences();
    const { commit } = await this.changing.getTag(context, tag_name);
    const milestones = byId(await this.views.milestones(project, release.milestoneIds));
    const content = evidenceOf(release, { project, commitId: commit?.id ?? null, milestones });
    const sha256 = sha256Of(content);
    // Before the evidence: one that is listed has its file.
    await this.evidenceFiles.add(release, sha256, { content, hasMilestones: milestones.length > 0 });
    await this.addEvidence(release, sha256);
    return 200 as const;
  }

  private async addEvidence(release: Release, sha256: string): Promise<void> {
    const add = ({ evidences }: Release): ReleaseChange => {
      if (evidences.length >= mostEvidences) throw releaseErrors.tooManyEvidences();
      return { evidences: [...evidences, { id: evidences.length + 1, sha256, collectedAt: new Date() }] };
    };
    try {
      await this.releases.change(release, ['evidences'], add, () => []);
    } catch (error) {
      // The release was deleted meanwhile, with the files that it had until then.
      if (isError(error, releaseErrors.notFound))
        await this.evidenceFiles.forgetRelease(release.projectId, release._id);
      throw error;
    }
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

const byId = (milestones: readonly Milestone[]): Milestone[] => [...milestones].sort((a, b) => a.id - b.id);
