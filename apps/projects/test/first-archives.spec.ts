import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import {
  type Caller,
  getProject,
  getProjectImport,
  type InputOf,
  importProject,
  importProjectRecords,
  importProtections,
  importReleases,
  importSchedules,
  listProjectBadges,
  listUploads,
  openIssueCounts,
  reserveRecordIds,
  userIdsByUsername,
} from '@moothall/contracts';
import { eventually, UploadStore } from '@moothall/testing';
import { pack } from 'tar-stream';
import { type ProjectsUnderTest, startProjects, uniqueName } from './projects-under-test';

/*
 * Archives of earlier versions. This file contains the output of the first version literally: it does not depend on the
 * current code, and does not change with it. See docs/api/projects.md#9.
 */

jest.setTimeout(120_000);

let projects: ProjectsUnderTest;
let files: UploadStore;
/** Records that other services received, by project. */
const taken = new Map<number, InputOf<typeof importProjectRecords>[]>();
const protections = new Map<number, InputOf<typeof importProtections>>();

beforeAll(async () => {
  files = await UploadStore.start();
  projects = await startProjects();
  const { respond } = projects;
  respond(userIdsByUsername, () => []);
  respond(importProtections, (input, { project }) => void protections.set(project!.id, input));
  respond(importReleases, () => ({ created: 0 }));
  respond(importSchedules, () => ({ created: 0 }));
  respond(openIssueCounts, () => []);
  respond(reserveRecordIds, () => ({ first_id: 1000 }));
  respond(importProjectRecords, (input, { project }) => {
    taken.set(project!.id, [...(taken.get(project!.id) ?? []), input]);
    return { created: 1 };
  });
});
afterAll(async () => {
  await projects?.stop();
  await files?.stop();
});

const at = '2026-01-02T03:04:05.000Z';
const uploadId = 'f'.repeat(32);
const sha = 'a'.repeat(40);
const issuable = {
  ...{ description: 'text', author_id: 1, assignee_ids: [1], participant_ids: [1, 2], label_titles: ['bug'] },
  ...{ milestone_title: 'first', confidential: false, discussion_locked: null, time_estimate: 60, time_spent: 0 },
  ...{ user_notes_count: 1, created_at: at, updated_at: at, closed_at: null, closed_by_id: null },
  ...{ state_changes: [], awards: [{ name: 'thumbsup', user_id: 2, created_at: at }] },
};
const issue = { ...issuable, iid: 1, title: 'It breaks', state: 'opened', due_date: null, weight: 3 };
const request = {
  ...{ ...issuable, iid: 1, title: 'Mend it', state: 'merged', source_branch: 'topic', target_branch: 'main' },
  ...{ is_own_source: true, reviewer_ids: [2], approvals: [{ user_id: 2, at }], squash: false },
  ...{ removes_source_branch: null, allows_collaboration: false, head_sha: sha, base_sha: sha, start_sha: sha },
  ...{ changes_count: '1', closes_issue_iids: [1], merge_commit_sha: sha, squash_commit_sha: null, merged_by_id: 1 },
  ...{ merged_at: at, versions: [{ head_sha: sha, base_sha: sha, start_sha: sha, created_at: at }] },
};
const note = {
  ...{ id: 1, discussion_id: 1, noteable_type: 'Issue', noteable_iid: 1, body: 'Said', author_id: 2, system: false },
  ...{ confidential: false, position: null, is_unresolved: false, resolved_at: null, resolved_by_id: null },
  ...{ created_at: at, updated_at: at, awards: [] },
};
const milestone = {
  ...{ iid: 1, title: 'first', description: null, state: 'active', start_date: null, due_date: '2026-02-01' },
  ...{ created_at: at, updated_at: at },
};
const board = { name: 'Development', milestone_title: null, label_titles: [] };
const list = { list_type: 'label', label_title: 'bug', milestone_title: null, position: 0 };
const levels = { push_levels: [40], merge_levels: [30], unprotect_levels: [40] };

/** All files of the first version, in order. */
const first: [name: string, content: string | object[]][] = [
  [
    'users.ndjson',
    [
      { id: 1, username: 'ada', public_email: 'ada@example.com', name: 'Ada' },
      { id: 2, username: 'bob', public_email: null, name: 'Bob' },
    ],
  ],
  [
    'project.ndjson',
    [
      {
        ...{ name: 'Engine', path: 'engine', description: 'Kept', visibility: 'private', default_branch: null },
        ...{ wiki_branch: null, topics: ['steam'], features: { wiki: 'disabled' }, settings: {} },
      },
    ],
  ],
  ['members.ndjson', []],
  ['badges.ndjson', [{ name: 'b', link_url: 'https://example.com/x', image_url: 'https://example.com/x.svg' }]],
  [
    'protections.ndjson',
    [{ kind: 'branch', name: 'main', ...levels, allows_force_push: false, needs_code_owner: false }],
  ],
  ['uploads.ndjson', [{ id: uploadId, filename: 'a.txt', content_type: 'text/plain', user_id: 1, created_at: at }]],
  [`uploads/${uploadId}`, 'attached'],
  ['labels.ndjson', [{ title: 'bug', color: '#ff0000', description: null }]],
  ['milestones.ndjson', [milestone]],
  ['boards.ndjson', [{ ...board, lists: [list] }]],
  ['issues.ndjson', [{ ...issue, relative_position: 1000 }]],
  ['merge_requests.ndjson', [request]],
  ['notes.ndjson', [note]],
];

