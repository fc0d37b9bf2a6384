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
  /** Key in the object storage. */
  key: string;
  projects: ReadonlyMap<number, ProjectNames>;
  /** Number of severities. */
  severities: number;
  /** Position after the previous part; null for the first. */
  after: Position | null;
  rows: number;
}

export interface WrittenPart {
  sizeBytes: number;
  /** Position after its last row; null if there are no more rows. */
  position: Position | null;
}

/** Only for projects that are still in the selection. */
function* rowsOf(written: ExportedRow[], projects: Part['projects']): Generator<string[]> {
  for (const found of written) {
    const names = projects.get(found.projectId);
    if (names) yield rowOf(found, names);
  }
}

/** Runs in a thread with its own connection, so a million rows do not block the event loop. See PartWriter. */
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
