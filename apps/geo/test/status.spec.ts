import {
  commonErrors,
  countJobArtifacts,
  deleteGeoNode,
  type GeoNodeStatus,
  getGeoStatus,
  listGeoFailures,
  listGeoStatuses,
  projectDeleted,
  reportGeoStatus,
} from '@moothall/contracts';
import { eventually, listAll, shareBetweenTests } from '@moothall/testing';
import { startGeoService } from './geo-under-test';

const geo = shareBetweenTests(startGeoService);

const failure = (value: object) => expect.objectContaining({ value: expect.objectContaining(value) });
const statuses = () => listAll((page) => geo.bed.call(listGeoStatuses, page as never, geo.bed.context));
const statusOf = (id: number): Promise<GeoNodeStatus> =>
  geo.bed.call(getGeoStatus, { id, refresh: true }, geo.bed.context);

it('shows the status of the primary from the counts of its services', async () => {
  const { bed, under } = geo;
  const { id } = await bed.node({ primary: true, url: 'http://moothall.test' });
  const status = await statusOf(id);
  expect(status).toMatchObject({
    geo_node_id: id,
    healthy: true,
    health: 'Healthy',
    health_status: 'Healthy',
    missing_oauth_application: false,
    version: '13.6.0',
    revision: 'abc',
    projects_count: 7,
    attachments_count: 3,
    repositories_count: 8,
    job_artifacts_count: 5,
    container_repositories_count: 2,
    package_files_count: 4,
    design_repositories_count: 0,
    repositories_checked_count: 6,
    repositories_checked_failed_count: 1,
    repositories_checksummed_count: 5,
    repositories_checksummed_in_percentage: '62.50%',
    repositories_checksum_failed_count: 1,
    wikis_count: 2,
    wikis_checksummed_count: 1,
    wikis_verified_count: null,
    repositories_synced_count: null,
    repositories_synced_in_percentage: '0.00%',
    last_event_id: 0,
    last_event_timestamp: null,
    cursor_last_event_id: null,
  });
  expect((await statuses()).map(({ geo_node_id }) => geo_node_id)).toContain(id);

  under.respond(countJobArtifacts, () => commonErrors.unavailable());
  expect(await statusOf(id)).toMatchObject({
    healthy: false,
    health: 'Services do not answer: ci',
    health_status: 'Unhealthy',
    job_artifacts_count: null,
    repositories_count: 8,
  });
  under.respond(countJobArtifacts, () => ({ job_artifacts: 6 }));
  expect(await statusOf(id)).toMatchObject({ healthy: true, job_artifacts_count: 6 });
  await expect(bed.call(listGeoFailures, {}, bed.context)).rejects.toEqual(failure({ code: 'geo.not_of_primary' }));

  const began = Math.floor(Date.now() / 1000);
  await under.emit(projectDeleted, { project_id: 4, full_path: 'group/gone', storage: 'default' });
  const later = await eventually(async () => {
    const now = await statusOf(id);
    return now.last_event_id ? now : undefined;
  }, 'the event');
  expect(later.last_event_id).toBeGreaterThan(0);
  expect(later.last_event_timestamp).toBeGreaterThanOrEqual(began);
  await bed.call(deleteGeoNode, { id }, bed.context);
  await expect(bed.call(listGeoFailures, {}, bed.context)).rejects.toEqual(failure({ code: 'geo.node_not_found' }));
});

it('stores the status that a secondary reports', async () => {
  const { bed } = geo;
  const { id, oauth_application } = await bed.node({ selective_sync_type: 'namespaces' });
  await expect(statusOf(id)).rejects.toEqual(failure({ code: 'geo.status_not_found' }));
  await expect(statusOf(999_999)).rejects.toEqual(failure({ code: 'geo.node_not_found' }));
  const credentials = oauth_application!;
  const status = { repositories_count: 3, repositories_synced_count: 2, cursor_last_event_id: 12, wikis_count: null };
  const answer = await bed.call(reportGeoStatus, { ...credentials, version: '13.6.0', ...status });
  expect(answer).toMatchObject({
    ...status,
    geo_node_id: id,
    healthy: true,
    version: '13.6.0',
    revision: null,
    selective_sync_type: 'namespaces',
    repositories_synced_in_percentage: '66.67%',
    repositories_failed_count: null,
  });
  expect(await statusOf(id)).toEqual(answer);
  expect(await statuses()).toContainEqual(answer);
  // The feed of the primary has a slot for each.
  const primary = await bed.node({ primary: true, url: 'http://moothall.test' });
  const slots = await statusOf(primary.id);
  expect(slots.replication_slots_count).toBeGreaterThanOrEqual(1);
  expect(slots).toMatchObject({ replication_slots_used_count: 1, replication_slots_max_retained_wal_bytes: 0 });
  await bed.call(deleteGeoNode, { id: primary.id }, bed.context);

  const sick = await bed.call(reportGeoStatus, { ...credentials, health: 'The disk is full', repositories_count: 4 });
  expect(sick).toMatchObject({ healthy: false, health: 'The disk is full', health_status: 'Unhealthy' });
  // A report replaces the previous one.
  expect(sick).toMatchObject({ repositories_count: 4, repositories_synced_count: null, cursor_last_event_id: null });

  bed.applications.delete(id);
  expect(await statusOf(id)).toMatchObject({ missing_oauth_application: true });
});

it('accepts it from no other caller', async () => {
  const { bed } = geo;
  const { id, oauth_application } = await bed.node();
  const unauthorized = failure({ code: commonErrors.unauthorized.code });
  const wrong = { ...oauth_application!, secret: 'guessed' };
  await expect(bed.call(reportGeoStatus, wrong)).rejects.toEqual(unauthorized);
  // The current primary copies nothing.
  const primary = await bed.node({ primary: true });
  bed.applications.set(primary.id, 'kept');
  const kept = { application_id: `application-${primary.id}`, secret: 'kept' };
  await expect(bed.call(reportGeoStatus, kept)).rejects.toEqual(unauthorized);
  await bed.call(deleteGeoNode, { id: primary.id }, bed.context);
  await expect(statusOf(id)).rejects.toEqual(failure({ code: 'geo.status_not_found' }));
});

it('reports, as a secondary, no failures of its own, and accepts no status of others', async () => {
  const secondary = await startGeoService({ GEO_ROLE: 'secondary' });
  try {
    const { bed } = secondary;
    await bed.node({ url: 'http://moothall.test' });
    expect((await bed.call(listGeoFailures, { type: 'verification' }, bed.context)).items).toEqual([]);
    const status = { application_id: 'any', secret: 'any' };
    await expect(bed.call(reportGeoStatus, status)).rejects.toEqual(failure({ code: commonErrors.forbidden.code }));
  } finally {
    await secondary.stop();
  }
}, 60_000);
