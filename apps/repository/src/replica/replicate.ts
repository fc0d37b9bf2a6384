import { eachAlone, PeriodicJob } from '@moothall/background';
import { type EventInput, isPassing, replicaSynced, replicaVerified, wordsOf } from '@moothall/contracts';
import { newEvent } from '@moothall/database';
import { Jobs, jobQueue, WorksOn } from '@moothall/jobs';
import { EventPublisher } from '@moothall/messaging';
import { SecretBox } from '@moothall/secrets';
import { settingsToken } from '@moothall/service';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { GitError } from '../git/process/errors';
import { withoutCredentials } from '../git/transport/remote-address';
import type { ReplicaSource } from '../git/transport/replica';
import { MaintainRepositories } from '../maintenance/maintain-repositories';
import { GitOutbound } from '../outbound/git-outbound';
import { Repositories } from '../record/repository.repository';
import type { RepositorySettings } from '../settings/settings';
import { type Located, Storages } from '../storage/storages';
import { Replicas } from './replica.repository';
import type { Replica } from './replica.schema';

interface ReplicaJob {
  replicaId: string;
}

/** MongoDB stores the requests. All jobs of a replica have the same id, so only one runs at a time. */
const replication = jobQueue<ReplicaJob>({
  name: 'repository.replica',
  concurrency: 10,
  attempts: 3,
  perStorage: true,
});

/** Time limit of the primary's answer with all refs. */
const refsTimeoutMs = 120_000;

type Synced = Pick<EventInput<typeof replicaSynced>, 'outcome' | 'error' | 'made_anew'>;
type Verified = Pick<EventInput<typeof replicaVerified>, 'outcome' | 'error'>;

/**
 * Executes requests for replicas. A failure is reported and not retried: the geo service decides about retries. If the
 * process dies, the work starts again.
 */
@Injectable()
export class Replication {
  private readonly log = new Logger(Replication.name);

  constructor(
    private readonly replicas: Replicas,
    private readonly repositories: Repositories,
    private readonly storages: Storages,
    private readonly outbound: GitOutbound,
    private readonly maintenance: MaintainRepositories,
    private readonly publisher: EventPublisher,
    private readonly box: SecretBox,
    private readonly jobs: Jobs,
    @Inject(settingsToken) private readonly settings: RepositorySettings,
  ) {}

  /** Other sites have no replicas. */
  private get isSecondary(): boolean {
    return this.settings.GEO_ROLE === 'secondary';
  }

  /** Queues the work. If Redis is down, the periodic job finds it. */
  async begin(replica: Replica): Promise<void> {
    await this.enqueue(replica).catch((error: unknown) =>
      this.log.warn(`replica ${replica._id} is not queued yet: ${error}`),
    );
  }

  /** Queues requests whose jobs Redis lost, or that came just as a job ended. */
  @PeriodicJob('replicas', { everySeconds: 10, byEach: true, where: (it: Replication) => it.isSecondary })
  async queueWanted(signal?: AbortSignal): Promise<void> {
    await eachAlone(await this.replicas.listWanted(this.storages.names), (replica) => this.enqueue(replica), signal);
  }

  private enqueue({ _id, storage }: Replica): Promise<void> {
    return this.jobs.add(replication, { replicaId: _id }, { id: `replica-${_id}`, storage });
  }

  @WorksOn(replication)
  async run({ replicaId }: ReplicaJob): Promise<void> {
    for (;;) {
      const replica = await this.replicas.find(replicaId);
      if (replica?.turn === undefined) return;
      await this.storages.requireHeld(replica.storage);
      if (replica.wants?.remove) await this.remove(replica);
      else {
        if (replica.wants?.sync) await this.sync(replica);
        if (replica.wants?.verify) await this.verify(replica);
        if (await this.replicas.settle(replica)) return;
      }
    }
  }

