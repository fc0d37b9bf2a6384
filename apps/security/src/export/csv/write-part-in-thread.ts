import { Readable } from 'node:stream';
import { whileConnected } from '@moothall/database/while-connected';
import { type ObjectStorageSettings, openObjectStorage } from '@moothall/object-storage';
import { CsvBlocks } from './csv-blocks';
import { header, type ProjectNames, rowOf } from './csv-row';
import { type ExportedRow, pagesAfter } from './pages-after';
import type { Position } from './position';

export interface Part {
  database: { uri: string; name: string };
  storage: ObjectStorageSettings;
  /** Under which it is stored. */
  key: string;
  projects: ReadonlyMap<number, ProjectNames>;
  /** How many severities there are. */
  severities: number;
  /** Behind the part before; null for the first. */
  after: Position | null;
  rows: number;
}

export interface WrittenPart {
  sizeBytes: number;
  /** Behind its last row; null when no more rows come. */
  position: Position | null;
}

/** Of projects that are still among those of the export. */
function* rowsOf(written: ExportedRow[], projects: Part['projects']): Generator<string[]> {
  for (const found of written) {
    const names = projects.get(found.projectId);
    if (names) yield rowOf(found, names);
  }
}

/** Runs in a thread with a connection of its own: others on the event loop notice nothing of a million rows. See PartWriter. */
export default async function writePart(part: Part): Promise<WrittenPart> {
  const { database, storage, key, projects, severities, after } = part;
  return whileConnected(database, async (connected) => {
    const selection = { projectIds: [...projects.keys()], severities };
    let position = after;
    let left = part.rows;
    const blocks = async function* () {
      const csv = new CsvBlocks();
      if (after === null) yield csv.block([header]);
      for await (const { severityRank, rows } of pagesAfter(connected, selection, after)) {
        const written = rows.slice(0, left);
        yield csv.block(rowsOf(written, projects));
        left -= written.length;
        const last = written.at(-1);
        if (last) position = { severityRank, projectId: last.projectId, id: last._id };
        if (left === 0) break;
      }
      yield csv.rest();
    };
    const lines = Readable.from(blocks(), { objectMode: false });
    const { sizeBytes } = await openObjectStorage('security', storage).write(key, lines);
    return { sizeBytes, position: left === 0 ? position : null };
  });
}
