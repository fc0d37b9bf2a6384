import { type Db, MongoClient } from 'mongodb';
import { OwnServer } from '../server/own-server';
import { until as eventually } from '../server/until';

/*
 * A project is imported, and all processes are killed at different kinds of records. After the next start the import
 * resumes, and in the end has everything once.
 */

const server = new OwnServer({});
let mongo: MongoClient;
let ci: Db;
let collaboration: Db;
let original: number;
let archive: Blob;
beforeAll(async () => {
  await begin();
  original = await filledProject();
  archive = await exported(original);
}, 240_000);
afterAll(async () => {
  await mongo?.close();
  await server.stop();
});

async function begin(): Promise<void> {
  await server.start();
  mongo = await MongoClient.connect(server.mongodbUri);
  [ci, collaboration] = [mongo.db('moothall_ci'), mongo.db('moothall_collaboration')];
}

async function killAndBegin(): Promise<void> {
  await Promise.all([server.kill(), mongo.close().catch(() => undefined)]);
  await begin();
}

/** With a long timeout for restarts, and a short interval, so that no state is missed. */
const until = <T>(what: string, probe: () => Promise<T> | T) => eventually(what, probe, 90_000, 2);
const make = async <T = { id: number }>(path: string, body: object) => (await server.api('POST', path, body)) as T;

/** More than one batch of snippets, events and notes. */
async function filledProject(): Promise<number> {
  const { id } = await make('/projects', { name: 'Original', initialize_with_readme: true });
  const at = `/projects/${id}`;
  const each = (count: number, act: (one: number) => Promise<unknown>) =>
    Promise.all(Array.from({ length: count }, (_, one) => act(one + 1)));
  await each(60, (one) => make(`${at}/issues`, { iid: one, title: `issue ${one}`, labels: 'a,b', weight: 2 }));
  await each(59, async (one) => {
    const link = { target_project_id: id, target_issue_iid: one + 1 };
    await make(`${at}/issues/${one}/links`, link);
    await server.api('PUT', `${at}/issues/${one}`, { remove_labels: 'b', weight: 3, state_event: 'close' });
  });
  await each(120, async (one) => {
    const files = [{ file_path: 'a.txt', content: `text ${one}` }];
    const snippet = await make(`${at}/snippets`, { title: `snippet ${one}`, visibility: 'private', files });
    await make(`${at}/snippets/${snippet.id}/notes`, { body: `note ${one}` });
  });
  await make(`${at}/repository/commits/main/comments`, { note: 'said' });
  await each(3, (one) =>
    make(`${at}/pipeline_schedules`, { description: `nightly ${one}`, ref: 'main', cron: '0 1 * * *', active: false }),
  );
  return id;
}

async function countsOf(projectId: number) {
  const issues = await collaboration.collection<{ _id: number }>('issues').find({ projectId }).toArray();
  const ids = issues.map(({ _id }) => _id);
  const of = (name: string, filter: object) => collaboration.collection(name).countDocuments(filter);
  const events = (kind: string) => of(`${kind}_events`, { resourceType: 'Issue', resourceId: { $in: ids } });
  return {
    issues: ids.length,
    labels: await events('label'),
    states: await events('state'),
    weights: await events('weight'),
    links: await of('issue_links', { sourceId: { $in: ids } }),
    snippets: await of('snippets', { projectId }),
    commits: await of('noted_commits', { projectId }),
    notes: await of('notes', { projectId }),
    schedules: await ci.collection('schedules').countDocuments({ projectId }),
  };
}

async function exported(id: number): Promise<Blob> {
  await server.api('POST', `/projects/${id}/export`);
  await until('the export', async () => {
    const { export_status } = (await server.api('GET', `/projects/${id}/export`)) as { export_status: string };
    return export_status === 'finished';
  });
  const headers = { 'private-token': server.token };
  return (await fetch(`${server.url}/api/v4/projects/${id}/export/download`, { headers })).blob();
}

async function startImport(path: string): Promise<number> {
  const body = new FormData();
  body.set('path', path);
  body.set('file', archive, 'file.tar.gz');
  const headers = { 'private-token': server.token };
  const answer = await fetch(`${server.url}/api/v4/projects/import`, { method: 'POST', headers, body });
  return ((await answer.json()) as { id: number }).id;
}

// More kills during one import would use up the attempts of its job, which then counts as failed.
it.each(['snippets', 'labels', 'notes'] as const)(
  'an import is complete and has nothing twice, though it was killed among its %s',
  async (kind) => {
    const copy = await startImport(`killed-among-${kind}`);
    await until(`some ${kind}`, async () => (await countsOf(copy))[kind] > 0);
    await killAndBegin();
    const state = await until('the end of the import', async () => {
      const { import_status, import_error } = (await server.api('GET', `/projects/${copy}/import`)) as {
        import_status: string;
        import_error: string | null;
      };
      return ['finished', 'failed'].includes(import_status) && { import_status, import_error };
    });
    expect(state).toEqual({ import_status: 'finished', import_error: null });
    expect(await countsOf(copy)).toEqual(await countsOf(original));
  },
  300_000,
);
