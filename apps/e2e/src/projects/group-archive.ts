import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGunzip, gzipSync } from 'node:zlib';
import { extract, pack } from 'tar-stream';

/** Files of a group archive by path, in order: each a list of rows. */
export type ArchiveFiles = Map<string, unknown[]>;

/** An entry of a tar, for invalid archives. */
export interface Part {
  name: string;
  text?: string;
  type?: 'file' | 'symlink' | 'link' | 'directory';
}

const rowsOf = (rows: unknown[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

/** The entries of a valid archive, its manifest first. @param over changes values of the manifest */
export function partsOf(files: ArchiveFiles, over: object = {}): Part[] {
  const parts = [...files].map(([name, rows]) => ({ name, text: rowsOf(rows) }));
  const facts = parts.map(({ name, text }) => [
    name,
    {
      bytes: Buffer.byteLength(text),
      rows: files.get(name)!.length,
      sha256: createHash('sha256').update(text).digest('hex'),
    },
  ]);
  const groups = [...files.keys()].filter((name) => /^tree\/groups\/\d+\.json$/.test(name)).length;
  const manifest = {
    format: 'moothall group export',
    version: 1,
    exported_at: new Date(0).toISOString(),
    groups,
    files: Object.fromEntries(facts),
    ...over,
  };
  return [{ name: 'manifest.json', text: JSON.stringify(manifest) }, ...parts];
}

export async function packed(parts: Part[]): Promise<Buffer> {
  const archive = pack();
  for (const { name, text = '', type = 'file' } of parts) {
    const leads = type === 'symlink' || type === 'link';
    archive.entry({ name, type, ...(leads && { linkname: '/etc/passwd' }) }, leads ? '' : text);
  }
  archive.finalize();
  return gzipSync(await buffer(archive as unknown as Readable));
}

/** Rows by path, without the manifest. */
export async function unpacked(archive: Buffer): Promise<ArchiveFiles> {
  const files: ArchiveFiles = new Map();
  const entries = extract();
  Readable.from([archive])
    .pipe(createGunzip())
    .pipe(entries as never);
  for await (const entry of entries) {
    const text = (await buffer(entry as unknown as Readable)).toString();
    if (entry.header.name === 'manifest.json') continue;
    files.set(
      entry.header.name,
      text.trim() === ''
        ? []
        : text
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line)),
    );
  }
  return files;
}

export const label = (title: string, over: object = {}) => ({ title, color: '#ff0000', description: null, ...over });

const owner = { username: 'root', public_email: null, access_level: 50, expires_at: null };
const day = '2026-01-02T03:04:05.000Z';

/** A group with that many groups below it, each with labels, milestones, badges and a board. */
export function groupTree(below: number, labelsEach: number): ArchiveFiles {
  const numbers = Array.from({ length: below + 1 }, (_, at) => at + 1);
  const files: ArchiveFiles = new Map([
    ['users.ndjson', []],
    ['tree/groups/_all.ndjson', numbers.map((number) => ({ number }))],
  ]);
  for (const number of numbers) {
    const folder = `tree/groups/${number}`;
    // Every third is below the previous one, for some depth.
    const parent = number === 1 ? null : number % 3 === 0 ? number - 1 : 1;
    const place = { number, parent_number: parent, name: `Group ${number}`, path: `g${number}` };
    files.set(`${folder}.json`, [{ ...place, description: `of ${number}`, visibility: 'private', settings: {} }]);
    files.set(`${folder}/members.ndjson`, [owner]);
    files.set(`${folder}/badges.ndjson`, [
      { name: 'badge', link_url: 'https://example.com/%{project_path}', image_url: 'https://example.com/x.svg' },
    ]);
    files.set(
      `${folder}/labels.ndjson`,
      Array.from({ length: labelsEach }, (_, at) => label(`label ${at}`)),
    );
    files.set(`${folder}/milestones.ndjson`, [
      {
        iid: 1,
        title: 'First',
        description: 'one',
        state: 'closed',
        start_date: null,
        due_date: '2026-02-03',
        created_at: day,
        updated_at: day,
      },
    ]);
    files.set(`${folder}/boards.ndjson`, [
      {
        name: 'Board',
        milestone_title: 'First',
        label_titles: ['label 1'],
        lists: [{ list_type: 'label', label_title: 'label 0', milestone_title: null, position: 0 }],
      },
    ]);
    files.set(`${folder}/epics.ndjson`, []);
  }
  return files;
}
