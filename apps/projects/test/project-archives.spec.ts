import {
  type Caller,
  createProject,
  createProjectBadge,
  deleteProject,
  downloadProjectExport,
  exportProjectRecords,
  exportProtections,
  exportReleases,
  getProject,
  getProjectExport,
  getProjectImport,
  getRefs,
  type InputOf,
  importProject,
  importProjectRecords,
  importProtections,
  importReleases,
  listLfsObjects,
  listProjectBadges,
  listUploads,
  openIssueCounts,
  reserveNoteIds,
  startProjectExport,
  uploadFile,
  userIdsByUsername,
} from '@moothall/contracts';
import { eventually, UploadStore } from '@moothall/testing';
import { BuildProjectExport } from '../src/project-archive/export/build-project-export';
import { ProjectExports } from '../src/project-archive/export/project-exports';
import { ProjectImports } from '../src/project-archive/import/project-imports';
import { RunProjectImport } from '../src/project-archive/import/run-project-import';
import { type ProjectsUnderTest, refusal, startProjects, uniqueName } from './projects-under-test';

type Records = InputOf<typeof importProjectRecords>;

jest.setTimeout(120_000);

let projects: ProjectsUnderTest;
let files: UploadStore;
const label = { title: 'bug', color: '#ff0000', description: null };
const at = '2026-01-02T03:04:05.000Z';
const note = {
  ...{
    id: 7,
    discussion_id: 7,
    noteable_type: 'Issue' as const,
    noteable_iid: 1,
    body: 'hi',
    author_id: 1,
    system: false,
  },
  ...{ confidential: false, position: null, is_unresolved: false, resolved_at: null, resolved_by_id: null, awards: [] },
  ...{ created_at: at, updated_at: at },
};
/** What other services would hold of any project. */
const held = { labels: [label], notes: [note, { ...note, id: 9, body: 'again' }] };
/** What they were given of each. */
const taken = new Map<number, Records[]>();

beforeAll(async () => {
  files = await UploadStore.start();
  projects = await startProjects({ PROJECT_ARCHIVE_MAX_SIZE: '8MB' });
  const { respond } = projects;
  respond(userIdsByUsername, () => []);
  respond(exportProjectRecords, ({ kind }) => ({
    ...{ [kind]: kind in held ? held[kind as keyof typeof held] : [] },
    next_after_id: null,
  }));
  respond(exportProtections, () => []);
  respond(exportReleases, () => ({ releases: [], next_after_id: null }));
  respond(listLfsObjects, () => []);
  respond(getRefs, () => ({ exists: false, head: null, refs: [] }));
  respond(importProtections, () => undefined);
  respond(importReleases, () => ({ created: 0 }));
  respond(openIssueCounts, () => []);
  respond(reserveNoteIds, () => ({ first_id: 1000 }));
  respond(importProjectRecords, (input, { project }) => {
    taken.set(project!.id, [...(taken.get(project!.id) ?? []), input]);
    return { created: 1 };
  });
});
afterAll(async () => {
  await projects?.stop();
  await files?.stop();
});

const part = <T>(type: new (...args: never[]) => T): T => projects.running.app.get(type as never, { strict: false });

async function newProject(ann: Caller) {
  const project = await projects.ask(ann, createProject, { name: uniqueName('whole'), description: 'ours' });
  return { ...project, id: String(project.id), number: project.id };
}

async function exported(ann: Caller, id: string): Promise<Buffer> {
  await projects.ask(ann, startProjectExport, { id });
  await eventually(
    async () => (await projects.ask(ann, getProjectExport, { id })).export_status === 'finished',
    'the export',
  );
  const { url } = await projects.ask(ann, downloadProjectExport, { id });
  return Buffer.from(await (await fetch(url)).arrayBuffer());
}

const untilEnded = (ann: Caller, id: number) =>
  eventually(async () => {
    const state = await projects.ask(ann, getProjectImport, { id: String(id) });
    return ['finished', 'failed'].includes(state.import_status) ? state : undefined;
  }, 'the end of the import');

const imported = (ann: Caller, archive: Buffer, over: object = {}) =>
  projects.ask(ann, importProject, { path: uniqueName('copy'), file: files.add(archive, 'file.tar.gz'), ...over });

