import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { eachAlone, PeriodicJob } from '@moothall/background';
import { type EventData, type EventRecord, projectDeleted, repositoryPushed, wordsOf } from '@moothall/contracts';
import { Jobs, jobQueue, WorksOn } from '@moothall/jobs';
import { OnEvent } from '@moothall/messaging';
import { removeTemporaryFolder, temporaryFolder } from '@moothall/processes';
import { SecretBox } from '@moothall/secrets';
import { settingsToken } from '@moothall/service';
import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { GitError } from '../git/process/errors';
import { type SshFiles, withoutCredentials } from '../git/transport/remote-address';
import { lfsFailure } from '../lfs/lfs-remote';
import { GitOutbound } from '../outbound/git-outbound';
import { ProtectedRefs } from '../protection/protected-ref.repository';
import type { RepositorySettings } from '../settings/settings';
import { Storages } from '../storage/storages';
import { endpointOverSsh, type SshRepository } from './lfs-over-ssh';
import { MirrorLfsObjects } from './mirror-lfs-objects';
import { RemoteMirrors } from './remote-mirror.repository';
import type { RemoteMirror } from './remote-mirror.schema';

interface MirrorJob {
  mirrorId: number;
}

/** MongoDB stores due times and results, so a job has one attempt. */
const mirrorPushes = jobQueue<MirrorJob>({
  name: 'repository.mirror-push',
  concurrency: 4,
  attempts: 1,
  perStorage: true,
});

const pushWithinMs = 25 * 60_000;

/** After so many failures, a mirror waits for the next push to the project. */
const maxFailures = 8;

/** Pushes projects to their mirrors: after each push, with a minimum interval per mirror, and again after a failure. */
@Injectable()
export class MirrorPushes implements OnApplicationBootstrap {
  private readonly log = new Logger(MirrorPushes.name);

  constructor(
    private readonly mirrors: RemoteMirrors,
    private readonly refs: ProtectedRefs,
    private readonly storages: Storages,
    private readonly outbound: GitOutbound,
    private readonly lfsObjects: MirrorLfsObjects,
    private readonly box: SecretBox,
    private readonly jobs: Jobs,
    @Inject(settingsToken) private readonly settings: RepositorySettings,
  ) {}

  /**
   * Pushes are coalesced: two requests lead to one push, at the earlier due time.
   * @param changes fields of the mirror, stored with the request
   */
  async want(
    { _id, startedAt }: RemoteMirror,
    storage: string,
    { isUrgent = false, changes = {} }: { isUrgent?: boolean; changes?: Partial<RemoteMirror> } = {},
  ): Promise<RemoteMirror> {
    const waits = isUrgent ? 0 : this.settings.MIRROR_INTERVAL * 1000;
    const dueAt = new Date(Math.max(Date.now(), (startedAt?.getTime() ?? 0) + waits));
    const wanted = await this.mirrors.want(_id, dueAt, { ...changes, storage });
    await this.begin(wanted);
    return wanted;
  }

  /** Queues a push if it is due. If Redis is down, the periodic job finds it. */
  async begin({ _id, dueAt, storage }: RemoteMirror): Promise<void> {
    if (!dueAt || dueAt.getTime() > Date.now()) return;
    await this.enqueue(_id, storage).catch((error: unknown) =>
      this.log.warn(`mirror ${_id} is not queued yet: ${error}`),
    );
  }

  @OnEvent(repositoryPushed, 'MirrorPushes-afterPush')
  async afterPush({ data }: EventRecord<EventData<typeof repositoryPushed>>): Promise<void> {
    for (const mirror of await this.mirrors.listEnabled(data.project_id)) {
      if (this.storages.names.includes(mirror.storage)) await this.want(mirror, mirror.storage);
    }
  }

  @OnEvent(projectDeleted, 'MirrorPushes-forgetProject')
  async forgetProject({ data }: EventRecord<EventData<typeof projectDeleted>>): Promise<void> {
    await this.mirrors.removeOfProject(data.project_id);
  }

  async onApplicationBootstrap(): Promise<void> {
    for (const storage of this.storages.names) await this.mirrors.restart(storage);
  }

  /** Queues due pushes, also those that Redis lost. */
  @PeriodicJob('due mirrors', { everySeconds: 5, byEach: true })
  async queueDue(signal?: AbortSignal): Promise<void> {
    const due = await this.mirrors.listDue(this.storages.names);
    await eachAlone(due, ({ _id, storage }) => this.enqueue(_id, storage), signal);
  }

  private enqueue(mirrorId: number, storage: string): Promise<void> {
    return this.jobs.add(mirrorPushes, { mirrorId }, { id: `mirror-${mirrorId}`, storage });
  }

