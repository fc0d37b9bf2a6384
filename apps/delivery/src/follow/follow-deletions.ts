import {
  type EventData,
  type EventRecord,
  projectDeleted,
  releaseChanged,
  repositoryUpdated,
  userDeleted,
} from '@moothall/contracts';
import { OnEvent } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { LfsLocks } from '../lfs-lock/lfs-lock.repository';
import { RemoveLfsObjects } from '../lfs-object/remove-lfs-objects';
import { Packages } from '../package/package.repository';
import { PackageFiles } from '../package/package-file.repository';
import { PackageProtectionRules } from '../package/package-protection-rules';
import { EvidenceFiles } from '../release/evidence.repository';
import { Releases } from '../release/release.repository';
import { releaseEvent } from '../release/release-event';
import { SecureFiles } from '../secure-file/secure-file.repository';

const tags = 'refs/tags/';
const isNone = (sha: string): boolean => /^0+$/.test(sha);

/**
 * Removes releases with their tag, files of evidence with their release, and all records with their project. Records of
 * a deleted user are assigned to the ghost user, except locks.
 */
@Injectable()
export class FollowDeletions {
  constructor(
    private readonly releases: Releases,
    private readonly evidenceFiles: EvidenceFiles,
    private readonly packages: Packages,
    private readonly files: PackageFiles,
    private readonly protection: PackageProtectionRules,
    private readonly lfsObjects: RemoveLfsObjects,
    private readonly lfsLocks: LfsLocks,
    private readonly secureFiles: SecureFiles,
  ) {}

  /** A tag that was created again has a release only if somebody released it after that. */
  @OnEvent(repositoryUpdated, 'FollowDeletions-onPush')
  async onPush({ data, occurredAt }: EventRecord<EventData<typeof repositoryUpdated>>): Promise<void> {
    const gone = data.changes.filter(({ ref, after }) => ref.startsWith(tags) && isNone(after));
    if (gone.length === 0) return;
    const names = gone.map(({ ref }) => ref.slice(tags.length));
    for await (const release of this.releases.ofGoneTags(data.project_id, names, new Date(occurredAt)))
      await this.releases.removeGone(release, releaseEvent(release, { action: 'delete', userId: null, commit: null }));
  }

  @OnEvent(releaseChanged, 'FollowDeletions-onReleaseChanged')
  async onReleaseChanged({ data }: EventRecord<EventData<typeof releaseChanged>>): Promise<void> {
    if (data.action === 'delete') await this.evidenceFiles.forgetRelease(data.project_id, data.release.id);
  }

  @OnEvent(projectDeleted, 'FollowDeletions-onProjectDeleted')
  async onProjectDeleted({ data }: EventRecord<EventData<typeof projectDeleted>>): Promise<void> {
    await this.releases.forgetProject(data.project_id);
    await this.packages.forgetProject(data.project_id);
    await this.protection.forgetProject(data.project_id);
    await this.files.removeOfProject(data.project_id);
    await this.secureFiles.removeOfProject(data.project_id);
    await this.lfsLocks.forgetProject(data.project_id);
    await this.lfsObjects.ofProject(data.project_id);
  }

  @OnEvent(userDeleted, 'FollowDeletions-onUserDeleted')
  async onUserDeleted({ data }: EventRecord<EventData<typeof userDeleted>>): Promise<void> {
    await this.releases.handOver(data.user_id, data.ghost_user_id);
    await this.packages.handOver(data.user_id, data.ghost_user_id);
    await this.lfsLocks.forgetUser(data.user_id);
  }
}
