import { Readable } from 'node:stream';
import {
  type Caller,
  createGroup,
  downloadGroupExport,
  exportGroup,
  exportGroupRecords,
  getGroup,
  getGroupExport,
  importGroupRecords,
  listSubgroups,
  userIdsByUsername,
} from '@moothall/contracts';
import { ObjectStorage } from '@moothall/object-storage';
import { eventually } from '@moothall/testing';
import { BuildGroupExport } from '../src/group-archive/export/build-group-export';
import { GroupExports } from '../src/group-archive/export/group-exports';
import type { GroupImportDocument } from '../src/group-archive/import/group-import.schema';
import { archiveKeyOf, GroupImports } from '../src/group-archive/import/group-imports';
import { RunGroupImport } from '../src/group-archive/import/run-group-import';
import { Members } from '../src/member/member.repository';
import { groupKey } from '../src/member/source';
import { Namespaces } from '../src/namespace/namespace.repository';
import { Routes } from '../src/namespace/routes';
import { type ProjectsUnderTest, refusal, startProjects, uniqueName } from './projects-under-test';

/* States after a crash at different lines, inserted by hand, and the result of the periodic jobs. */

let projects: ProjectsUnderTest;
let ann: Caller;
let archive: Buffer;
let importId = 800_000;

beforeAll(async () => {
  projects = await startProjects();
  projects.respond(userIdsByUsername, () => []);
  projects.respond(exportGroupRecords, ({ kind }) => ({ [kind]: [], next_after_id: null }));
  projects.respond(importGroupRecords, () => ({ created: 0 }));
  ann = await projects.user(undefined, { isAdmin: true });
  const top = await newGroup();
  await newGroup({ path: 'sub', parent_id: top.id });
  archive = await exported(String(top.id));
});
afterAll(() => projects?.stop());

const part = <T>(type: abstract new (...args: never[]) => T): T => projects.running.app.get(type as never);

function newGroup(over: object = {}) {
  const path = uniqueName('group');
  return projects.ask(ann, createGroup, { name: 'Group', path, ...over });
}

async function exported(id: string): Promise<Buffer> {
  await projects.ask(ann, exportGroup, { id });
  const isDone = async () => (await projects.ask(ann, getGroupExport, { id })).export_status === 'finished';
  await eventually(isDone, 'the export');
  const { url } = await projects.ask(ann, downloadGroupExport, { id });
  return Buffer.from(await (await fetch(url)).arrayBuffer());
}

/** An import whose process has died. */
async function leftImport(over: Partial<GroupImportDocument>): Promise<number> {
  importId += 1;
  await part(ObjectStorage).write(archiveKeyOf(importId), Readable.from([archive]));
  const left = { _id: importId, userId: ann.id, isAdmin: true, status: 'started' } as const;
  await part(GroupImports).model.create({ ...left, ...over } as never);
  return importId;
}

/** Path and owner of a group that was never written. */
async function halfMade(path: string): Promise<number> {
  const groupId = 700_000 + importId;
  await part(Routes).claim(path, { kind: 'namespace', targetId: groupId });
  await part(Members).add({ source: groupKey(groupId), userId: ann.id, accessLevel: 50 });
  return groupId;
}

/** Runs the periodic jobs until a state is reached. */
async function nextTurn(state: () => Promise<unknown>): Promise<void> {
  await Promise.all([part(RunGroupImport).adoptAbandoned(), part(BuildGroupExport).queueUnfinished()]);
  await part(RunGroupImport).queueReady();
  await eventually(state, 'the state');
}

const importOf = (id: number) => part(GroupImports).find(id);
const hasEnded = (id: number) => async () => ['finished', 'failed'].includes((await importOf(id))?.status ?? '');
const expectNoArchive = (id: number) => expect(part(ObjectStorage).read(archiveKeyOf(id))).rejects.toThrow('no object');

