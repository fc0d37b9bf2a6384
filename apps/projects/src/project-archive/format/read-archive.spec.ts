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

const at = '2026-01-02T03:04:05.000Z';
const eventOf = (id: number) => ({ id, resource_type: 'Issue', resource_iid: 1, user_id: 1, created_at: at });
const snippetOf = (paths: string[]) => ({
  ...{ id: 1, title: 'x', description: null, author_id: 1, visibility: 'private', user_notes_count: 0, awards: [] },
  ...{ files: paths.map((path) => ({ path, content: 'x' })), created_at: at, updated_at: at },
});
const approvalsOf = (...names: string[]) => ({
  ...{ keeps_rules: false, refuses_authors: false, resets_on_push: false },
  rules: names.map((name) => ({
    ...{ name, rule_type: 'regular', approvals_required: 1, user_ids: [], group_paths: [], comes_from: null },
  })),
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

it('reads records and files in order, and skips unread parts of a file', async () => {
  const lines: string[] = [];
  const oid = 'a'.repeat(64);
  const parts = [described, { name: 'repository.bundle', text: 'bundle' }, { name: `lfs/${oid}`, text: 'bytes' }];
  await read(await archiveOf(parts), {
    row: async (kind) => void lines.push(kind),
    endOfRows: async (kind) => void lines.push(`end of ${kind}`),
    bytes: async (kind, name, size) => void lines.push(`${kind} ${name.slice(0, 10)} ${size}`),
  });
  expect(lines).toEqual(['project', 'end of project', 'repository repository 6', 'lfs aaaaaaaaaa 5']);
});

it('passes all bytes of a file to its reader', async () => {
  const got: string[] = [];
  const parts = [described, { name: 'repository.bundle', text: 'x'.repeat(200_000) }];
  await read(await archiveOf(parts), {
    bytes: async (_kind, _name, _size, content) => void got.push((await buffer(content)).toString()),
  });
  expect(got).toEqual(['x'.repeat(200_000)]);
});

it('passes an image to its reader, and continues after it', async () => {
  const lines: string[] = [];
  const picture = 'GIF89a and more';
  const parts = [described, { name: 'avatar', text: picture }, { name: 'repository.bundle', text: 'bundle' }];
  await read(await archiveOf(parts), {
    bytes: async (kind, _name, _size, content) => void lines.push(kind, (await buffer(content)).toString()),
  });
  expect(lines).toEqual(['avatar', picture, 'repository', 'bundle']);
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
  [
    'whose notes are on a snippet that is not there',
    [described, { name: 'notes.ndjson', text: rowsOf({ ...noteOf(1, null), noteable_type: 'Snippet' }) }],
    /not in its place/,
  ],
  [
    'whose events have other numbers',
    [described, { name: 'state_events.ndjson', text: rowsOf({ ...eventOf(2), state: 'closed' }) }],
    /not in its place/,
  ],
  [
    'with a snippet whose file leads out',
    [described, { name: 'snippets.ndjson', text: rowsOf(snippetOf(['../../x'])) }],
    /files\[0\].path leads elsewhere/,
  ],
  [
    'with a snippet that has a file twice',
    [described, { name: 'snippets.ndjson', text: rowsOf(snippetOf(['a', 'a'])) }],
    /files has a path twice/,
  ],
  [
    'with a snippet of more files than snippets have',
    [described, { name: 'snippets.ndjson', text: rowsOf(snippetOf([...'abcdefghijk'])) }],
    /files Too big/,
  ],
  [
    'with two rules of approval of one name',
    [described, { name: 'approval_settings.ndjson', text: rowsOf(approvalsOf('a', 'a')) }],
    /rules has a name twice/,
  ],
  ['with a picture that is none', [described, { name: 'avatar', text: '<svg/>' }], /the picture is none/],
  ['with a large picture', [described, { name: 'avatar', text: 'x'.repeat(205_000) }], /the picture is too large/],
])('refuses an archive with a file %s', async (_what, parts, reason) => {
  expect(await refusal(await archiveOf(parts))).toMatch(reason);
});

it('refuses a deeply nested record without an internal error', async () => {
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

it('refuses an archive whose files differ from its manifest', async () => {
  const [name, sha256] = ['project.ndjson', '0'.repeat(64)];
  const bytes = Buffer.byteLength(described.text);
  expect(await refusal(await archiveOf([described], { files: { [name]: { bytes, rows: 1, sha256 } } }))).toMatch(
    /checksum/,
  );
  const more = { [name]: { bytes, rows: 1, sha256 }, 'users.ndjson': { bytes: 2 ** 40, rows: 0, sha256 } };
  expect(await refusal(await archiveOf([described], { files: more }))).toMatch(/unpacks to more/);
});
