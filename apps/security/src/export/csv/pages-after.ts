import { setImmediate } from 'node:timers/promises';
import type { mongo } from 'mongoose';
import type { VulnerabilityDocument } from '../../vulnerability/vulnerability.schema';
import { BsonReader } from './bson-reader';
import type { ExportedFields } from './csv-row';
import type { Position } from './position';

export type ExportedRow = ExportedFields & Pick<VulnerabilityDocument, '_id' | 'projectId'>;

export interface Page {
  severityRank: number;
  rows: ExportedRow[];
}

/** A page of rows that is not decoded yet. */
interface Answer {
  severityRank: number;
  answer: Buffer;
  /** Positions of its rows. */
  starts: number[];
}

/** The selection of an export. */
export interface Selection {
  /** Ascending. */
  projectIds: readonly number[];
  /** Number of severities. */
  severities: number;
}

/** Start of a page: the first row of a severity in a project, or after one of its rows. */
interface PageStart {
  severityRank: number;
  /** Index of the project. */
  at: number;
  afterId: number | null;
}

/** About half a megabyte for usual findings. */
const pageRows = 1_000;
/** Enough to keep the database busy. */
const pagesAhead = 2;
/** The event loop is blocked for a millisecond or two. */
const rowsAtOnce = 250;
/** Larger queries would exceed the size of their results. */
const projectsPerQuery = 100;

/** Whole fields, which the database copies without decoding. */
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
 * Rows of an export after a position, in order and in pages; further pages are requested while one is used. Each query
 * uses the index on project, severity and number, so nothing is sorted.
 */
export async function* pagesAfter(
  database: mongo.Db,
  selection: Selection,
  after: Position | null,
): AsyncGenerator<Page> {
  const reader = new BsonReader();
  for await (const { severityRank, answer, starts } of ahead(answersAfter(database, reader, selection, after))) {
    for (let from = 0; from < starts.length; from += rowsAtOnce) {
      // Answers that arrived meanwhile are processed, and the next ones requested.
      await setImmediate();
      const rows = starts.slice(from, from + rowsAtOnce).map((start) => rowAt(reader, answer, start));
      yield { severityRank, rows };
    }
  }
}

/** Only the last row of each answer is decoded, which determines the next query. */
async function* answersAfter(
  database: mongo.Db,
  reader: BsonReader,
  { projectIds, severities }: Selection,
  after: Position | null,
): AsyncGenerator<Answer> {
  const begun = after ? startBehind(after, projectIds) : { severityRank: 0, at: 0, afterId: null };
  let start = existing(begun, projectIds, severities);
  while (start) {
    const { severityRank } = start;
    const answer = await find(database, filterOf(start, projectIds));
    const starts = reader.startsOf(answer);
    const last = starts.at(-1);
    const lastRow = last === undefined ? null : rowAt(reader, answer, last);
    start = existing(following(start, lastRow, projectIds), projectIds, severities);
    yield { severityRank, answer, starts };
  }
}

const rowAt = (reader: BsonReader, answer: Buffer, start: number) =>
  reader.read(answer, start) as unknown as ExportedRow;

/** The same items, some of which are requested ahead. */
async function* ahead<T>(source: AsyncGenerator<T>): AsyncGenerator<T> {
  const coming: Promise<IteratorResult<T>>[] = [];
  const ask = () => {
    const next = source.next();
    // A reader that stops does not need the next one.
    next.catch(() => undefined);
    coming.push(next);
  };
  for (let asked = 0; asked < pagesAhead; asked++) ask();
  for (let next = coming.shift(); next; next = coming.shift()) {
    const { done, value } = await next;
    if (done) return;
    ask();
    yield value;
  }
}

/** The project may have left the selection. */
function startBehind({ severityRank, projectId, id }: Position, projectIds: readonly number[]): PageStart {
  const at = projectIds.findIndex((other) => other >= projectId);
  if (at < 0) return { severityRank: severityRank + 1, at: 0, afterId: null };
  return { severityRank, at, afterId: projectIds[at] === projectId ? id : null };
}

function filterOf({ severityRank, at, afterId }: PageStart, projectIds: readonly number[]) {
  if (afterId !== null) return { projectId: projectIds[at], severityRank, _id: { $gt: afterId } };
  return { projectId: { $in: projectIds.slice(at, at + projectsPerQuery) }, severityRank };
}

/** An answer with fewer rows than requested is not the end: the database cuts answers at its size limit. */
function following(
  { severityRank, at, afterId }: PageStart,
  last: ExportedRow | null,
  projectIds: readonly number[],
): PageStart {
  if (last) return { severityRank, at: projectIds.indexOf(last.projectId, at), afterId: last._id };
  return { severityRank, at: at + (afterId === null ? projectsPerQuery : 1), afterId: null };
}

/** The start itself, or the beginning of the next severity after the last project; null after the last one. */
function existing(start: PageStart, projectIds: readonly number[], severities: number): PageStart | null {
  const here = start.at < projectIds.length ? start : { severityRank: start.severityRank + 1, at: 0, afterId: null };
  return here.severityRank < severities && projectIds.length > 0 ? here : null;
}

/**
 * As bytes: the driver would create several objects per document, and memory of this thread costs more than CPU time.
 * @returns a cursor with the first batch only
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