  @WorksOn(mirrorPushes)
  async run({ mirrorId }: MirrorJob): Promise<void> {
    const mirror = await this.mirrors.start(mirrorId);
    if (!mirror) return;
    const error = await this.push(mirror).catch((failure: unknown) => {
      if (!(failure instanceof GitError)) this.log.error(failure instanceof Error ? failure.stack : failure);
      return failure instanceof GitError ? wordsOf(failure) : 'the push failed';
    });
    // A concurrent request makes it read the mirror again.
    while (!(await this.finish(mirror, error)));
  }

  /** @returns what could not be pushed, in words; null if everything was */
  private async push(mirror: RemoteMirror): Promise<string | null> {
    const { engine, path: repository } = this.storages.locate({ id: mirror.projectId, storage: mirror.storage });
    const refs = mirror.onlyProtectedBranches ? await this.protectedRefs(mirror) : undefined;
    const folder = temporaryFolder('mirror');
    try {
      const ssh = await this.writeSshFiles(mirror, folder);
      const url = new URL(this.box.open(mirror.sealedUrl));
      const address = withoutCredentials(url, await this.outbound.route(), ssh);
      if ((await engine.refs.list(repository, 'heads')).length === 0) return null;
      const notSent = await this.sendLfsObjects(mirror, { engine, url, address });
      const options = { address, refs, keepsDivergent: mirror.keepsDivergentRefs, timeoutMs: pushWithinMs };
      try {
        const refused = await engine.mirrors.push(repository, options);
        if (refused.length === 0) return notSent;
        const notPushed = `Some refs have not been updated on the remote: ${refused.join(', ')}`;
        return notSent === null ? notPushed : `${notSent}\n${notPushed}`;
      } finally {
        await this.keepKnownHosts(mirror, ssh);
      }
    } finally {
      await removeTemporaryFolder(folder);
    }
  }

  /**
   * Objects come before the commits that point to them. If they cannot be sent, the commits are pushed anyway.
   * @returns the reason why objects are missing
   */
  private async sendLfsObjects(
    { _id, projectId, lfsObjects = '' }: RemoteMirror,
    target: Omit<SshRepository, 'signal'>,
  ): Promise<string | null> {
    const { url } = target;
    if (url.protocol === 'git:') return null;
    const signal = AbortSignal.timeout(pushWithinMs);
    const endpoint = url.protocol === 'ssh:' ? endpointOverSsh({ ...target, signal }) : undefined;
    try {
      const sent = await this.lfsObjects.send(projectId, url, lfsObjects, signal, endpoint);
      if (sent !== lfsObjects) await this.mirrors.change(_id, { lfsObjects: sent });
      return null;
    } catch (error) {
      return lfsFailure(error);
    }
  }

  private async protectedRefs({ projectId, storage }: RemoteMirror): Promise<string[]> {
    const { engine, path: repository } = this.storages.locate({ id: projectId, storage });
    const protections = await this.refs.readProtections(projectId);
    const branches = await engine.refs.list(repository, 'heads');
    return branches
      .filter(({ name }) => protections.isProtected('branch', name))
      .map(({ name }) => `refs/heads/${name}`);
  }

  private async writeSshFiles({ sshKey, knownHosts }: RemoteMirror, folder: string): Promise<SshFiles | undefined> {
    if (!sshKey) return undefined;
    const files = {
      key: path.join(folder, 'key'),
      knownHosts: path.join(folder, 'known_hosts'),
      isKnown: knownHosts !== '',
    };
    await writeFile(files.key, this.box.open(sshKey.sealedPrivateKey), { mode: 0o600 });
    await writeFile(files.knownHosts, knownHosts, { mode: 0o600 });
    return files;
  }

  private async keepKnownHosts({ _id, knownHosts }: RemoteMirror, ssh: SshFiles | undefined): Promise<void> {
    const seen = ssh && (await readFile(ssh.knownHosts, 'utf8').catch(() => knownHosts));
    if (seen && seen !== knownHosts) await this.mirrors.change(_id, { knownHosts: seen });
  }

  /** @returns false if a push was requested meanwhile */
  private async finish(mirror: RemoteMirror, error: string | null): Promise<boolean> {
    const present = await this.mirrors.find(mirror._id);
    if (!present) return true;
    const now = new Date();
    // The project was pushed to meanwhile: the next push follows after the usual interval.
    const isWantedAgain = (present.wantedAt?.getTime() ?? 0) > (mirror.startedAt?.getTime() ?? 0);
    const failures = error === null ? 0 : mirror.failures + 1;
    const pauseMs = error === null ? this.settings.MIRROR_INTERVAL * 1000 : Math.min(2 ** failures * 30_000, 3_600_000);
    const goesOn = isWantedAgain || (error !== null && failures < maxFailures);
    return this.mirrors.end(present, {
      status: error === null ? 'finished' : failures < maxFailures ? 'to_retry' : 'failed',
      lastError: error,
      updatedAt: now,
      failures,
      dueAt: goesOn ? new Date(now.getTime() + pauseMs) : null,
      ...(error === null && { succeededAt: now }),
      ...(!goesOn && { wantedAt: null }),
    });
  }
}
