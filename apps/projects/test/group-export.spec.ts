import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGunzip, gzipSync } from 'node:zlib';
import {
  addGroupMember,
  type Caller,
  commonErrors,
  createGroup,
  createGroupBadge,
  downloadGroupExport,
  exportGroup,
  exportGroupRecords,
  getGroup,
  getGroupExport,
  getGroupImport,
  groupDeleted,
  type InputOf,
  importGroup,
  importGroupRecords,
  listGroupBadges,
  listGroupMembers,
  listGroups,
  listSubgroups,
  userIdsByUsername,
} from '@moothall/contracts';
import { ObjectStorage } from '@moothall/object-storage';
import { eventually, UploadStore } from '@moothall/testing';
import { getModelToken } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { extract, pack } from 'tar-stream';
import { BuildGroupExport } from '../src/group-archive/export/build-group-export';
import { GroupExports } from '../src/group-archive/export/group-exports';
import type { GroupImportDocument } from '../src/group-archive/import/group-import.schema';
import { archiveKeyOf, GroupImports } from '../src/group-archive/import/group-imports';
import { RunGroupImport } from '../src/group-archive/import/run-group-import';
import { Namespaces } from '../src/namespace/namespace.repository';
import { type ProjectsUnderTest, refusal, startProjects, uniqueName } from './projects-under-test';

type Records = Pick<InputOf<typeof importGroupRecords>, 'labels' | 'milestones' | 'boards' | 'epics'>;

// Archives are read in a thread, to their end even if they are invalid.
jest.setTimeout(120_000);

let projects: ProjectsUnderTest;
let files: UploadStore;
/** Stub records of collaboration, by group. */
const content = new Map<number, Records>();
const known = new Map<string, Caller>();

beforeAll(async () => {
  files = await UploadStore.start();
  projects = await startProjects({ GROUP_IMPORT_MAX_SIZE: '8MB' });
  projects.respond(userIdsByUsername, ({ usernames }) =>
    usernames.flatMap((username) => {
      const user = known.get(username);
      return user ? [{ id: user.id, username }] : [];
    }),
  );
  projects.respond(exportGroupRecords, ({ group_id, kind, after_id = 0, limit = 50 }) => {
    const rows: unknown[] = content.get(group_id)?.[kind] ?? [];
    const page = rows.slice(after_id, after_id + limit);
    const next = after_id + page.length;
    return { [kind]: page, next_after_id: next < rows.length ? next : null } as never;
  });
  answerImports();
});
afterAll(async () => {
  await projects?.stop();
  await files?.stop();
});

/** By the contract: existing records stay, so pages may come twice. */
function answerImports() {
  projects.respond(importGroupRecords, ({ group_id, ancestor_ids: _, ...records }) => {
    const held = content.get(group_id) ?? {};
    for (const [kind, rows] of Object.entries(records) as [keyof Records, { title?: string; name?: string }[]][]) {
      const names = new Set((held[kind] ?? []).map((row) => JSON.stringify(row)));
      const added = rows.filter((row) => !names.has(JSON.stringify(row)));
      held[kind] = [...(held[kind] ?? []), ...added] as never;
    }
    content.set(group_id, held);
    return { created: 0 };
  });
}

async function person(over: Partial<Caller> = {}): Promise<Caller> {
  const user = await projects.user(undefined, over);
  known.set(user.username, user);
  return user;
}

const label = (title: string) => ({ title, color: '#ff0000', description: null });

