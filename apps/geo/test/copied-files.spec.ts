import { getGeoStatus, listFailedCopies, projectDeleted, updateGeoNode } from '@moothall/contracts';
import { eventually, projectNamed, shareBetweenTests, uniqueId } from '@moothall/testing';
import { getModelToken } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { FilePosition } from '../src/replication/file-position.schema';
import type { ReplicaRow } from '../src/replication/replica-row.schema';
import { startFileService } from './file-service-under-test';
import { startGeoService } from './geo-under-test';
import { primaryToken, startPrimary } from './primary-under-test';

/** A secondary and its primary, both with services that store files. */
async function startSites() {
  const primary = await startPrimary();
  const theirs = await startFileService(primary.under);
  const node = await primary.bed.node({ url: 'http://moothall.test/' });
  const { bed, under } = await startGeoService({
    GEO_ROLE: 'secondary',
    GEO_PRIMARY_URL: primary.url,
    GEO_PRIMARY_TOKEN: primaryToken,
    GEO_LOOK_INTERVAL: '50ms',
    GEO_RETRY_FIRST: '100ms',
    GEO_NODES_INTERVAL: '100ms',
    GEO_NEW_FILES_INTERVAL: '50ms',
    GEO_FILES_INTERVAL: '200ms',
  });
  const ours = await startFileService(under);
  const model = <T>(name: string) => under.running.app.get<Model<T>>(getModelToken(name), { strict: false });
  const rows = model<ReplicaRow>('ReplicaRow');
  const row = (id: string) => rows.findById(id).lean<ReplicaRow>();
  const isSo = (id: string, facts: Partial<ReplicaRow>) =>
    eventually(
      async () => {
        const found = await row(id);
        const isThere = Object.entries(facts).every(([name, value]) => found?.[name as keyof ReplicaRow] === value);
        return found && isThere ? found : undefined;
      },
      `${id} ${JSON.stringify(facts)}`,
    );
  return {
    primary,
    node,
    bed,
    under,
    theirs,
    ours,
    rows,
    row,
    isSo,
    positions: model<FilePosition>('FilePosition'),
    gone: (id: string) => eventually(async () => (await row(id)) === null, `${id} to go`),
    async stop() {
      await under.stop();
      await ours.stop();
      await primary.stop();
      await theirs.stop();
    },
  };
}
const sites = shareBetweenTests(startSites);
const added = (name: string) => {
  const project = projectNamed(name);
  sites.primary.bed.projects.set(project.id, project);
  return project;
};

it('copies files of each kind, and removes what the primary removed', async () => {
  const { theirs, ours, isSo, gone } = sites;
  const project_ids = [added('with-files').id];
  const ids = { lfs_objects: uniqueId(), package_files: uniqueId(), job_artifacts: uniqueId(), uploads: uniqueId() };
  for (const [kind, id] of Object.entries(ids)) theirs.add(kind as 'uploads', id, `${kind} ${id}`, { project_ids });
  theirs.add('avatars', 7, 'a picture', { size: null, sha256: null });
  for (const [kind, id] of [...Object.entries(ids), ['avatars', 7] as const]) {
    const { verification, tries } = await isSo(`${kind}/${id}`, { state: 'synced' });
    expect({ verification, tries }).toEqual({ verification: 'verified', tries: 0 });
    expect(ours.copies.get(`${kind}/${id}`)?.toString()).toBe(kind === 'avatars' ? 'a picture' : `${kind} ${id}`);
  }
  theirs.records.get('uploads')?.delete(String(ids.uploads));
  await gone(`uploads/${ids.uploads}`);
  expect(ours.copies.has(`uploads/${ids.uploads}`)).toBe(false);
}, 60_000);

it('retries a file that differs from what the primary reported, and shows that', async () => {
  const { theirs, isSo, bed, node } = sites;
  const id = uniqueId();
  const file = theirs.add('package_files', id, 'the bytes', { sha256: 'a'.repeat(64) });
  const failed = await isSo(`package_files/${id}`, { state: 'failed' });
  expect(failed.error).toMatch(/not those of the file/);

  const listed = await eventually(
    () => bed.call(listFailedCopies, { kind: 'package_files' } as never, bed.context).catch(() => undefined),
    'the node',
  );
  expect(listed.items).toEqual([
    expect.objectContaining({ kind: 'package_files', id: String(id), state: 'failed', error: failed.error }),
  ]);
  // Without a checksum, only the size can be compared.
  file.sha256 = null;
  await sites.rows.updateOne({ _id: `package_files/${id}` }, { $set: { sha256: null } });
  await isSo(`package_files/${id}`, { state: 'synced' });
  // Copies are counted a moment after their rows have changed: a retried one is neither failed nor synced.
  const all = await sites.rows.countDocuments({ kind: 'package_files' });
  await eventually(async () => {
    const status = await bed.call(getGeoStatus, { id: node.id }, bed.context);
    const { package_files_synced_count: synced, package_files_verified_count: verified } = status;
    return status.package_files_failed_count === 0 && synced === all && verified === all;
  }, 'the counts');
}, 60_000);

