import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { format } from '@fast-csv/format';
import { severities } from '@moothall/contracts';
import { whileConnected } from '@moothall/database';
import { type ObjectStorageSettings, openObjectStorage } from '@moothall/object-storage';
import type { mongo } from 'mongoose';
import type { VulnerabilityDocument } from '../../vulnerability/vulnerability.schema';
import { header, type ProjectNames, rowOf } from './csv-row';
import type { Position } from './position';

export interface Part {
  database: { uri: string; name: string };
  storage: ObjectStorageSettings;
  /** Under which it is stored. */
  key: string;
  projects: ReadonlyMap<number, ProjectNames>;
  /** Behind the part before; null for the first. */
  after: Position | null;
  rows: number;
}

export interface WrittenPart {
  sizeBytes: number;
  /** Behind its last row; null when no more rows come. */
  position: Position | null;
}

const shown = {
  projectId: 1,
  severityRank: 1,
  reportType: 1,
  'scanner.name': 1,
  state: 1,
  title: 1,
  description: 1,
  message: 1,
  severity: 1,
  identifiers: 1,
} as const;

/** Runs in a thread with a connection of its own: others on the event loop notice nothing of a million rows. See PartWriter. */
export default async function writePart({ database, storage, key, projects, after, rows }: Part): Promise<WrittenPart> {
  return whileConnected(database, async (connected) => {
    const vulnerabilities = connected.collection<VulnerabilityDocument>('vulnerabilities');
    let position: Position | null = null;
    let left = rows;
    const lines = async function* () {
      for await (const found of rowsAfter(vulnerabilities, [...projects.keys()], after)) {
        const names = projects.get(found.projectId);
        if (names) yield rowOf(found, names);
        position = { severityRank: found.severityRank, projectId: found.projectId, id: found._id };
        if (--left === 0) return;
      }
    };
    const isFirst = after === null;
    const form = { headers: header, writeHeaders: isFirst, alwaysWriteHeaders: isFirst, includeEndRowDelimiter: true };
    const csv = format(form);
    const written = openObjectStorage('security', storage).write(key, csv);
    const [{ sizeBytes }] = await Promise.all([written, pipeline(Readable.from(lines()), csv)]);
    return { sizeBytes, position: left === 0 ? position : null };
  });
}

/** Each query goes by an index in its order, so that nothing is sorted and no more than a batch is in memory. */
async function* rowsAfter(
  vulnerabilities: mongo.Collection<VulnerabilityDocument>,
  projectIds: number[],
  after: Position | null,
): AsyncGenerator<VulnerabilityDocument> {
  for (let severityRank = after?.severityRank ?? 0; severityRank < severities.length; severityRank++) {
    const isFirst = severityRank === after?.severityRank;
    const wanted = isFirst ? projectIds.filter((id) => id >= after.projectId) : projectIds;
    const found = await vulnerabilities.distinct('projectId', { projectId: { $in: wanted }, severityRank });
    for (const projectId of found.sort((a, b) => a - b)) {
      const behind = isFirst && projectId === after.projectId ? { _id: { $gt: after.id } } : {};
      yield* vulnerabilities
        .find({ projectId, severityRank, ...behind })
        .sort({ _id: 1 })
        .project<VulnerabilityDocument>(shown)
        .batchSize(1000);
    }
  }
}