/** A group with two subgroups, members, badges, and more labels than fit on a page. */
async function fullGroup() {
  const [ann, ben] = [await person({ isAdmin: true }), await person()];
  const group = await projects.ask(ann, createGroup, {
    name: 'Top',
    path: uniqueName('top'),
    description: 'ours',
    visibility: 'public',
    lfs_enabled: false,
  });
  const sub = await projects.ask(ann, createGroup, { name: 'Sub', path: 'sub', parent_id: group.id });
  const deep = await projects.ask(ann, createGroup, { name: 'Deep', path: 'deep', parent_id: sub.id });
  await projects.ask(ann, addGroupMember, { id: String(sub.id), user_id: [ben.id], access_level: 30 });
  const urls = { link_url: 'https://example.com/%{project_path}', image_url: 'https://example.com/x.svg' };
  await projects.ask(ann, createGroupBadge, { id: String(deep.id), ...urls, name: 'b' });
  content.set(group.id, {
    labels: Array.from({ length: 450 }, (_, at) => label(`label ${at} ü\n"`)),
    boards: [{ name: 'Board', milestone_title: null, label_titles: [], lists: [] }],
  });
  content.set(deep.id, { labels: [label('deep')] });
  return { ann, ben, group, sub, deep, id: String(group.id) };
}

async function exported(caller: Caller, id: string): Promise<Buffer> {
  await projects.ask(caller, exportGroup, { id });
  await eventually(
    async () => (await projects.ask(caller, getGroupExport, { id })).export_status === 'finished',
    'the export',
  );
  const { url } = await projects.ask(caller, downloadGroupExport, { id });
  return Buffer.from(await (await fetch(url)).arrayBuffer());
}

async function unpack(archive: Buffer): Promise<Map<string, string>> {
  const entries = new Map<string, string>();
  const reading = extract();
  Readable.from([archive])
    .pipe(createGunzip())
    .pipe(reading as never);
  for await (const entry of reading) {
    entries.set(entry.header.name, (await buffer(entry as unknown as Readable)).toString());
  }
  return entries;
}

interface Part {
  name: string;
  text?: string;
  type?: 'file' | 'symlink';
}

async function packed(parts: Part[]): Promise<Buffer> {
  const archive = pack();
  for (const { name, text = '', type = 'file' } of parts) {
    archive.entry({ name, type, ...(type === 'symlink' && { linkname: '/etc/passwd' }) }, text);
  }
  archive.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of archive) chunks.push(chunk as Buffer);
  return gzipSync(Buffer.concat(chunks));
}

async function imported(caller: Caller, archive: Buffer, over: object = {}) {
  const file = files.add(archive, 'file.tar.gz');
  return projects.ask(caller, importGroup, { name: 'Copy', path: uniqueName('copy'), file, ...over });
}

const untilEnded = (caller: Caller, import_id: number) =>
  eventually(async () => {
    const state = await projects.ask(caller, getGroupImport, { import_id });
    return ['finished', 'failed'].includes(state.import_status) ? state : undefined;
  }, 'the end of the import');

describe('group export', () => {
  it('is available when it is finished, for owners only', async () => {
    const { ann, ben, id, group } = await fullGroup();
    expect((await refusal(projects.ask(ann, downloadGroupExport, { id }))).code).toBe('group_export.not_available');
    expect((await refusal(projects.ask(ben, exportGroup, { id }))).code).toBe('common.forbidden');
    const archive = await exported(ann, id);
    const entries = await unpack(archive);
    expect([...entries.keys()].slice(0, 4)).toEqual([
      'manifest.json',
      'users.ndjson',
      'tree/groups/_all.ndjson',
      'tree/groups/1.json',
    ]);
    expect(JSON.parse(entries.get('manifest.json')!)).toMatchObject({ version: 2, groups: 3 });
    expect(entries.get('tree/groups/1/labels.ndjson')!.trim().split('\n')).toHaveLength(450);
    expect(JSON.parse(entries.get('tree/groups/1.json')!)).toMatchObject({ path: group.path, description: 'ours' });
    await eventually(() => projects.mails().some((mail) => mail.includes(`To: ${ann.email}`)), 'the mail');
  });

  it('contains the same after an import', async () => {
    const { ann, id } = await fullGroup();
    const first = await unpack(await exported(ann, id));
    const { group_id, import_id } = await imported(ann, await exported(ann, id));
    expect(await untilEnded(ann, import_id)).toMatchObject({ import_status: 'finished', error: null });
    const second = await unpack(await exported(ann, String(group_id)));
    const comparable = (entries: Map<string, string>) =>
      [...entries].filter(([name]) => !['manifest.json', 'tree/groups/1.json'].includes(name));
    expect(comparable(second)).toEqual(comparable(first));
    const top = { ...JSON.parse(first.get('tree/groups/1.json')!), name: 'Copy', visibility: 'private' };
    expect({ ...top, path: undefined }).toEqual({
      ...JSON.parse(second.get('tree/groups/1.json')!),
      path: undefined,
    });
  });
});

