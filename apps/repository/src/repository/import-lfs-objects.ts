import type { IncomingMessage } from 'node:http';
import {
  callerInput,
  commonErrors,
  findLfsObjects,
  isPassing,
  lfsErrors,
  mostLfsObjects,
  OperationError,
  type ProjectRef,
  projectErrors,
  projectRefs,
  uploadLfsObject,
} from '@moothall/contracts';
import { sendBytes } from '@moothall/data-port';
import { checkedBytes } from '@moothall/files';
import { OperationClient } from '@moothall/messaging';
import { OutboundPolicies } from '@moothall/outbound';
import { settingsToken } from '@moothall/service';
import { Inject, Injectable } from '@nestjs/common';
import { type LfsPointer, pointerBytes, pointerOf } from '../lfs/lfs-pointer';
import {
  endpointOf,
  type LfsAnswer,
  type LfsRemote,
  lfsFailure,
  readObject,
  reasonOf,
  withEach,
} from '../lfs/lfs-remote';
import { Repositories } from '../record/repository.repository';
import type { RepositorySettings } from '../settings/settings';
import type { Located } from '../storage/storages';

/** Limit of objects in one import. */
const mostObjects = 100_000;

/** Reasons for not importing an object. */
const refusals = {
  too_large: lfsErrors.tooLarge,
  project_full: lfsErrors.projectFull,
  of_other_size: lfsErrors.wrongContent,
} as const;

/** Number of missing objects, and the reason of the first one. */
class Missing {
  private count = 0;
  private first = '';

  note({ oid }: LfsPointer, error: unknown): void {
    this.count += 1;
    this.first ||= `${oid}: ${reasonOf(error)}`;
  }

  words(all: number): string | null {
    return this.count === 0 ? null : lfsFailure(`${this.count} of ${all} objects are missing. ${this.first}`);
  }
}

/** Downloads the objects of Git LFS of an imported repository from its source. See docs/api/lfs.md#7. */
@Injectable()
export class ImportLfsObjects {
  constructor(
    private readonly client: OperationClient,
    private readonly policies: OutboundPolicies,
    private readonly repositories: Repositories,
    @Inject(settingsToken) private readonly settings: RepositorySettings,
  ) {}

  /**
   * Imports all objects of the repository's pointers that its project does not have. Idempotent.
   * @param source http or https URL, with name and password; other URLs have no objects
   * @param until time limit
   * @returns the reason why some are missing, in words; null if all were imported
   * @throws transient errors: the import is retried then
   */
  async bring(located: Located, projectId: number, source: URL, until: number): Promise<string | null> {
    const signal = AbortSignal.timeout(Math.max(0, until - Date.now()));
    try {
      return await this.bringAll(located, projectId, source, signal);
    } catch (error) {
      if (error instanceof OperationError && isPassing(error)) throw error;
      if (error instanceof OperationError && error.code === projectErrors.notFound.code) return null;
      return lfsFailure(signal.aborted ? 'it took too long' : reasonOf(error));
    }
  }

  private async bringAll(located: Located, projectId: number, source: URL, signal: AbortSignal) {
    const pointers = await pointersIn(located, this.settings.IMPORT_TIMEOUT * 1000);
    if (pointers.length === 0) return null;
    const project = await this.projectOf(projectId);
    if (!project?.lfsEnabled) return null;
    if (!source.protocol.startsWith('http')) throw new Error('objects can only be fetched over http and https');
    const policy = await this.policies.ofServices();
    const remote = { repository: source, policy, signal, endpoint: async () => endpointOf(source) };
    const missing = new Missing();
    for (let at = 0; at < Math.min(pointers.length, mostObjects); at += mostLfsObjects) {
      const wanted = await this.wantedOf(pointers.slice(at, at + mostLfsObjects), project, missing);
      await withEach(wanted, 'download', remote, async (object, answer) => {
        signal.throwIfAborted();
        await this.take(object, answer, project, remote).catch((error: unknown) => {
          if (isOurs(error) || signal.aborted) throw error;
          missing.note(object, error);
        });
      });
    }
    for (const pointer of pointers.slice(mostObjects))
      missing.note(pointer, `an import brings ${mostObjects} objects at most`);
    return missing.words(pointers.length);
  }

  /** @returns undefined if it was deleted @throws common.unavailable if it is still being created */
  private async projectOf(id: number): Promise<ProjectRef | undefined> {
    const [project] = await this.client.call(projectRefs, { ids: [id], ...callerInput(undefined) });
    if (!project && (await this.repositories.find(id))) throw commonErrors.unavailable();
    return project;
  }

  /** Objects that are missing and allowed. */
  private async wantedOf(pointers: LfsPointer[], project: ProjectRef, missing: Missing): Promise<LfsPointer[]> {
    const small = pointers.filter(({ size }) => size <= this.settings.MAX_UPLOAD);
    for (const pointer of pointers) if (!small.includes(pointer)) missing.note(pointer, lfsErrors.tooLarge());
    const asked = { objects: small, to_upload: true, most_bytes: this.settings.MAX_UPLOAD };
    const found = await this.client.call(findLfsObjects, asked, { project });
    return found.flatMap(({ oid, size, state }) => {
      if (state === 'missing') return [{ oid, size }];
      if (state !== 'there') missing.note({ oid, size }, refusals[state]());
      return [];
    });
  }

  private async take(
    object: LfsPointer,
    answer: LfsAnswer | undefined,
    project: ProjectRef,
    remote: LfsRemote,
  ): Promise<void> {
    if (answer?.error) throw new Error(answer.error.message);
    const download = answer?.actions?.download;
    if (!download) throw new Error('the other server gives no download address');
    await readObject(download, remote, (bytes) => this.pass(object, bytes, project));
  }

  /** Distinguishes failures: those of the other server are reported, our own are retried. */
  private async pass({ oid, size }: LfsPointer, bytes: IncomingMessage, project: ProjectRef): Promise<void> {
    // `checkedBytes` reports its errors once it is read; until then an error must not end the process.
    bytes.on('error', () => undefined);
    let theirs: unknown;
    const refusal = () => new Error('the content from the other server does not match the object');
    const checked = checkedBytes(bytes, { sha256: oid, sizeBytes: size }, { refusal });
    const noted = noting(checked, (error) => {
      theirs = error;
    });
    const to = await this.client.call(uploadLfsObject, { oid, size, most_bytes: size }, { project });
    await sendBytes(to, noted, size).catch((error: unknown) => {
      throw theirs ?? (error instanceof OperationError ? error : commonErrors.unavailable());
    });
  }
}

/** Objects of all pointers in the history of all branches and tags. */
async function pointersIn({ engine, path }: Located, withinMs: number): Promise<LfsPointer[]> {
  const found = new Map<string, LfsPointer>();
  for await (const contents of engine.smallBlobs.all(path, pointerBytes, withinMs)) {
    for (const content of contents) {
      const pointer = pointerOf(content);
      if (pointer) found.set(pointer.oid, pointer);
    }
    // One more than the limit shows that there are more.
    if (found.size > mostObjects) break;
  }
  return [...found.values()];
}

async function* noting(bytes: AsyncIterable<Buffer>, note: (error: unknown) => void): AsyncGenerator<Buffer> {
  try {
    yield* bytes;
  } catch (error) {
    note(error);
    throw error;
  }
}

const isOurs = (error: unknown): boolean => error instanceof OperationError && !error.code.startsWith('lfs.');
