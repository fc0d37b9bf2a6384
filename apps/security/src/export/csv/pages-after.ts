import { setImmediate } from 'node:timers/promises';
import type { mongo } from 'mongoose';
import type { VulnerabilityDocument } from '../../vulnerability/vulnerability.schema';
import { BsonReader } from './bson-reader';
import type { ExportedFields } from './csv-row';
import type { Position } from './position';

type Rows = mongo.Collection<VulnerabilityDocument>;

type ExportedRow = ExportedFields & Pick<VulnerabilityDocument, '_id' | 'projectId'>;

export interface Page {
  severityRank: number;
  rows: ExportedRow[];
}

/** A page keeps the database, and the thread, for some milliseconds. */
const pageRows = 500;

/** Whole fields: the database copies these without reading them. */
const shown = {
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
 * @param projectIds ascending
 * @param severities how many there are
 */
export async function* pagesAfter(
  rows: Rows,
  projectIds: readonly number[],
  after: Position | null,
  severities: number,
): AsyncGenerator<Page> {
  if (after) {
    const { severityRank, projectId, id } = after;
    yield* pagesOf(rows, severityRank, { projectId, _id: { $gt: id } });
  }
  for (let severityRank = after?.severityRank ?? 0; severityRank < severities; severityRank++) {
    const isBegun = severityRank === after?.severityRank;
    const others = isBegun ? projectIds.filter((id) => id > after.projectId) : projectIds;
    if (others.length > 0) yield* pagesOf(rows, severityRank, { projectId: { $in: others } });
  }
}

async function* pagesOf(
  rows: Rows,
  severityRank: number,
  filter: mongo.Filter<VulnerabilityDocument>,
): AsyncGenerator<Page> {
  const cursor = rows
    .find({ ...filter, severityRank }, { raw: true })
    .sort({ projectId: 1, severityRank: 1, _id: 1 })
    .project<Uint8Array>(shown)
    .batchSize(pageRows);
  const reader = new BsonReader();
  try {
    for (let isMore = await cursor.hasNext(); isMore; ) {
      const page = cursor.readBufferedDocuments();
      const coming = cursor.hasNext();
      // Whoever has enough of them wants to know nothing of the next.
      coming.catch(() => undefined);
      // It is asked for before this thread is busy.
      await setImmediate();
      yield { severityRank, rows: page.map((row) => reader.read(bytesOf(row)) as unknown as ExportedRow) };
      isMore = await coming;
    }
  } finally {
    await cursor.close();
  }
}

const bytesOf = ({ buffer, byteOffset, length }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, length);