describe('group import', () => {
  it('imports members with a known public address only, unless an administrator imports', async () => {
    const { ann, id } = await fullGroup();
    const archive = await exported(ann, id);
    const cat = await person();
    const { group_id, import_id } = await imported(cat, archive);
    expect((await untilEnded(cat, import_id)).import_status).toBe('finished');
    const { items } = await projects.ask(cat, listSubgroups, { id: String(group_id) });
    expect(items.map(({ path, visibility }) => [path, visibility])).toEqual([['sub', 'private']]);
    const members = await projects.ask(cat, listGroupMembers, { id: String(items[0]!.id) });
    expect(members.items.map((member) => [member.id, member.access_level])).toEqual([[cat.id, 50]]);
    expect((await refusal(projects.ask(ann, getGroupImport, { import_id }))).code).toBe('none');
    const stranger = await person();
    expect((await refusal(projects.ask(stranger, getGroupImport, { import_id }))).code).toBe('common.not_found');
  });

  it('imports into a parent in which the caller may create groups, with its visibility at most', async () => {
    const { ann, ben, id } = await fullGroup();
    const archive = await exported(ann, id);
    const parent = await projects.ask(ann, createGroup, { name: 'p', path: uniqueName('p'), visibility: 'internal' });
    const refused = imported(ben, archive, { parent_id: parent.id });
    expect((await refusal(refused)).code).toBe('common.forbidden');
    const { import_id } = await imported(ann, archive, { parent_id: parent.id });
    await untilEnded(ann, import_id);
    const { items } = await projects.ask(ann, listSubgroups, { id: String(parent.id) });
    expect(items).toMatchObject([{ name: 'Copy', visibility: 'internal', lfs_enabled: false }]);
  });

  it('continues where it was interrupted, and creates nothing twice', async () => {
    const { ann, id } = await fullGroup();
    const archive = await exported(ann, id);
    let answers = 0;
    projects.respond(importGroupRecords, ({ group_id, labels }) => {
      answers += 1;
      if (answers === 7) {
        answerImports();
        return commonErrors.unavailable();
      }
      const held = content.get(group_id) ?? {};
      content.set(group_id, { ...held, labels: [...(held.labels ?? []), ...(labels ?? [])] });
      return { created: 0 };
    });
    const { group_id, import_id } = await imported(ann, archive);
    expect(await untilEnded(ann, import_id)).toMatchObject({ import_status: 'finished' });
    expect(answers).toBe(7);
    const [sub] = (await projects.ask(ann, listSubgroups, { id: String(group_id) })).items;
    const [deep, ...others] = (await projects.ask(ann, listSubgroups, { id: String(sub!.id) })).items;
    expect(others).toEqual([]);
    expect((await projects.ask(ann, listGroupBadges, { id: String(deep!.id) })).total).toBe(1);
    expect(content.get(group_id)?.labels).toHaveLength(450);
  });

  it('is finished, or undone, by the periodic jobs when a kill has interrupted it', async () => {
    const { ann, id, group } = await fullGroup();
    const archive = await exported(ann, id);
    const exports = projects.running.app.get(GroupExports);
    const imports = projects.running.app.get<Model<GroupImportDocument>>(getModelToken('GroupImport'));
    const storage = projects.running.app.get(ObjectStorage);
    // State after a crash: records, an archive, perhaps the group, and no job in Redis.
    const interrupted = await exports.add(group.id, ann.id);
    await exports.set(interrupted._id, { status: 'started' });
    const [withGroup, without] = [900_001, 900_002];
    const place = await projects.ask(ann, createGroup, { name: 'Copy', path: uniqueName('copy') });
    const { model } = projects.running.app.get(Namespaces);
    await model.updateOne({ _id: place.id }, { $set: { importedAs: { importId: withGroup, number: 1 } } });
    for (const _id of [withGroup, without]) {
      await storage.write(archiveKeyOf(_id), Readable.from([archive]));
      await imports.create({ _id, userId: ann.id, isAdmin: true, status: 'preparing', rowsTotal: 1 });
    }

    const running = projects.running.app.get(RunGroupImport);
    await Promise.all([running.adoptAbandoned(), projects.running.app.get(BuildGroupExport).queueUnfinished()]);
    await running.queueReady();
    const isExported = async () => (await exports.latest(group.id))?.status === 'finished';
    await eventually(isExported, 'the end of the export');
    expect(await untilEnded(ann, withGroup)).toMatchObject({ import_status: 'finished', group_id: place.id });
    expect(content.get(place.id)?.labels).toHaveLength(450);
    const undone = await imports.findById(without).lean();
    expect(undone).toMatchObject({ status: 'failed', groupId: null });
    await expect(storage.read(archiveKeyOf(without))).rejects.toThrow('no object');
  });

  it('leaves nothing if it fails', async () => {
    const { ann, id } = await fullGroup();
    const archive = await exported(ann, id);
    projects.respond(importGroupRecords, () => commonErrors.invalidRecord({ title: ['is wrong'] }));
    const { group_id, import_id } = await imported(ann, archive);
    const state = await untilEnded(ann, import_id);
    answerImports();
    expect(state).toMatchObject({ import_status: 'failed', error: expect.stringContaining('is wrong') });
    await eventually(() => projects.events(groupDeleted).some(({ data }) => data.group_id === group_id));
    const { items } = await projects.ask(ann, listGroups, { per_page: 100 });
    expect(items.some((group) => group.id === group_id)).toBe(false);
  });

  it('leaves no group if it cannot be queued', async () => {
    const { ann, id } = await fullGroup();
    const archive = await exported(ann, id);
    const path = uniqueName('unqueued');
    const queue = jest.spyOn(projects.running.app.get(GroupImports, { strict: false }), 'queue');
    queue.mockRejectedValue(commonErrors.unavailable());
    expect((await refusal(imported(ann, archive, { path }))).code).toBe('common.unavailable');
    queue.mockRestore();
    expect((await refusal(projects.ask(ann, getGroup, { id: path }))).code).toBe('group.not_found');
  });

  describe('of an invalid archive', () => {
    let ann: Caller;
    let good: Part[];
    beforeAll(async () => {
      const group = await fullGroup();
      ann = group.ann;
      const entries = await unpack(await exported(ann, group.id));
      good = [...entries].map(([name, text]) => ({ name, text }));
    });

    const change = (name: string, by: (text: string) => string): Part[] =>
      good.map((part) => (part.name === name ? { ...part, text: by(part.text!) } : part));
    const manifest = (by: (value: Record<string, unknown>) => object) =>
      change('manifest.json', (text) => JSON.stringify(by(JSON.parse(text))));
    /** Changed together with the values in the manifest. */
    const consistent = (name: string, text: string) => {
      const facts = {
        bytes: Buffer.byteLength(text),
        rows: text.split('\n').length - 1,
        sha256: createHash('sha256').update(text).digest('hex'),
      };
      const parts = manifest((value) => ({ ...value, files: { ...(value.files as object), [name]: facts } }));
      return parts.map((part) => (part.name === name ? { name, text } : part));
    };
    const refused = async (archive: Buffer | Promise<Buffer>) => {
      const before = (await projects.ask(ann, listGroups, { per_page: 1 })).total;
      const { code, message } = await refusal(imported(ann, await archive));
      expect((await projects.ask(ann, listGroups, { per_page: 1 })).total).toBe(before);
      expect(code).toBe('group_export.archive_refused');
      return message;
    };

    it('refuses other formats than tar.gz, and truncated archives', async () => {
      expect(await refused(Buffer.from('plain text'))).toMatch(/not gzip/);
      const whole = await packed(good);
      expect(await refused(whole.subarray(0, whole.length - 100))).toMatch(/cut off/);
      expect(await refused(gzipSync(Buffer.alloc(2048, 'x')))).toMatch(/not a tar/);
      expect(await refused(gzipSync(Buffer.alloc(1024)))).toMatch(/empty/);
    });

    it('refuses a bomb before it has gone off', async () => {
      expect(await refused(gzipSync(Buffer.alloc(64 * 1024 ** 2)))).toMatch(/unpacks to more than/);
    });

    it('refuses links, paths that lead out, strangers and doubles', async () => {
      const link = good.map((part) => (part.name === 'users.ndjson' ? { ...part, type: 'symlink' as const } : part));
      expect(await refused(packed(link))).toMatch(/is a symlink/);
      expect(await refused(packed([good[0]!, { name: '/etc/passwd', text: 'x' }]))).toMatch(/leads out/);
      expect(await refused(packed([good[0]!, { name: 'tree/../../x', text: 'x' }]))).toMatch(/leads out/);
      expect(await refused(packed([...good, { name: 'more.txt', text: 'x' }]))).toMatch(/nobody knows/);
      expect(await refused(packed([...good.slice(0, 4), good[3]!, ...good.slice(4)]))).toMatch(/twice/);
      expect(await refused(packed(good.slice(0, -1)))).toMatch(/is missing/);
      expect(await refused(packed(good.slice(1)))).toMatch(/does not begin with its manifest/);
    });

    it('refuses another version, and files that its manifest does not list', async () => {
      expect(await refused(packed(manifest((value) => ({ ...value, version: 3 }))))).toMatch(/version 3/);
      const swapped = change('tree/groups/1/labels.ndjson', (text) => text.replace('label 1 ', 'LABEL 1 '));
      expect(await refused(packed(swapped))).toMatch(/checksum of tree\/groups\/1\/labels\.ndjson/);
      const longer = change('users.ndjson', (text) => `${text}{}\n`);
      expect(await refused(packed(longer))).toMatch(/not as long/);
    });

    it('refuses invalid rows and groups with right checksums', async () => {
      const wrongRow = consistent('tree/groups/1/labels.ndjson', '{"title":5}\n');
      expect(await refused(packed(wrongRow))).toMatch(/a row of .* is wrong/);
      expect(await refused(packed(consistent('tree/groups/1/labels.ndjson', 'x\n')))).toMatch(/not JSON/);
      const orphan = JSON.stringify({
        ...JSON.parse(good.find(({ name }) => name === 'tree/groups/2.json')!.text!),
        parent_number: 3,
      });
      expect(await refused(packed(consistent('tree/groups/2.json', `${orphan}\n`)))).toMatch(/not in its place/);
    });

    it('refuses a used path, and a reserved one', async () => {
      const archive = await packed(good);
      const taken = (await projects.ask(ann, createGroup, { name: 'x', path: uniqueName('taken') })).path;
      expect((await refusal(imported(ann, archive, { path: taken }))).message).toBe(
        'Failed to save group {:path=>["has already been taken"]}',
      );
      expect((await refusal(imported(ann, archive, { path: 'admin' }))).code).toBe('group.not_saved');
    });
  });
});
