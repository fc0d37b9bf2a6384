import path from 'node:path';
import { present } from '@moothall/contracts';
import { mongo } from 'mongoose';
import { storageFolder } from '../backup/manifest';
import type { Places } from '../backup/places';
import type { Children } from './children';
import { EventsAndJobs } from './events-and-jobs';
import { KeptDocuments } from './kept-documents';
import { KeptFolder } from './kept-folder';

interface Server {
  children: Children;
  beneath: { mongodbUri: string; natsUrl: string; redisUrl: string };
  /** Names of its databases begin with it. */
  prefix: string;
  places: Places;
  /** A folder that nobody else uses. */
  keptFolder: string;
}

/** Objects of git are found by refs, and these are put back; processes that read them look at their files. */
const isObjects = (folder: string): boolean => /\.git\/objects(\/|$)/.test(folder);

/** Everything of a server as it is at one moment, to have it so again in a moment, while its processes run on. */
export class Reset {
  private last: Promise<void> = Promise.resolve();

  private constructor(
    private readonly server: Server,
    private readonly client: mongo.MongoClient,
    private readonly eventsAndJobs: EventsAndJobs,
    private readonly documents: KeptDocuments,
    private readonly folders: KeptFolder[],
  ) {}

  /** Keeps how it is once all is done that follows from what happened so far. */
  static async prepare(server: Server): Promise<Reset> {
    const { children, beneath, prefix, places, keptFolder } = server;
    const client = await new mongo.MongoClient(beneath.mongodbUri).connect();
    const eventsAndJobs = await EventsAndJobs.open(beneath.natsUrl, beneath.redisUrl);
    await eventsAndJobs.settle();
    const kept: { documents?: KeptDocuments; folders: KeptFolder[] } = { folders: [] };
    await children.whileHeld(async () => {
      kept.documents = await KeptDocuments.keep(client, prefix);
      kept.folders = foldersOf(places).map(
        ([place, folder]) => new KeptFolder(folder, path.join(keptFolder, place), isObjects),
      );
    }, 'release');
    return new Reset(server, client, eventsAndJobs, present(kept.documents, 'what was kept'), kept.folders);
  }

  /** One after the other. @throws Error when something under way does not end; nothing is changed then */
  putBack(): Promise<void> {
    const next = this.last.then(() => this.server.children.whileHeld(() => this.putBackHeld(), 'release as new'));
    this.last = next.catch(() => undefined);
    return next;
  }

  private async putBackHeld(): Promise<void> {
    for (const folder of this.folders) folder.putBack();
    await Promise.all([this.documents.putBack(), this.eventsAndJobs.forget()]);
  }

  async close(): Promise<void> {
    await this.last;
    await Promise.all([this.client.close(), this.eventsAndJobs.close()]);
  }
}

/** Of a storage only the repositories: what else is there is its process's. Host keys stay. */
function foldersOf({ ssh: _, ...places }: Places): [string, string][] {
  return Object.entries(places).map(([place, folder]) => [
    place,
    place.startsWith(`${storageFolder}/`) ? path.join(folder, '@hashed') : folder,
  ]);
}
