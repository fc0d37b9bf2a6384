import { getGeoStatus, type InputOf, listGeoFailures } from '@moothall/contracts';
import { eventually, shareBetweenTests, uniqueId } from '@moothall/testing';
import { getModelToken } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { ReplicaRow } from '../src/replication/replica-row.schema';
import { startGeoService } from './geo-under-test';
import { startPrimary } from './primary-under-test';

/* A secondary with an application at its primary, which reports its status. It copies nothing here. */

async function startSites() {
  const primary = await startPrimary();
  const node = await primary.bed.node({ url: 'http://moothall.test/' });
  const { application_id, secret } = node.oauth_application!;
  primary.credential = `Basic ${Buffer.from(`${application_id}:${secret}`).toString('base64')}`;
  const { bed, under } = await startGeoService({
    GEO_ROLE: 'secondary',
    GEO_PRIMARY_URL: primary.url,
    GEO_APPLICATION_ID: application_id,
    GEO_APPLICATION_SECRET: secret,
    GEO_LOOK_INTERVAL: '50ms',
    GEO_STATUS_INTERVAL: '100ms',
    GEO_RETRY_FIRST: '3600',
  });
  const rows = under.running.app.get<Model<ReplicaRow>>(getModelToken('ReplicaRow'), { strict: false });
  const here = () => bed.call(getGeoStatus, { id: node.id, refresh: false }, bed.context);
  await eventually(
    () =>
      here().then(
        ({ db_replication_lag_seconds }) => db_replication_lag_seconds !== null,
        () => false,
      ),
    'a status',
  );
  return {
    primary,
    node,
    bed,
    under,
    rows,
    here,
    async stop() {
      await under.stop();
      await primary.stop();
    },
  };
}
const sites = shareBetweenTests(startSites);

const never = new Date('2100-01-01');
/** A row as the services would write it. */
const rowOf = (projectId: number, given: Partial<ReplicaRow> = {}): ReplicaRow => {
  const kind = given.kind ?? 'code';
  return {
    _id: `${projectId}-${kind}`,
    projectId,
    kind,
    path: `group/p${projectId}`,
    state: 'synced',
    dueAt: null,
    turn: 'one',
    walk: 'one',
    tries: 0,
    error: null,
    checksum: 'a'.repeat(64),
    triedAt: new Date('2026-01-02T03:04:05Z'),
    syncedAt: new Date('2026-01-02T03:04:05Z'),
    verification: 'verified',
    verifyAt: never,
    verifyTries: 0,
    verifyError: null,
    verifiedAt: never,
    ...given,
  };
};

it('reports its counts and its position to its primary', async () => {
  const { rows, primary, node, here, bed } = sites;
  await rows.deleteMany({ _id: { $gt: '' } });
  await rows.insertMany([
    rowOf(1),
    rowOf(2, { state: 'failed', dueAt: never, tries: 3, verification: 'none', verifyAt: null, checksum: null }),
    rowOf(3, { verification: 'mismatch', verifyTries: 2 }),
    rowOf(4, { verification: 'failed', verifyTries: 1 }),
    rowOf(5, { state: 'removing', dueAt: never, verification: 'none', verifyAt: null }),
    rowOf(1, { kind: 'wiki' }),
    rowOf(2, { kind: 'wiki', state: 'failed', dueAt: never, verification: 'none', verifyAt: null }),
  ]);
  const wanted = {
    geo_node_id: node.id,
    healthy: true,
    health: 'Healthy',
    version: '13.6.0',
    missing_oauth_application: false,
    repository_verification_enabled: true,
    projects_count: 4,
    repositories_count: 4,
    repositories_synced_count: 3,
    repositories_synced_in_percentage: '75.00%',
    repositories_failed_count: 1,
    repositories_checksummed_count: 2,
    repositories_checksum_failed_count: 1,
    repositories_verified_count: 1,
    repositories_verified_in_percentage: '25.00%',
    repositories_verification_failed_count: 2,
    repositories_checksum_mismatch_count: 1,
    repositories_retrying_verification_count: 2,
    repositories_checked_count: 6,
    wikis_count: 2,
    wikis_synced_count: 1,
    wikis_failed_count: 1,
    wikis_verified_in_percentage: '50.00%',
    last_event_id: expect.any(Number),
    cursor_last_event_id: expect.any(Number),
    db_replication_lag_seconds: expect.any(Number),
    attachments_count: 0,
    lfs_objects_synced_missing_on_primary_count: 0,
    package_files_verified_count: 0,
    replication_slots_count: null,
  };
  // They are counted again a moment later.
  await eventually(async () => {
    const { projects_count, wikis_count } = await here();
    return projects_count === 4 && wikis_count === 2;
  }, 'the counts');
  expect(await here()).toMatchObject(wanted);
  const there = () => primary.bed.call(getGeoStatus, { id: node.id, refresh: false }, primary.bed.context);
  const status = await eventually(async () => {
    const status = await there().catch(() => undefined);
    return status?.wikis_count === 2 ? status : undefined;
  }, 'the report');
  expect(status).toMatchObject(wanted);

  bed.disks = [{ storage: 'default', free_share: 0.01 }];
  const sick = await eventually(async () => {
    const status = await there();
    return status.healthy ? undefined : status;
  }, 'the bad news');
  expect(sick).toMatchObject({ health: 'The disk of the storage default is full to 99 percent' });
  bed.disks = [];
}, 60_000);