describe('an import that was killed', () => {
  it('in the middle of creating a subgroup continues with the same one', async () => {
    const top = await newGroup();
    const groupId = await halfMade(`${top.full_path}/sub`);
    const id = await leftImport({ groupId: top.id, making: { number: 2, groupId } });
    const importedAs = { importId: id, number: 1 };
    await part(Namespaces).model.updateOne({ _id: top.id }, { $set: { importedAs } });
    await nextTurn(hasEnded(id));
    expect(await importOf(id)).toMatchObject({ status: 'finished', error: null });
    const below = await projects.ask(ann, listSubgroups, { id: String(top.id) });
    expect(below.items).toMatchObject([{ id: groupId, path: 'sub' }]);
    expect(await part(Members).model.countDocuments({ source: groupKey(groupId) })).toBe(1);
    await expectNoArchive(id);
  });

  it('while it created its first group leaves neither path nor owner', async () => {
    const path = uniqueName('never');
    const groupId = await halfMade(path);
    const id = await leftImport({ status: 'preparing', making: { number: 1, groupId } });
    await nextTurn(hasEnded(id));
    expect(await importOf(id)).toMatchObject({ status: 'failed', groupId: null });
    expect(await part(Routes).isFree(path)).toBe(true);
    expect(await part(Members).model.countDocuments({ source: groupKey(groupId) })).toBe(0);
    await expectNoArchive(id);
  });

  it('between the end of its archive and the note of it has succeeded', async () => {
    const top = await newGroup();
    const id = await leftImport({ groupId: top.id, isFilled: true });
    await part(ObjectStorage).remove(archiveKeyOf(id));
    await nextTurn(hasEnded(id));
    expect(await importOf(id)).toMatchObject({ status: 'finished', error: null });
    expect((await projects.ask(ann, getGroup, { id: String(top.id) })).id).toBe(top.id);
  });

  it('is not ended while another process still prepares it', async () => {
    await part(GroupImports).whilePreparing(async (id) => {
      await leftImport({ _id: id, status: 'preparing' });
      const other = await leftImport({ status: 'preparing' });
      await nextTurn(hasEnded(other));
      expect(await importOf(id)).toMatchObject({ status: 'preparing' });
    });
  });

  it('during its rollback is rolled back, with its reason', async () => {
    const top = await newGroup();
    const id = await leftImport({ groupId: top.id, error: 'a row was wrong' });
    await part(Namespaces).model.updateOne({ _id: top.id }, { $set: { importedAs: { importId: id, number: 1 } } });
    await nextTurn(hasEnded(id));
    expect(await importOf(id)).toMatchObject({ status: 'failed', error: 'a row was wrong' });
    const gone = async () => (await refusal(projects.ask(ann, getGroup, { id: String(top.id) }))).code !== 'none';
    await eventually(gone, 'the end of the group');
    await expectNoArchive(id);
  });
});

describe('an export that was killed', () => {
  it('between its end and its mail sends the mail, and removes those that came before', async () => {
    const group = await newGroup({ name: uniqueName('Told') });
    const [before, done] = [
      await part(GroupExports).add(group.id, ann.id),
      await part(GroupExports).add(group.id, ann.id),
    ];
    await part(GroupExports).set(before._id, { status: 'failed' });
    await part(GroupExports).set(done._id, { status: 'finished', filename: 'x.tar.gz' });
    await nextTurn(async () => (await part(GroupExports).latest(group.id))?.isTold);
    await eventually(() => projects.mails().some((mail) => mail.includes(group.full_name)), 'the mail');
    expect(await part(GroupExports).model.countDocuments({ groupId: group.id })).toBe(1);
  });

  it('is deleted with its group and its file', async () => {
    const group = await newGroup();
    const { _id } = await part(GroupExports).add(group.id, ann.id);
    const key = `group-exports/${_id}.tar.gz`;
    await part(ObjectStorage).write(key, Readable.from([archive]));
    await part(GroupExports).forget(group.id);
    await expect(part(ObjectStorage).read(key)).rejects.toThrow('no object');
  });
});