describe('an export', () => {
  it('is one at a time of a project, is there for a day, and goes with the project', async () => {
    const ann = await projects.user();
    const project = await newProject(ann);
    const { id } = project;
    expect((await refusal(projects.ask(ann, downloadProjectExport, { id }))).code).toBe('project_export.not_available');
    const wanted = {
      projectId: project.number,
      userId: ann.id,
      description: null,
      sealedUrl: null,
      uploadMethod: 'PUT',
    } as const;
    const [one, other] = await Promise.all([part(ProjectExports).begin(wanted), part(ProjectExports).begin(wanted)]);
    expect(one!._id).toBe(other!._id);
    // As a process leaves it that is killed, with Redis losing the job.
    await part(ProjectExports).set(one!._id, { status: 'started', folder: '/nonexistent/moothall-export' });
    expect(await projects.ask(ann, getProjectExport, { id })).toMatchObject({ export_status: 'started' });
    await part(BuildProjectExport).queueUnfinished();
    await eventually(
      async () => (await projects.ask(ann, getProjectExport, { id })).export_status === 'finished',
      'the export',
    );
    await eventually(
      async () => projects.mails().some((mail) => mail.includes(project.path_with_namespace)),
      'the mail',
    );
    await part(ProjectExports).removeFinishedBefore(new Date(Date.now() + 1000));
    expect(await projects.ask(ann, getProjectExport, { id })).toMatchObject({ export_status: 'none' });
    await exported(ann, id);
    await projects.ask(ann, deleteProject, { id });
    await eventually(
      async () => (await part(ProjectExports).latest(project.number)) === null,
      'the end of the archive',
    );
  });

  it('tells that the next is made while the one before is there', async () => {
    const ann = await projects.user();
    const { id, number } = await newProject(ann);
    await exported(ann, id);
    const wanted = {
      projectId: number,
      userId: ann.id,
      description: null,
      sealedUrl: null,
      uploadMethod: 'PUT',
    } as const;
    await part(ProjectExports).begin(wanted);
    const state = await projects.ask(ann, getProjectExport, { id });
    expect(state).toMatchObject({ export_status: 'regeneration_in_progress', _links: expect.anything() });
  });

  it('fails with the reason where it would be too large', async () => {
    const ann = await projects.user();
    const { id } = await newProject(ann);
    await projects.ask(ann, uploadFile, { id, file: files.add(Buffer.alloc(9_000_000), 'large.bin') });
    await projects.ask(ann, startProjectExport, { id });
    const failed = await eventually(async () => {
      const state = await projects.ask(ann, getProjectExport, { id });
      return state.export_status === 'failed' ? state : undefined;
    }, 'the failure');
    expect(failed.export_error).toMatch(/larger than/);
  });
});

describe('an import', () => {
  const urls = { link_url: 'https://example.com/x', image_url: 'https://example.com/x.svg' };

  it('that is run again, as after a kill, has nothing twice and notes under the same ids', async () => {
    const ann = await projects.user();
    const { id } = await newProject(ann);
    await projects.ask(ann, createProjectBadge, { id, ...urls, name: 'b' });
    await projects.ask(ann, uploadFile, { id, file: files.add(Buffer.from('x'), 'a.txt') });
    const archive = await exported(ann, id);
    const began = await imported(ann, archive);
    expect(await untilEnded(ann, began.id)).toMatchObject({ import_error: null });
    const first = taken.get(began.id)!;
    expect(first.flatMap(({ notes = [] }) => notes.map((one) => [one.id, one.discussion_id, one.author_id]))).toEqual([
      [1000, 1000, ann.id],
      [1001, 1000, ann.id],
    ]);
    // As if it had been killed at the end.
    const { storage, key } = await storedAgain(began.id, archive);
    await part(ProjectImports).set(began.id, { status: 'started' });
    await part(RunProjectImport).run({ project_id: began.id });
    expect(taken.get(began.id)!.slice(first.length)).toEqual(first);
    const copy = String(began.id);
    expect((await projects.ask(ann, listProjectBadges, { id: copy })).items).toHaveLength(1);
    expect((await projects.ask(ann, listUploads, { id: copy })).items).toHaveLength(1);
    await expect(storage.read(key)).rejects.toThrow('no object');
  });

  it('that nobody prepares any more is gone on with, or forgotten', async () => {
    const ann = await projects.user();
    const { id, number } = await newProject(ann);
    const archive = await exported(ann, id);
    const wanted = { userId: ann.id, isAdmin: false, accessLevel: 50, overrides: {}, sealedUrl: null };
    const createdAt = new Date(Date.now() - 3_600_000);
    for (const _id of [number, 999_999]) {
      await part(ProjectImports).add({ _id, ...wanted });
      await part(ProjectImports).model.collection.updateOne({ _id: _id as never }, { $set: { createdAt } });
    }
    await storedAgain(number, archive);
    await part(RunProjectImport).adoptAbandoned();
    expect(await part(ProjectImports).find(999_999)).toBeNull();
    await part(RunProjectImport).queueReady();
    expect(await untilEnded(ann, number)).toMatchObject({ import_status: 'finished', import_error: null });
  });

  it('tells why it failed, and keeps the project', async () => {
    const ann = await projects.user();
    const began = await imported(ann, Buffer.from('no archive'));
    expect(began).toMatchObject({ import_status: 'scheduled', failed_relations: [], correlation_id: null });
    const end = await untilEnded(ann, began.id);
    expect(end).toMatchObject({ import_status: 'failed', import_error: expect.stringMatching(/not gzip/) });
    expect(await projects.ask(ann, getProject, { id: String(began.id) })).toMatchObject({ import_status: 'failed' });
  });

  it.each([
    ['a namespace of somebody else', { namespace: 1_000_000 }, 'project.namespace_not_valid'],
    ['a path that is none', { path: '../x' }, 'common.invalid_record'],
    ['a visibility that is none', { override_params: { visibility: 'all' } }, 'common.invalid_record'],
  ])('refuses %s', async (_what, over, code) => {
    const ann = await projects.user();
    expect((await refusal(imported(ann, Buffer.from('x'), over))).code).toBe(code);
  });

  async function storedAgain(id: number, archive: Buffer) {
    const { ObjectStorage } = await import('@moothall/object-storage');
    const storage = projects.running.app.get(ObjectStorage, { strict: false });
    const key = `project-imports/${id}.tar.gz`;
    const { Readable } = await import('node:stream');
    await storage.write(key, Readable.from([archive]));
    return { storage, key };
  }
});