  private async sync(replica: Replica): Promise<void> {
    const located = this.locate(replica);
    const result = await this.bringUp(replica, located).catch((error: unknown): Synced => {
      const isMissing = error instanceof GitError && error.reason === 'replica_source_missing';
      return {
        outcome: isMissing ? 'missing_at_source' : 'failed',
        error: this.reasonOf(error, replica),
        made_anew: false,
      };
    });
    await this.publisher.publish(newEvent(replicaSynced, { ...(await this.stateOf(replica, located)), ...result }));
  }

  private async bringUp(replica: Replica, { engine, path }: Located): Promise<Synced> {
    const { madeAnew } = await engine.replicas.sync(path, await this.sourceOf(replica), replica.isDamaged);
    if (replica.isDamaged || !replica.isMade) await this.replicas.markMade(replica);
    // A new replica needs no maintenance.
    if (!madeAnew) await this.maintenance.countPush({ projectId: replica.projectId, storage: replica.storage });
    return { outcome: 'synced', error: null, made_anew: madeAnew };
  }

  private async sourceOf({ sealedUrl }: Replica): Promise<ReplicaSource> {
    const url = new URL(this.box.open(sealedUrl));
    const timeoutMs = this.settings.REPLICA_TIMEOUT * 1000;
    return {
      address: withoutCredentials(url, await this.outbound.routeToPrimary()),
      refs: () => this.outbound.refsOf(url, Math.min(timeoutMs, refsTimeoutMs)),
      pack: (request, use, signal) => this.outbound.packOf(url, request, use, signal),
      timeoutMs,
      maxBytes: this.settings.REPLICA_SIZE_LIMIT || undefined,
    };
  }

  private async verify(replica: Replica): Promise<void> {
    const located = this.locate(replica);
    const result = await this.lookOver(replica, located).catch(
      (error: unknown): Verified => ({ outcome: 'failed', error: this.reasonOf(error, replica) }),
    );
    await this.publisher.publish(newEvent(replicaVerified, { ...(await this.stateOf(replica, located)), ...result }));
  }

  private async lookOver(replica: Replica, { engine, path }: Located): Promise<Verified> {
    const damage = await engine.replicas.findDamage(path, this.settings.REPLICA_TIMEOUT * 1000);
    if (damage === null) return { outcome: 'intact', error: null };
    await this.replicas.markDamaged(replica);
    return { outcome: 'damaged', error: damage };
  }

  /** The record of the project is removed with its last replica. */
  private async remove(replica: Replica): Promise<void> {
    const { projectId } = replica;
    const { engine, path } = this.locate(replica);
    await engine.remove(path);
    const others = async () => (await this.replicas.listOf(projectId)).filter(({ _id }) => _id !== replica._id);
    if ((await others()).length === 0) await this.repositories.removeReplica(projectId);
    await this.replicas.remove(replica);
    // If code and wiki are removed concurrently, each may still see the other.
    if ((await this.replicas.listOf(projectId)).length === 0) await this.repositories.removeReplica(projectId);
    // A concurrent request may have found the record and created a replica.
    const left = (await this.replicas.listOf(projectId)).at(0);
    if (left) await this.repositories.addReplica(projectId, left.storage);
  }

  private locate({ projectId, storage, kind }: Replica): Located {
    return this.storages.locate({ id: projectId, storage }, kind);
  }

  private async stateOf({ projectId, kind }: Replica, { engine, path }: Located) {
    const checksum = await engine.replicas.checksum(path).catch(() => null);
    return { project_id: projectId, kind, checksum, ended_at: new Date().toISOString() };
  }

  /** @throws transient errors: the job is retried then */
  private reasonOf(error: unknown, { _id }: Replica): string {
    if (error instanceof GitError) {
      if (error.detail) this.log.log(`replica ${_id}: ${wordsOf(error)}`);
      return wordsOf(error);
    }
    if (isPassing(error)) throw error;
    this.log.error(`replica ${_id}: ${error instanceof Error ? error.stack : error}`);
    return 'it could not be copied; the log says why';
  }
}