it('counts files without bytes on the primary separately, and retries them', async () => {
  const { theirs, ours, isSo, rows } = sites;
  const id = uniqueId();
  const file = theirs.add('lfs_objects', id, '', { size: 3, sha256: null });
  await isSo(`lfs_objects/${id}`, { state: 'synced', verification: 'missing' });
  file.bytes = Buffer.from('now');
  await rows.updateOne({ _id: `lfs_objects/${id}` }, { $set: { verifyAt: new Date(0) } });
  await isSo(`lfs_objects/${id}`, { state: 'synced', verification: 'verified' });
  expect(ours.copies.get(`lfs_objects/${id}`)?.toString()).toBe('now');
}, 60_000);

it('verifies copies periodically, and replaces damaged or missing ones', async () => {
  const { theirs, ours, isSo, rows } = sites;
  const id = uniqueId();
  theirs.add('job_artifacts', id, 'artifact');
  await isSo(`job_artifacts/${id}`, { verification: 'verified' });
  for (const damage of [
    () => ours.copies.set(`job_artifacts/${id}`, Buffer.from('artifice')),
    () => ours.copies.delete(`job_artifacts/${id}`),
  ]) {
    damage();
    await rows.updateOne({ _id: `job_artifacts/${id}` }, { $set: { verifyAt: new Date(0) } });
    await eventually(async () => ours.copies.get(`job_artifacts/${id}`)?.toString() === 'artifact', 'the healing');
    await isSo(`job_artifacts/${id}`, { state: 'synced', verification: 'verified' });
  }
}, 60_000);

it('continues when the primary is back, also with work of a process that ended', async () => {
  const { primary, theirs, isSo, rows, row } = sites;
  const id = uniqueId();
  theirs.add('uploads', id, 'later');
  primary.isAway = true;
  const asked = primary.asked;
  await eventually(async () => primary.asked > asked + 2, 'questions without answers');
  primary.isAway = false;
  await isSo(`uploads/${id}`, { state: 'synced' });
  await rows.updateOne({ _id: `uploads/${id}` }, { $set: { state: 'asked', dueAt: new Date(0), checksum: null } });
  await isSo(`uploads/${id}`, { state: 'synced' });
  expect((await row(`uploads/${id}`))?.checksum).toMatch(/^[0-9a-f]{64}$/);
}, 60_000);

it('forgets files of a project that went', async () => {
  const { primary, theirs, ours, isSo, gone } = sites;
  const { id: projectId, fullPath } = added('going');
  const id = uniqueId();
  theirs.add('job_artifacts', id, 'of a project', { project_ids: [projectId] });
  await isSo(`job_artifacts/${id}`, { state: 'synced' });
  primary.bed.projects.delete(projectId);
  theirs.records.get('job_artifacts')?.delete(String(id));
  await primary.under.emit(projectDeleted, { project_id: projectId, full_path: fullPath, storage: 'default' });
  await gone(`job_artifacts/${id}`);
  await eventually(() => !ours.copies.has(`job_artifacts/${id}`), 'the end of the file');
}, 60_000);

it('pages through more files than a page has, and copies the selected ones', async () => {
  const { primary, node, theirs, rows, isSo, gone } = sites;
  const { id: projectId } = added('selected');
  const first = uniqueId() * 10_000;
  for (let n = 0; n < 1100; n++) theirs.add('lfs_objects', first + n, `${n}`, { project_ids: [projectId] });
  theirs.add('avatars', first, 'of a group');
  const ofMany = { kind: 'lfs_objects', fileId: { $gte: first } } as const;
  await eventually(async () => (await rows.countDocuments(ofMany)) === 1100, 'all of them');
  const wanted = { id: node.id, selective_sync_type: 'shards' };
  await primary.bed.call(updateGeoNode, wanted, primary.bed.context);
  await gone(`lfs_objects/${first}`);
  await gone(`lfs_objects/${first + 1099}`);
  // Files without a project are copied as well.
  await isSo(`avatars/${first}`, { state: 'synced' });
}, 120_000);
