import { expiresAfter } from '@moothall/background';
import {
  type ContextOf,
  commonErrors,
  locateReplica,
  type ParsedOf,
  removeReplica,
  replicaErrors,
  syncReplica,
  verifyReplica,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { SecretBox } from '@moothall/secrets';
import { settingsToken } from '@moothall/service';
import { Controller, Inject } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { GitOutbound } from '../outbound/git-outbound';
import { Repositories } from '../record/repository.repository';
import type { RepositorySettings } from '../settings/settings';
import { StorageMoves } from '../storage-move/storage-move.repository';
import { idOf, Replicas } from './replica.repository';
import { Replication } from './replicate';

/** Requests of a secondary site for its replicas: stored by any process, executed by the one with the disk. */
@Controller()
export class ReplicaOperations {
  /** A few seconds old at most. */
  private readonly storageNames = new LRUCache<'names', string[]>({ max: 1, ...expiresAfter(5_000) });

  constructor(
    private readonly replicas: Replicas,
    private readonly replication: Replication,
    private readonly repositories: Repositories,
    private readonly moves: StorageMoves,
    private readonly outbound: GitOutbound,
    private readonly box: SecretBox,
    @Inject(settingsToken) private readonly settings: RepositorySettings,
  ) {}

  @Handles(syncReplica)
  async sync(_: ContextOf<typeof syncReplica>, input: ParsedOf<typeof syncReplica>): Promise<void> {
    this.requireSecondary();
    const { project_id: projectId, kind, source_url } = input;
    if (!URL.canParse(source_url) || !this.outbound.isOfPrimary(new URL(source_url)))
      throw replicaErrors.sourceNotPrimary();
    const storage = await this.recordReplica(projectId, await this.storageFor(projectId, input.storage));
    const sealedUrl = this.box.seal(source_url);
    const replica = await this.replicas.wantSync({ projectId, kind }, { storage, sealedUrl });
    // A concurrent removal deleted the record as well.
    await this.recordReplica(projectId, replica.storage);
    await this.replication.begin(replica);
  }

  /** @returns the storage of the project's replicas. @throws replica.is_original */
  private async recordReplica(projectId: number, storage: string): Promise<string> {
    const record = await this.repositories.addReplica(projectId, storage);
    if (!record.isReplica) throw replicaErrors.isOriginal();
    return record.storage;
  }

  /** New replicas are distributed over all storages. */
  private async storageFor(projectId: number, asked: string | undefined): Promise<string> {
    const known = asked === undefined ? this.storageNames.get('names') : undefined;
    const names = known ?? (await this.moves.storageNames());
    if (asked !== undefined && !names.includes(asked)) throw replicaErrors.storageUnknown();
    const storage = asked ?? names[projectId % names.length];
    if (storage === undefined) throw commonErrors.unavailable();
    if (!known) this.storageNames.set('names', names);
    return storage;
  }

  @Handles(verifyReplica)
  async verify(_: ContextOf<typeof verifyReplica>, input: ParsedOf<typeof verifyReplica>): Promise<void> {
    this.requireSecondary();
    const replica = await this.replicas.wantVerify({ projectId: input.project_id, kind: input.kind });
    if (!replica) throw replicaErrors.notFound();
    await this.replication.begin(replica);
  }

  @Handles(removeReplica)
  async remove(_: ContextOf<typeof removeReplica>, input: ParsedOf<typeof removeReplica>): Promise<void> {
    this.requireSecondary();
    const replica = await this.replicas.wantRemove({ projectId: input.project_id, kind: input.kind });
    if (replica) await this.replication.begin(replica);
  }

  /** Replicas that will be removed are not shown. */
  @Handles(locateReplica)
  async find(_: ContextOf<typeof locateReplica>, { project_id, kind }: ParsedOf<typeof locateReplica>) {
    const replica = await this.replicas.find(idOf({ projectId: project_id, kind }));
    const isGood = replica?.isMade && !replica.isDamaged && !replica.wants?.remove;
    return { storage: isGood ? replica.storage : null };
  }

  private requireSecondary(): void {
    if (this.settings.GEO_ROLE !== 'secondary') throw replicaErrors.notOfSecondary();
  }
}