async function archiveOf(version: number, contents = first): Promise<Buffer> {
  const written = contents.map(([name, content]): [string, Buffer, number] => {
    const rows = typeof content === 'string' ? 0 : content.length;
    const lines = typeof content === 'string' ? content : content.map((row) => `${JSON.stringify(row)}\n`).join('');
    return [name, Buffer.from(lines), rows];
  });
  const facts = written.map(([name, bytes, rows]) => {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return [name, { bytes: bytes.length, rows, sha256 }];
  });
  const manifest = { format: 'moothall project export', version, exported_at: at, files: Object.fromEntries(facts) };
  const archive = pack();
  archive.entry({ name: 'manifest.json' }, JSON.stringify(manifest));
  for (const [name, bytes] of written) archive.entry({ name }, bytes);
  archive.finalize();
  return gzipSync(await buffer(archive));
}

async function imported(ann: Caller, archive: Buffer) {
  const given = { path: uniqueName('kept'), file: files.add(archive, 'file.tar.gz') };
  const { id } = await projects.ask(ann, importProject, given);
  return eventually(async () => {
    const state = await projects.ask(ann, getProjectImport, { id: String(id) });
    return ['finished', 'failed'].includes(state.import_status) ? state : undefined;
  }, 'the end of the import');
}

it('an archive of the first version is imported, with defaults for later fields', async () => {
  const ann = await projects.user();
  const end = await imported(ann, await archiveOf(1));
  expect(end).toMatchObject({ import_status: 'finished', import_error: null });
  const { id } = end;
  const project = await projects.ask(ann, getProject, { id: String(id) });
  expect(project).toMatchObject({ description: 'Kept', visibility: 'private', topics: ['steam'], avatar_url: null });
  expect(project).toMatchObject({ wiki_access_level: 'disabled', issues_access_level: 'enabled' });
  expect((await projects.ask(ann, listProjectBadges, { id: String(id) })).items).toMatchObject([{ name: 'b' }]);
  expect((await projects.ask(ann, listUploads, { id: String(id) })).items).toMatchObject([{ filename: 'a.txt' }]);
  expect(protections.get(id)).toMatchObject({ protections: [{ name: 'main', ...levels }] });
  // No user of the archive exists here.
  const description = expect.stringMatching(/^text\n\n\*By Ada on .* \(imported\)\*$/);
  const own = { description, author_id: ann.id, assignee_ids: [], participant_ids: [], awards: [] };
  const brought = taken.get(id)!;
  const all = (kind: keyof (typeof brought)[number]) => brought.flatMap((page): object[] => page[kind] ?? []);
  expect(all('labels')).toMatchObject([{ title: 'bug' }]);
  expect(all('milestones')).toMatchObject([{ title: 'first', due_date: '2026-02-01' }]);
  expect(all('boards')).toMatchObject([{ name: 'Development', lists: [list] }]);
  expect(all('issues')).toMatchObject([{ ...issue, ...own, iteration: null }]);
  const nobody = { reviewer_ids: [], approvals: [], merged_by_id: null };
  expect(all('merge_requests')).toMatchObject([{ ...request, ...own, ...nobody, approval_rules: null }]);
  const body = expect.stringMatching(/^Said\n\n\*By Bob on /);
  expect(all('notes')).toMatchObject([{ ...note, id: 1000, discussion_id: 1000, author_id: ann.id, body }]);
});

it('an archive of an unknown version is refused with a message, and nothing is imported', async () => {
  const ann = await projects.user();
  const end = await imported(ann, await archiveOf(99));
  expect(end).toMatchObject({
    import_status: 'failed',
    import_error: '400 Bad request - The archive cannot be imported: it has version 99, and 1 can be read',
  });
  expect(taken.get(end.id)).toBeUndefined();
});

it('an archive with an unknown kind of file is refused, and the error names it', async () => {
  const ann = await projects.user();
  const end = await imported(ann, await archiveOf(1, [...first, ['wishes.ndjson', [{ id: 1 }]]]));
  expect(end.import_error).toMatch(/nobody knows what "wishes.ndjson" is/);
});
