import {
  type Caller,
  createProject,
  createProjectBadge,
  deleteProject,
  downloadProjectExport,
  exportProjectRecords,
  exportProtections,
  exportPushRules,
  exportReleases,
  exportSchedules,
  getProject,
  getProjectExport,
  getProjectImport,
  getRefs,
  type InputOf,
  importProject,
  importProjectRecords,
  importProtections,
  importPushRules,
  importReleases,
  importSchedules,
  listLfsObjects,
  listProjectBadges,
  listUploads,
  openIssueCounts,
  projectExportErrors,
  reserveRecordIds,
  startProjectExport,
  updateProject,
  uploadFile,
  userIdsByUsername,
} from '@moothall/contracts';
import { eventually, UploadStore } from '@moothall/testing';
import { KnownRepository } from '../src/project/known-repository';
import { Projects } from '../src/project/project.repository';
import { RemoveProject } from '../src/project/remove-project';
import { RenameProject } from '../src/project/rename-project';
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
/** Stub records of other services for any project. */
const snippet = {
  ...{ id: 33, title: 's', description: null, author_id: 1, visibility: 'public' as const, awards: [] },
  ...{ files: [{ path: 'a', content: 'x' }], user_notes_count: 1, created_at: at, updated_at: at },
};
const held = {
  labels: [label],
  snippets: [snippet],
  notes: [
    note,
    { ...note, id: 9, body: 'again' },
    { ...note, id: 10, discussion_id: null, noteable_type: 'Snippet' as const, noteable_iid: 33 },
    // Created during the export.
    { ...note, id: 11, discussion_id: null, noteable_type: 'Snippet' as const, noteable_iid: 34 },
  ],
};
const schedule = {
  ...{ id: 7, description: 'nightly', ref: 'main', cron: '0 1 * * *', cron_timezone: 'UTC' },
  ...{ created_at: at, updated_at: at },
};
/** Records that collaboration and other services received. */
const taken = new Map<number, Records[]>();
const takenBesides = new Map<number, unknown[]>();

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
  respond(exportPushRules, () => [{ deny_delete_tag: true }]);
  respond(exportReleases, () => ({ releases: [], next_after_id: null }));
  respond(exportSchedules, ({ after_id = 0 }) => ({
    schedules: [{ ...schedule, id: after_id + 7 }],
    next_after_id: after_id === 0 ? 7 : null,
  }));
  respond(listLfsObjects, () => []);
  respond(getRefs, () => ({ exists: false, head: null, refs: [] }));
  respond(importProtections, () => undefined);
  respond(importReleases, () => ({ created: 0 }));
  respond(importPushRules, (rules, { project }) => void takenBesides.set(project!.id, [rules]));
  respond(importSchedules, (input, { project }) => {
    takenBesides.get(project!.id)?.push(input);
    return { created: 2 };
  });
  respond(openIssueCounts, () => []);
  respond(reserveRecordIds, ({ kind }) => ({ first_id: kind === 'snippets' ? 500 : 1000 }));
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
  it('is unique for a project, is available for a day, and is deleted with the project', async () => {
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
    // State after a crash, when Redis has lost the job.
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
    await part(ProjectExports).removeExpired(Date.now() + 25 * 60 * 60 * 1000);
    expect(await projects.ask(ann, getProjectExport, { id })).toMatchObject({ export_status: 'none' });
    await exported(ann, id);
    await projects.ask(ann, deleteProject, { id });
    await eventually(
      async () => (await part(ProjectExports).latest(project.number)) === null,
      'the end of the archive',
    );
  });

  it('shows that the next is created while the one before exists', async () => {
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

  it('fails with a reason if it would be too large', async () => {
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
      [1002, null, ann.id],
    ]);
    expect(first.flatMap(({ snippets = [] }) => snippets)).toMatchObject([{ id: 500, author_id: ann.id }]);
    expect(first.flatMap(({ notes = [] }) => notes).at(-1)).toMatchObject({ noteable_iid: 500 });
    expect(takenBesides.get(began.id)).toEqual([
      { deny_delete_tag: true },
      { owner_id: ann.id, schedules: [1, 2].map((line) => ({ ...schedule, id: line })) },
    ]);
    await untilNoted(began.id);
    // State after a crash at the end.
    const { storage, key } = await storedAgain(began.id, archive);
    await part(ProjectImports).set(began.id, { status: 'started', isFilled: false });
    // There is one job, even if the periodic job finds it as well.
    await part(RunProjectImport).queueReady();
    await untilNoted(began.id);
    expect(taken.get(began.id)!.slice(first.length)).toEqual(first);
    const copy = String(began.id);
    expect((await projects.ask(ann, listProjectBadges, { id: copy })).items).toHaveLength(1);
    expect((await projects.ask(ann, listUploads, { id: copy })).items).toHaveLength(1);
    await expect(storage.read(key)).rejects.toThrow('no object');
  });

  it('that is run again after a kill between the end of its archive and the note of it has succeeded', async () => {
    const ann = await projects.user();
    const { id } = await newProject(ann);
    const began = await imported(ann, await exported(ann, id));
    await untilNoted(began.id);
    await part(ProjectImports).set(began.id, { status: 'started' });
    await part(RunProjectImport).run({ project_id: began.id });
    expect(await untilEnded(ann, began.id)).toMatchObject({ import_status: 'finished', import_error: null });
  });

  it('whose preparation was abandoned is continued or deleted', async () => {
    const ann = await projects.user();
    const { id, number } = await newProject(ann);
    const archive = await exported(ann, id);
    const wanted = { userId: ann.id, isAdmin: false, accessLevel: 50, overrides: {}, sealedUrl: null, replaces: null };
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

  it.each([
    ['before the old one goes', RemoveProject, 'one'],
    ['before the new one has its path', RenameProject, 'to'],
  ] as const)('that replaces another leaves one of the two if it is killed %s', async (_when, type, method) => {
    const ann = await projects.user();
    const { id, number, path, path_with_namespace } = await newProject(ann);
    const archive = await exported(ann, id);
    const stop = jest.spyOn(part<RemoveProject | RenameProject>(type) as never, method as never) as jest.SpyInstance;
    const met: (string | number)[][] = [];
    const stopped = async (): Promise<void> => {
      const found = await part(Projects)
        .model.find({ _id: { $gte: number } })
        .sort({ _id: 1 });
      met.push(found.filter(({ creatorId }) => creatorId === ann.id).map(({ _id }) => _id));
      throw new Error('stopped');
    };
    stop.mockImplementationOnce(stopped);
    const began = await imported(ann, archive, { path, overwrite: true });
    expect(began.path).toBe(`${path}-import-${began.id}`);
    expect(await untilEnded(ann, began.id)).toMatchObject({ import_error: null, path_with_namespace });
    expect(met).toEqual([method === 'one' ? [number, began.id] : [began.id]]);
    expect((await refusal(projects.ask(ann, getProject, { id }))).code).toBe('project.not_found');
    expect((await projects.ask(ann, getProject, { id: path_with_namespace })).id).toBe(began.id);
  });

  it('that replaces another and fails keeps that one, and sends a mail to its user', async () => {
    const ann = await projects.user();
    const { id, path, path_with_namespace, number } = await newProject(ann);
    const archive = await exported(ann, id);
    const fails = jest.spyOn(part(KnownRepository), 'take').mockRejectedValue(projectExportErrors.archiveRefused('no'));
    // State after a crash between the deletion of the project and the end of the import.
    const ends = jest.spyOn(part(ProjectImports), 'forget').mockRejectedValueOnce(new Error('killed'));
    try {
      const began = await imported(ann, archive, { path, overwrite: true });
      const gone = async () => (await part(Projects).model.findById(began.id)) === null;
      await eventually(gone, 'the end of the project');
      await eventually(async () => (await part(ProjectImports).find(began.id)) === null, 'the end of the import');
      expect(ends.mock.calls.length).toBeGreaterThan(1);
      expect(fails).toHaveBeenCalledTimes(1);
      const mails = () => projects.mails().filter((mail) => mail.includes(`import of the project ${path} failed`));
      await eventually(async () => mails().length === 1, 'the mail');
      const text = mails()[0]?.replaceAll('=\n', '');
      expect(text).toContain(`View the project: http://moothall.test/${path_with_namespace}\n`);
      expect((await projects.ask(ann, getProject, { id: path_with_namespace })).id).toBe(number);
      // Its path is free again.
      await projects.ask(ann, createProject, { name: began.path, path: began.path });
    } finally {
      fails.mockRestore();
    }
  });

  it('that replaces another does not delete that one if it was moved', async () => {
    const ann = await projects.user();
    const { id, path, path_with_namespace } = await newProject(ann);
    const archive = await exported(ann, id);
    jest.spyOn(part(KnownRepository), 'take').mockImplementationOnce(async () => {
      await projects.ask(ann, updateProject, { id, path: `${path}-moved` });
    });
    const began = await imported(ann, archive, { path, overwrite: true });
    expect(await untilEnded(ann, began.id)).toMatchObject({ import_error: null, path_with_namespace });
    expect(await projects.ask(ann, getProject, { id })).toMatchObject({ path: `${path}-moved` });
  });

  it('shows why it failed, and keeps the project', async () => {
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

  /** The project is finished before its archive is deleted, and that is before the import has ended. */
  const untilNoted = (id: number) =>
    eventually(async () => (await part(ProjectImports).find(id))?.status === 'finished', 'the note of the end');

  async function storedAgain(id: number, archive: Buffer) {
    const { ObjectStorage } = await import('@moothall/object-storage');
    const storage = projects.running.app.get(ObjectStorage, { strict: false });
    const key = `project-imports/${id}.tar.gz`;
    const { Readable } = await import('node:stream');
    await storage.write(key, Readable.from([archive]));
    return { storage, key };
  }
});
