import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { format, formatVersion } from './archive-format';
import { type ArchiveReader, readArchive } from './read-archive';

interface Part {
  name: string;
  text: string;
  type?: 'file' | 'symlink';
}

const project = {
  ...{ name: 'x', path: 'x', description: null, visibility: 'private', default_branch: null, wiki_branch: null },
  ...{ topics: [], features: {}, settings: {} },
};
const rowsOf = (...rows: unknown[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
const described: Part = { name: 'project.ndjson', text: rowsOf(project) };

const noteOf = (id: number, discussion_id: number | null) => ({
  ...{ id, discussion_id, noteable_type: 'Issue', noteable_iid: 1, body: 'x', author_id: 1, system: false },
  ...{ confidential: false, position: null, is_unresolved: false, resolved_at: null, resolved_by_id: null, awards: [] },
  ...{ created_at: '2026-01-02T03:04:05.000Z', updated_at: '2026-01-02T03:04:05.000Z' },
});

async function archiveOf(parts: Part[], over: object = {}): Promise<Buffer> {
  const facts = parts.map(({ name, text }) => [
    name,
    {
      bytes: Buffer.byteLength(text),
      rows: name.endsWith('.ndjson') ? text.split('\n').length - 1 : 0,
      sha256: createHash('sha256').update(text).digest('hex'),
    },
  ]);
  const manifest = { format, version: formatVersion, exported_at: 'now', files: Object.fromEntries(facts), ...over };
  const archive = pack();
  archive.entry({ name: 'manifest.json' }, JSON.stringify(manifest));
  for (const { name, text, type = 'file' } of parts)
    archive.entry({ name, type, ...(type === 'symlink' && { linkname: '/etc/passwd' }) }, type === 'file' ? text : '');
  archive.finalize();
  return gzipSync(await buffer(archive as unknown as Readable));
}

const limits = { maxBytes: 10_000_000, maxRecords: 100 };
const read = (archive: Buffer, reader: ArchiveReader = {}) => readArchive(Readable.from([archive]), limits, reader);

async function refusal(archive: Buffer): Promise<string> {
  const failed = await read(archive).then(
    () => undefined,
    (error: Error) => error,
  );
  return String(failed?.message);
}

it('tells records and files in their order, and skips what nobody reads of a file', async () => {
  const told: string[] = [];
  const oid = 'a'.repeat(64);
  const parts = [described, { name: 'repository.bundle', text: 'bundle' }, { name: `lfs/${oid}`, text: 'bytes' }];
  await read(await archiveOf(parts), {
    row: async (kind) => void told.push(kind),
    endOfRows: async (kind) => void told.push(`end of ${kind}`),
    bytes: async (kind, name, size) => void told.push(`${kind} ${name.slice(0, 10)} ${size}`),
  });
  expect(told).toEqual(['project', 'end of project', 'repository repository 6', 'lfs aaaaaaaaaa 5']);
});

it('gives all bytes of a file to who reads them', async () => {
  const got: string[] = [];
  const parts = [described, { name: 'repository.bundle', text: 'x'.repeat(200_000) }];
  await read(await archiveOf(parts), {
    bytes: async (_kind, _name, _size, content) => void got.push((await buffer(content)).toString()),
  });
  expect(got).toEqual(['x'.repeat(200_000)]);
});

it.each<[string, Part[], RegExp]>([
  ['that is a link', [described, { name: 'repository.bundle', text: '', type: 'symlink' }], /and not a file/],
  ['that leads out', [described, { name: 'uploads/../../x', text: 'x' }], /leads out/],
  ['that nobody knows', [described, { name: 'hooks.ndjson', text: '' }], /nobody knows/],
  ['that is named after what objects have', [described, { name: 'constructor.ndjson', text: '' }], /nobody knows/],
  ['with a name of its own for a file', [described, { name: 'lfs/x', text: 'x' }], /nobody knows/],
  ['out of order', [described, { name: 'users.ndjson', text: '' }], /out of order/],
  ['that is no record', [{ name: 'project.ndjson', text: '{\n' }], /not JSON/],
  ['with a record that is wrong', [{ name: 'project.ndjson', text: rowsOf({ ...project, path: 5 }) }], /path/],
  ['with a cut off record', [{ name: 'project.ndjson', text: rowsOf(project) + JSON.stringify({}) }], /cut off/],
  ['of no project', [{ name: 'users.ndjson', text: '' }], /not of one project/],
  ['of two projects', [{ name: 'project.ndjson', text: rowsOf(project, project) }], /not of one project/],
  ['with too many records', [described, { name: 'labels.ndjson', text: '{}\n'.repeat(101) }], /more than 100 records/],
  [
    'whose notes have other numbers',
    [described, { name: 'notes.ndjson', text: rowsOf(noteOf(2, null)) }],
    /not in its place/,
  ],
  [
    'whose notes answer later ones',
    [described, { name: 'notes.ndjson', text: rowsOf(noteOf(1, 2)) }],
    /not in its place/,
  ],
])('refuses an archive with a file %s', async (_what, parts, reason) => {
  expect(await refusal(await archiveOf(parts))).toMatch(reason);
});

it('refuses records as deep as a file is long without a fault of its own', async () => {
  const deep = `{"name":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}\n`;
  expect(await refusal(await archiveOf([{ name: 'project.ndjson', text: deep }]))).toMatch(/cannot be imported/);
});

it.each([
  ['of another version', { version: 2 }, /version 2/],
  ['of a group', { format: 'moothall group export' }, /format/],
  ['that lacks what it has', { files: { 'project.ndjson': { bytes: 1, rows: 1, sha256: '0'.repeat(64) } } }, /as long/],
  ['of no files', { files: {} }, /not of one project/],
])('refuses one %s', async (_what, over, reason) => {
  expect(await refusal(await archiveOf([described], over))).toMatch(reason);
});

it('refuses one whose files are not those of its manifest', async () => {
  const [name, sha256] = ['project.ndjson', '0'.repeat(64)];
  const bytes = Buffer.byteLength(described.text);
  expect(await refusal(await archiveOf([described], { files: { [name]: { bytes, rows: 1, sha256 } } }))).toMatch(
    /checksum/,
  );
  const more = { [name]: { bytes, rows: 1, sha256 }, 'users.ndjson': { bytes: 2 ** 40, rows: 0, sha256 } };
  expect(await refusal(await archiveOf([described], { files: more }))).toMatch(/unpacks to more/);
});
