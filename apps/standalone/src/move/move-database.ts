import { existsSync } from 'node:fs';
import path from 'node:path';
import { requireSafe } from '@moothall/database/commands';
import { startEmbeddedMongo } from '@moothall/infrastructure';
import type { mongo } from 'mongoose';
import { endLeftovers } from '../data-folder/end-leftovers';
import { lockDataFolder } from '../data-folder/lock-data-folder';
import { type DataFolder, openDataFolder } from '../data-folder/open-data-folder';
import { fired } from '../stop-signals';
import { type Content, isSame } from './content';
import { collectionsOf, type MovingCollection } from './move-collection';
import { MoveError } from './move-error';
import { connect, databasesOf, type Origin, Progress } from './progress';

/** The result of a move from a data folder to a MongoDB. */
export interface Moved {
  collections: (Content & { namespace: string; indexes: number })[];
}

interface Wanted {
  /** URI of the MongoDB. */
  uri: string;
  say: (text: string) => void;
  /** Stops it, after the current batch. */
  stop: AbortSignal;
}

/**
 * Copies the embedded database of a stopped server to an empty MongoDB, and compares both. If it is killed at any line,
 * the next call resumes: a record that is written first describes the copy, and existing documents are not written
 * again. The source does not change.
 * @throws MoveError, and StartError if a server runs on the folder
 */
export async function moveDatabase(root: string, { uri, say, stop }: Wanted): Promise<Moved> {
  requireUsable(uri);
  if (!existsSync(path.join(root, 'embedded-mongo')))
    throw new MoveError(`${root} has no embedded database: set MOOTHALL_DATA_DIR to the folder that has it.`);
  const folder = openDataFolder(root);
  const unlock = lockDataFolder(folder.place.runFolder);
  try {
    return await moveFrom(folder, { uri, say, stop });
  } finally {
    unlock();
  }
}

function requireUsable(uri: string): void {
  try {
    requireSafe(uri);
  } catch (error) {
    throw new MoveError((error as Error).message);
  }
}

async function moveFrom({ root, place }: DataFolder, { uri, say, stop }: Wanted): Promise<Moved> {
  const target = await connect(uri);
  try {
    await endLeftovers(place.runFolder);
    // Without expiry: expired documents would be deleted here, but not there yet.
    const embedded = await startEmbeddedMongo({ ...place, signal: stop }, { keepsExpired: true });
    try {
      const source = await connect(embedded.uri);
      try {
        return await Promise.race([new Move(source, target, say).run(root), untilStopped(stop)]);
      } finally {
        await source.close();
      }
    } finally {
      await embedded.program.stop();
    }
  } finally {
    await target.close();
  }
}

async function untilStopped(stop: AbortSignal): Promise<never> {
  await fired(stop);
  throw new MoveError('Stopped before the end. Run the same command again to continue.');
}

class Move {
  constructor(
    private readonly source: mongo.MongoClient,
    private readonly target: mongo.MongoClient,
    private readonly say: (text: string) => void,
  ) {}

  async run(root: string): Promise<Moved> {
    const { collections, origins } = await this.list();
    if (collections.length === 0) throw new MoveError(`The database of ${root} is empty.`);
    const progress = await Progress.on(this.target, root, origins);
    await this.copyAll(collections, progress);
    const contents = new Map((progress.state.contents ?? []).map((one) => [one.namespace, one]));
    const moved: Moved['collections'] = [];
    for (const collection of collections) {
      const content = contents.get(collection.namespace);
      if (!content) throw progress.changed(`${collection.namespace} came to the data folder`);
      const indexes = await collection.finish();
      moved.push({ ...content, indexes });
    }
    if (!progress.state.finishedAt) await progress.note({ finishedAt: new Date() });
    return { collections: moved };
  }

  private async list(): Promise<{ collections: MovingCollection[]; origins: Origin[] }> {
    const found = [];
    for (const name of (await databasesOf(this.source)).sort())
      found.push(...(await collectionsOf(this.source.db(name), this.target.db(name))));
    return {
      collections: found.map(({ collection }) => collection),
      origins: found.map(({ collection: { namespace }, id }) => ({ namespace, id })),
    };
  }

  /**
   * After the comparison the target may be in use and is not compared again; only changes of the source are checked.
   */
  private async copyAll(collections: readonly MovingCollection[], progress: Progress): Promise<void> {
    const { contents: compared } = progress.state;
    const contents: (Content & { namespace: string })[] = [];
    for (const collection of collections) {
      const { namespace } = collection;
      const content = compared
        ? await collection.read('source')
        : await this.copyOne(collection, () => progress.changed(`${namespace} was changed, here or there,`));
      contents.push({ namespace, ...content });
    }
    if (!compared) return progress.note({ contents });
    const kept = new Map(contents.map((one) => [one.namespace, one]));
    for (const { namespace, ...before } of compared) {
      const now = kept.get(namespace);
      if (!now || !isSame(before, now)) throw progress.changed(`${namespace} was changed in the data folder`);
    }
  }

  private async copyOne(collection: MovingCollection, changed: () => MoveError): Promise<Content> {
    const content = await collection.copy(changed);
    const there = await collection.read('target');
    if (!isSame(content, there)) throw changed();
    this.say(`${collection.namespace}: ${content.documents} documents, the same there`);
    return content;
  }
}
