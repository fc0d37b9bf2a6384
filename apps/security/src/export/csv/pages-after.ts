import { setImmediate } from 'node:timers/promises';
import type { mongo } from 'mongoose';
import type { VulnerabilityDocument } from '../../vulnerability/vulnerability.schema';
import { BsonReader } from './bson-reader';
import type { ExportedFields } from './csv-row';
import type { Position } from './position';

type ExportedRow = ExportedFields & Pick<VulnerabilityDocument, '_id' | 'projectId'>;

export interface Page {
  severityRank: number;
  rows: ExportedRow[];
}

/** What an export is of. */
export interface Selection {
  /** Ascending. */
  projectIds: readonly number[];
  /** How many there are. */
  severities: number;
}

/** Where a page begins: at the first row of a severity in a project, or behind one of its rows. */
interface Place {
  severityRank: number;
  /** Which of the projects. */
  at: number;
  afterId: number | null;
}

/** A page is some megabyte at most of what scanners usually say, and the thread is busy with it for some milliseconds. */
const pageRows = 1_000;
/** More would make a query longer than what it finds. */
const projectsPerQuery = 100;

/** Whole fields: the database copies these without reading them. */
const projection = {
  projectId: 1,
  reportType: 1,
  scanner: 1,
  state: 1,
  title: 1,
  description: 1,
  message: 1,
  severity: 1,
  cve: 1,
} as const;

/**
 * Rows of an export behind one, in their order, page by page: the next is on its way while one is used. Each query goes by
 * the index on project, severity and number, so that nothing is sorted.
 */
export async function* pagesAfter(
  database: mongo.Db,
  { projectIds, severities }: Selection,
  after: Position | null,
): AsyncGenerator<Page> {
  const reader = new BsonReader();
  const ask = (place: Place) => find(database, filterOf(place, projectIds));
  const begun = after ? placeBehind(after, projectIds) : { severityRank: 0, at: 0, afterId: null };
  let place = existing(begun, projectIds, severities);
  for (let coming = place && ask(place); place && coming; ) {
    const { severityRank } = place;
    const answer = await coming;
    const starts = reader.startsOf(answer);
    const rowAt = (start: number) => reader.read(answer, start) as unknown as ExportedRow;
    // The last row alone says what to ask for next, so that the database works on while the others are read.
    const last = starts.length > 0 ? rowAt(starts.at(-1) as number) : null;
    place = existing(following(place, last, projectIds), projectIds, severities);
    coming = place && ask(place);
    // Whoever has enough of them wants to know nothing of the next.
    coming?.catch(() => undefined);
    // It is on its way before this thread is busy.
    await setImmediate();
    if (last) yield { severityRank, rows: starts.map(rowAt) };
  }
}

/** The project may be no longer among those of the export. */
function placeBehind({ severityRank, projectId, id }: Position, projectIds: readonly number[]): Place {
  const at = projectIds.findIndex((other) => other >= projectId);
  if (at < 0) return { severityRank: severityRank + 1, at: 0, afterId: null };
  return { severityRank, at, afterId: projectIds[at] === projectId ? id : null };
}

function filterOf({ severityRank, at, afterId }: Place, projectIds: readonly number[]) {
  if (afterId !== null) return { projectId: projectIds[at], severityRank, _id: { $gt: afterId } };
  return { projectId: { $in: projectIds.slice(at, at + projectsPerQuery) }, severityRank };
}

/** Fewer rows than were asked for are no end: the database cuts what is larger than its answers may be. */
function following(
  { severityRank, at, afterId }: Place,
  last: ExportedRow | null,
  projectIds: readonly number[],
): Place {
  if (last) return { severityRank, at: projectIds.indexOf(last.projectId, at), afterId: last._id };
  return { severityRank, at: at + (afterId === null ? projectsPerQuery : 1), afterId: null };
}

/** The place itself, or the beginning of the next severity where that has no project more; null behind the last. */
function existing(place: Place, projectIds: readonly number[], severities: number): Place | null {
  const here = place.at < projectIds.length ? place : { severityRank: place.severityRank + 1, at: 0, afterId: null };
  return here.severityRank < severities && projectIds.length > 0 ? here : null;
}

/**
 * As bytes: the driver would make some objects of each document, and the memory of this thread costs more than its work.
 * @returns a cursor without anything behind its first batch
 */
async function find(database: mongo.Db, filter: object): Promise<Buffer> {
  const sort = { projectId: 1, severityRank: 1, _id: 1 };
  const limit = { limit: pageRows, batchSize: pageRows, singleBatch: true };
  const { cursor } = await database.command(
    { find: 'vulnerabilities', filter, sort, projection, ...limit },
    { raw: true },
  );
  const { buffer, byteOffset, length } = cursor as Uint8Array;
  return Buffer.from(buffer, byteOffset, length);
}
