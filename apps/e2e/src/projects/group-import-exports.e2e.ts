import { gzipSync } from 'node:zlib';
import { ask, connection, newUser, root, uniqueName } from '../server/connection';
import { until } from '../server/until';
import { type ArchiveFiles, groupTree, label, type Part, packed, partsOf, unpacked } from './group-archive';
import { statusOf } from './status-of';

/* Export and import of groups, by @gitbeaker/rest's GroupImportExports; and invalid archives. */

const asFile = (bytes: Buffer) => ({ content: new Blob([new Uint8Array(bytes)]), filename: 'group.tar.gz' });

async function exported(groupId: number | string): Promise<ArchiveFiles> {
  const { message } = await root.GroupImportExports.scheduleExport(groupId);
  expect(message).toContain('202 Accepted');
  const archive = await until('the export', () => root.GroupImportExports.download(groupId).catch(() => undefined));
  return unpacked(Buffer.from(await (archive as unknown as Blob).arrayBuffer()));
}

/** Imports, and waits for the end, since the client only returns that it was accepted. */
async function imported(archive: Buffer, path: string, options: { name?: string; parentId?: number } = {}) {
  const answer: object = await root.GroupImportExports.import(asFile(archive), path, options);
  const { message, import_id } = answer as { message: string; import_id: number };
  expect(message).toBe('202 Accepted');
  return until('the end of the import', async () => {
    const response = await ask(`/api/v4/groups/import/${import_id}`, { token: connection.token });
    const state = (await response.json()) as { import_status: string; error: string | null };
    return ['finished', 'failed'].includes(state.import_status) ? state : undefined;
  });
}

describe('a group', () => {
  it('is exported, imported and exported again with the same in it', async () => {
    const path = uniqueName('first');
    const files = groupTree(4, 30);
    const end = { import_status: 'finished', error: null };
    expect(await imported(await packed(partsOf(files)), path, { name: 'First' })).toMatchObject(end);
    expect(await root.Groups.show(path)).toMatchObject({ name: 'First', visibility: 'private', description: 'of 1' });
    const found = await exported(path);
    const rowsOf = (one: ArchiveFiles) => [...one].filter(([name]) => /tree\/groups\/1\/|users/.test(name));
    expect(rowsOf(found)).toEqual(rowsOf(files));
    const second = uniqueName('second');
    expect(await imported(await packed(partsOf(found)), second)).toMatchObject(end);
    const again = await exported(second);
    const comparable = (one: ArchiveFiles) => [...one].filter(([name]) => name !== 'tree/groups/1.json');
    expect(comparable(again)).toEqual(comparable(found));
  }, 120_000);

  // An export used to be refused on import, because a row was too long.
  it('is exported with the longest texts there are, and imported with them', async () => {
    const name = uniqueName('long');
    const { id } = await root.Groups.create(name, name);
    // Three bytes each, and six in JSON.
    const [description, body] = ['語'.repeat(1_000_000), '\u0001'.repeat(1_000_000)];
    const json = { 'content-type': 'application/json' };
    const post = (path: string, fields: object) =>
      ask(`/api/v4/groups/${path}`, {
        ...{ method: 'POST', token: connection.token, headers: json, body: JSON.stringify(fields) },
      }).then((answer) => answer.json() as Promise<{ id: number; iid: number }>);
    const epic = await post(`${id}/epics`, { title: 'Long', description });
    await post(`${id}/epics/${epic.id}/notes`, { body });
    await post(`${id}/epics/${epic.id}/notes`, { body: 'short' });
    const second = uniqueName('second');
    const archive = await packed(partsOf(await exported(id)));
    expect(await imported(archive, second)).toMatchObject({ import_status: 'finished', error: null });
    const [found] = await root.Epics.all(second);
    expect(found!.description === description).toBe(true);
    const notes = await root.EpicNotes.all(second, found!.id, { sort: 'asc', orderBy: 'created_at' });
    expect(notes.map((note) => note.body === body || note.body)).toEqual([true, 'short']);
  }, 300_000);

  it('has no archive before one is requested, and none for users who are no owners', async () => {
    const name = uniqueName('bare');
    const { id } = await root.Groups.create(name, name);
    expect(await statusOf(root.GroupImportExports.download(id))).toBe(404);
    const maintainer = await newUser('maintainer');
    await root.GroupMembers.add(id, 40, { userId: maintainer.id });
    expect(await statusOf(maintainer.client.GroupImportExports.scheduleExport(id))).toBe(403);
    expect(await statusOf(maintainer.client.GroupImportExports.download(id))).toBe(403);
  });

  it('is imported below another, with its visibility at most, by users who create groups there', async () => {
    const files = groupTree(0, 1);
    files.set('tree/groups/1.json', [{ ...(files.get('tree/groups/1.json')![0] as object), visibility: 'public' }]);
    const archive = await packed(partsOf(files));
    const name = uniqueName('parent');
    const parent = await root.Groups.create(name, name, { visibility: 'internal' });
    const guest = await newUser('guest');
    const refused = guest.client.GroupImportExports.import(asFile(archive), 'below', { parentId: parent.id });
    expect(await statusOf(refused)).toBe(403);
    await imported(archive, 'below', { parentId: parent.id });
    expect(await root.Groups.show(`${name}/below`)).toMatchObject({ visibility: 'internal', parent_id: parent.id });
  });
});