it('lists the projects of which something failed, a page at a time', async () => {
  const { rows, bed } = sites;
  await rows.deleteMany({ _id: { $gt: '' } });
  const failed = { state: 'failed', dueAt: never, error: 'It broke off', tries: 2, syncedAt: null } as const;
  await rows.insertMany([
    rowOf(1),
    rowOf(2, failed),
    rowOf(2, { ...failed, kind: 'wiki' }),
    rowOf(3, { kind: 'wiki', ...failed }),
    rowOf(4, { verification: 'mismatch', verifyTries: 2, verifyError: 'It differs' }),
    rowOf(5, { verification: 'failed', verifyTries: 1, verifyError: 'A blob is missing' }),
  ]);
  const list = async (input: InputOf<typeof listGeoFailures>) => bed.call(listGeoFailures, input, bed.context);
  const ids = async (input: InputOf<typeof listGeoFailures>) =>
    (await list(input)).items.map(({ project_id }) => project_id);
  expect(await ids({})).toEqual([2, 3]);
  expect(await list({ page: 2, per_page: 1 } as never)).toMatchObject({ items: [{ project_id: 3 }], total: 2 });
  expect(await ids({ type: 'repository' })).toEqual([2]);
  expect(await ids({ type: 'wiki' })).toEqual([2, 3]);
  expect(await ids({ type: 'verification' })).toEqual([4, 5]);
  expect(await ids({ type: 'repository', failure_type: 'checksum_mismatch' })).toEqual([4]);
  expect(await ids({ type: 'wiki', failure_type: 'verification' })).toEqual([]);
  const { items } = await list({});
  expect(items[0]).toEqual({
    project_id: 2,
    last_repository_synced_at: '2026-01-02T03:04:05.000Z',
    last_repository_successful_sync_at: null,
    last_wiki_synced_at: '2026-01-02T03:04:05.000Z',
    last_wiki_successful_sync_at: null,
    repository_retry_count: 2,
    wiki_retry_count: 2,
    last_repository_sync_failure: 'It broke off',
    last_wiki_sync_failure: 'It broke off',
    last_repository_verification_failure: null,
    last_wiki_verification_failure: null,
    repository_checksum_mismatch: false,
    wiki_checksum_mismatch: false,
  });
}, 60_000);

/** The status after two minutes of the fake clock. Repeated, because an earlier request may be answered meanwhile. */
async function missing(news: string) {
  const positions = sites.under.running.app.get<Model<object>>(getModelToken('Position'), { strict: false });
  await positions.updateOne({ _id: 'primary' }, { $set: { heardAt: new Date(Date.now() - 120_000) } });
  const status = await sites.here();
  return status.health.includes(news) ? status : undefined;
}

it('reports that the primary is unavailable, until it answers', async () => {
  const { primary, here } = sites;
  primary.isAway = true;
  expect(await eventually(() => missing('has not answered for 12'), 'the bad news')).toMatchObject({ healthy: false });
  primary.isAway = false;
  await eventually(async () => (await here()).healthy, 'the good news');
}, 60_000);

it('keeps its copies while the address of its primary leads to another server', async () => {
  const { primary, rows, node, here } = sites;
  await rows.deleteMany({ _id: { $gt: '' } });
  await rows.insertMany([rowOf(1), rowOf(1, { kind: 'wiki' })]);
  primary.isOther = true;
  const none = 'What answers at the address of the primary is none: GET /geo/events is answered with what is no JSON';
  expect(await eventually(() => missing(none), 'answers that are none')).toMatchObject({
    geo_node_id: node.id,
    healthy: false,
    health: expect.stringContaining('has not answered for 12'),
  });
  expect(await rows.countDocuments({ state: 'synced' })).toBe(2);
  primary.isOther = false;
  await eventually(async () => (await here()).healthy, 'the good news');
}, 60_000);

it('counts a hundred thousand copies by the keys of indexes', async () => {
  const { rows, here } = sites;
  await rows.deleteMany({ _id: { $gt: '' } });
  const first = uniqueId() + 1_000_000;
  for (let part = 0; part < 20; part++) {
    const some = Array.from({ length: 5_000 }, (_, index) => rowOf(first + part * 5_000 + index));
    await rows.collection.insertMany(some as never[]);
  }
  const counts: object[] = [
    { kind: 'code', state: 'synced' },
    { kind: 'code', verification: 'verified' },
  ];
  for (const query of [...counts, { kind: 'code', verifyTries: { $gt: 0 } }]) {
    const explained = await rows.db.db!.command({ explain: { count: rows.collection.collectionName, query } });
    expect(JSON.stringify(explained)).toContain('COUNT_SCAN');
  }
  await eventually(async () => (await here()).repositories_count === 100_000, 'the counts');
  const times: number[] = [];
  for (let turn = 0; turn < 7; turn++) {
    const began = performance.now();
    expect(await here()).toMatchObject({ repositories_count: 100_000, repositories_verified_in_percentage: '100.00%' });
    times.push(performance.now() - began);
  }
  const [middle = 0] = times.toSorted((a, b) => a - b).slice(3);
  process.stdout.write(`status of 100,000 copies: ${middle.toFixed(1)} ms\n`);
}, 120_000);
