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

/** Most objects of one import. */
const mostObjects = 100_000;

/** What an object is not brought for. */
const refusals = {
  too_large: lfsErrors.tooLarge,
  project_full: lfsErrors.projectFull,
  of_other_size: lfsErrors.wrongContent,
} as const;

/** Objects that did not come, and why the first of them did not. */
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
   * All that the repository's pointers name and its project has not. May run twice.
   * @param source by http or https, with name and password; of others nothing can be had
   * @param until when it is given up
   * @returns why not all are there, in words; null when they are
   * @throws what passes: then it is to be tried again
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

  /** @returns undefined where it is gone @throws common.unavailable where it is still being made */
  private async projectOf(id: number): Promise<ProjectRef | undefined> {
    const [project] = await this.client.call(projectRefs, { ids: [id], ...callerInput(undefined) });
    if (!project && (await this.repositories.find(id))) throw commonErrors.unavailable();
    return project;
  }

  /** Those that are not there yet and may come. */
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

/** Objects that files of the repository stand for, on whichever branch or tag, now or before. */
async function pointersIn({ engine, path }: Located, withinMs: number): Promise<LfsPointer[]> {
  const found = new Map<string, LfsPointer>();
  for await (const contents of engine.smallBlobs.all(path, pointerBytes, withinMs)) {
    for (const content of contents) {
      const pointer = pointerOf(content);
      if (pointer) found.set(pointer.oid, pointer);
    }
    // One object above the limit shows that there are more.
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