describe('an invalid archive is refused with a reason, and nothing is created,', () => {
  const files = groupTree(1, 3);
  const good = partsOf(files);

  /** Sends it as a client does. @returns the error message */
  async function refusal(archive: Buffer, path = uniqueName('refused'), alreadyThere = 0): Promise<string> {
    const body = new FormData();
    body.set('name', path);
    body.set('path', path);
    body.set('file', new Blob([new Uint8Array(archive)]), 'group.tar.gz');
    const response = await ask('/api/v4/groups/import', { method: 'POST', token: connection.token, body });
    expect(response.status).toBe(400);
    expect((await root.Groups.search(path)).filter((group) => group.path === path)).toHaveLength(alreadyThere);
    return JSON.stringify(await response.json());
  }
  const without = (name: string) => good.filter((part) => part.name !== name);
  const changed = (name: string, by: (part: Part) => Partial<Part>) =>
    good.map((part) => (part.name === name ? { ...part, ...by(part) } : part));
  const rows = 'tree/groups/1/labels.ndjson';

  it('that is not gzip', async () => expect(await refusal(Buffer.from('plain text'))).toMatch(/not gzip/));
  it('that is no tar', async () => expect(await refusal(gzipSync('x'.repeat(4096)))).toMatch(/not a tar/));
  it('that is empty', async () => expect(await refusal(gzipSync(Buffer.alloc(1024)))).toMatch(/empty/));
  it('that is cut off', async () => {
    const whole = await packed(good);
    expect(await refusal(whole.subarray(0, whole.length - 20))).toMatch(/cut off/);
  });
  it('that would unpack to more than the limit', async () => {
    const facts = { bytes: 6 * 1024 ** 3, rows: 1, sha256: '0'.repeat(64) };
    expect(await refusal(await packed(partsOf(files, { files: { [rows]: facts } })))).toMatch(/unpacks to more/);
  });
  it('that never ends while it is unpacked', async () => {
    const bomb = changed('users.ndjson', () => ({ text: `${'x'.repeat(8 * 1024 ** 2)}` }));
    expect(await refusal(await packed(bomb))).toMatch(/not as long|too long/);
  });
  it('with an absolute path', async () => {
    expect(await refusal(await packed([good[0]!, { name: '/etc/cron.d/x', text: 'x' }]))).toMatch(/leads out/);
  });
  it('with a path that climbs', async () => {
    expect(await refusal(await packed([good[0]!, { name: 'tree/../../x', text: 'x' }]))).toMatch(/leads out/);
  });
  it.each(['symlink', 'link', 'directory'] as const)('with a %s', async (type) => {
    expect(await refusal(await packed(changed('users.ndjson', () => ({ type }))))).toMatch(/and not a file/);
  });
  it('of another version', async () => {
    expect(await refusal(await packed(partsOf(files, { version: 3 })))).toMatch(/version 3/);
  });
  it('with a wrong checksum', async () => {
    const swapped = changed(rows, ({ text }) => ({ text: text!.replace('label 1', 'LABEL 1') }));
    expect(await refusal(await packed(swapped))).toMatch(/checksum/);
  });
  it('with a path twice', async () => {
    expect(await refusal(await packed([...good.slice(0, 4), good[3]!, ...good.slice(4)]))).toMatch(/twice/);
  });
  it('with a file missing, or the manifest', async () => {
    expect(await refusal(await packed(without(rows)))).toMatch(/missing|out of order/);
    expect(await refusal(await packed(without('manifest.json')))).toMatch(/begin with its manifest/);
  });
  it('with an unknown file', async () => {
    expect(await refusal(await packed([...good, { name: 'more.txt', text: 'x' }]))).toMatch(/nobody knows/);
  });
  it('with an invalid row', async () => {
    const bad = new Map(files).set(rows, [{ title: 5 }]);
    expect(await refusal(await packed(partsOf(bad)))).toMatch(/a row of/);
  });
  // Such a board could not be exported again.
  it('with a board with too many lists', async () => {
    const list = { list_type: 'label', label_title: 'label 1', milestone_title: null, position: 1 };
    const board = { name: 'wide', milestone_title: null, label_titles: [], lists: Array(501).fill(list) };
    const wide = new Map(files).set('tree/groups/1/boards.ndjson', [board]);
    expect(await refusal(await packed(partsOf(wide)))).toMatch(/a row of .*lists/);
  });
  it('if the path is used, or reserved', async () => {
    const taken = uniqueName('taken');
    await root.Groups.create(taken, taken);
    expect(await refusal(await packed(good), taken, 1)).toMatch(/has already been taken/);
    expect(await refusal(await packed(good), 'admin')).toMatch(/path/);
  });
  it('or is undone when the fault shows late', async () => {
    const late = new Map(files).set('tree/groups/2/labels.ndjson', [label('bad', { color: 'no color' })]);
    const path = uniqueName('late');
    const { import_status, error } = await imported(await packed(partsOf(late)), path);
    expect(import_status).toBe('failed');
    expect(error).toMatch(/color/);
    expect(await statusOf(root.Groups.show(path))).toBe(404);
    const again = await root.Groups.create(path, path);
    expect(await root.GroupLabels.all(again.id)).toEqual([]);
  });
});
