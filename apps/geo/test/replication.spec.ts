import { isDeepStrictEqual } from 'node:util';
import {
  commonErrors,
  copiedRefsChanged,
  createGeoNode,
  deleteGeoNode,
  type EventInput,
  getGeoNode,
  type InputOf,
  listGeoNodes,
  projectDeleted,
  removeReplica,
  replicaSynced,
  replicaVerified,
  repositoryUpdated,
  syncReplica,
  updateGeoNode,
  verifyReplica,
} from '@moothall/contracts';
import { unattended } from '@moothall/logging';
import { eventually, listAll, projectNamed, shareBetweenTests, uniqueId } from '@moothall/testing';
import { getModelToken } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { Position } from '../src/replication/position.schema';
import type { ReplicaRow } from '../src/replication/replica-row.schema';
import { startGeoService, usualChecksum } from './geo-under-test';
import { primaryToken, startPrimary } from './primary-under-test';

type SyncOrder = InputOf<typeof syncReplica>;

/** A secondary of a primary, whose stub repository service records requests, and fails on demand. */
async function startSites() {
  const primary = await startPrimary();
  const listed = projectNamed('listed');
  primary.bed.projects.set(listed.id, listed);
  const { bed, under } = await startGeoService({
    GEO_ROLE: 'secondary',
    GEO_PRIMARY_URL: primary.url,
    GEO_PRIMARY_TOKEN: primaryToken,
    GEO_LOOK_INTERVAL: '50ms',
    GEO_RETRY_FIRST: '200ms',
    GEO_NODES_INTERVAL: '100ms',
  });
  const orders: SyncOrder[] = [];
  const removed: number[] = [];
  const failing = new Set<number>();
  const missing = new Set<number>();
  const unremovable = new Set<number>();
  const read: number[] = [];
  const damaged = new Set<number>();
  const unreadable = new Set<number>();
  /** Copies whose end is published when a test calls the stored function. */
  const held = new Map<number, () => void>();
  const checksums = new Map<number, string>();
  under.respond(syncReplica, (wish) => {
    orders.push(wish);
    const isMissing = missing.has(wish.project_id);
    const isFailing = isMissing || failing.has(wish.project_id);
    const ended = {
      project_id: wish.project_id,
      kind: wish.kind,
      ...(isFailing
        ? { outcome: isMissing ? 'missing_at_source' : 'failed', error: 'It broke off' }
        : { outcome: 'synced', error: null }),
      checksum: isFailing ? null : (checksums.get(wish.project_id) ?? usualChecksum),
      made_anew: false,
      ended_at: new Date().toISOString(),
    } satisfies EventInput<typeof replicaSynced>;
    const tell = () => unattended('replica', under.emit(replicaSynced, ended));
    if (held.has(wish.project_id)) held.set(wish.project_id, tell);
    else tell();
  });
  under.respond(verifyReplica, ({ project_id, kind }) => {
    read.push(project_id);
    const isBad = damaged.has(project_id) || unreadable.has(project_id);
    const ended = under.emit(replicaVerified, {
      project_id,
      kind,
      outcome: damaged.has(project_id) ? 'damaged' : isBad ? 'failed' : 'intact',
      error: isBad ? 'It took too long' : null,
      checksum: checksums.get(project_id) ?? usualChecksum,
      ended_at: new Date().toISOString(),
    });
    unattended('verification', ended);
  });
  under.respond(removeReplica, ({ project_id }) => {
    if (unremovable.has(project_id)) return commonErrors.unavailable();
    removed.push(project_id);
    return undefined;
  });
  const model = <T>(name: string) => under.running.app.get<Model<T>>(getModelToken(name), { strict: false });
  const rows = model<ReplicaRow>('ReplicaRow');
  const positions = model<Position>('Position');
  const row = (id: number, kind: ReplicaRow['kind'] = 'code') => rows.findById(`${id}-${kind}`).lean<ReplicaRow>();
  const inState = (id: number, state: ReplicaRow['state'], kind: ReplicaRow['kind'] = 'code') =>
    eventually(async () => {
      const found = await row(id, kind);
      return found?.state === state ? found : undefined;
    }, state);
  const verifiedAs = (id: number, verification: ReplicaRow['verification']) =>
    eventually(async () => {
      const found = await row(id);
      return found?.verification === verification ? found : undefined;
    }, verification);
  return {
    primary,
    bed,
    under,
    listed,
    orders,
    removed,
    failing,
    missing,
    unremovable,
    checksums,
    read,
    damaged,
    unreadable,
    held,
    positions,
    rows,
    row,
    inState,
    verifiedAs,
    async stop() {
      await under.stop();
      await primary.stop();
    },
  };
}
const sites = shareBetweenTests(startSites);

const added = (name: string) => {
  const project = projectNamed(name);
  sites.primary.bed.projects.set(project.id, project);
  return project;
};
const pushed = (project_id: number) =>
  sites.primary.under.emit(repositoryUpdated, {
    project_id,
    user: null,
    changes: [{ ref: 'refs/heads/main', before: '0'.repeat(40), after: '1'.repeat(40) }],
  });
const wishesFor = (id: number, kind = 'code') =>
  sites.orders.filter((wish) => wish.project_id === id && wish.kind === kind);

it('copies existing records first, with their source', async () => {
  const { listed, inState, primary } = sites;
  expect(await inState(listed.id, 'synced')).toMatchObject({ tries: 0, error: null, checksum: 'a'.repeat(64) });
  const { username, password, origin, pathname } = new URL(wishesFor(listed.id)[0]!.source_url);
  expect({ username, password, origin, pathname }).toEqual({
    username: 'oauth2',
    password: primaryToken,
    origin: primary.url,
    pathname: `/${listed.fullPath}.git`,
  });
});

it('receives pushes and deleted projects', async () => {
  const { inState, row, removed, primary } = sites;
  const { id, fullPath } = added('pushed');
  await pushed(id);
  await inState(id, 'synced');
  const before = wishesFor(id).length;
  await pushed(id);
  await eventually(async () => wishesFor(id).length > before, 'another wish');
  primary.bed.projects.delete(id);
  await primary.under.emit(projectDeleted, { project_id: id, full_path: fullPath, storage: 'default' });
  await eventually(async () => (await row(id)) === null, 'the removal');
  expect(removed).toContain(id);
});

it('retries failures', async () => {
  const { failing, inState } = sites;
  const { id } = added('failing');
  failing.add(id);
  await pushed(id);
  const failed = await inState(id, 'failed');
  expect(failed).toMatchObject({ tries: 1, error: 'It broke off', syncedAt: null });
  expect(failed.dueAt?.getTime()).toBeGreaterThan(failed.triedAt!.getTime());
  failing.delete(id);
  expect(await inState(id, 'synced')).toMatchObject({ tries: 0, error: null });
}, 60_000);

it('continues where it was when the primary is back', async () => {
  const { primary, inState } = sites;
  primary.isAway = true;
  const { id } = added('meanwhile');
  await pushed(id);
  const asked = primary.asked;
  await eventually(async () => primary.asked > asked, 'a question without an answer');
  primary.isAway = false;
  await inState(id, 'synced');
}, 60_000);

it('restarts with the list if the feed no longer has the next events', async () => {
  const { positions, row, inState } = sites;
  const { id } = added('unheard');
  const gone = uniqueId();
  const before = await positions.findById('primary').lean<Position>();
  await sites.under.running.app.get<Model<ReplicaRow>>(getModelToken('ReplicaRow'), { strict: false }).create({
    _id: `${gone}-code`,
    projectId: gone,
    kind: 'code',
    path: 'group/gone',
    state: 'synced',
    turn: 'old',
    walk: before!.walk,
  });
  await positions.updateOne({ _id: 'primary' }, { $set: { cursor: 999_999_999 } });
  await inState(id, 'synced');
  await eventually(async () => (await row(gone)) === null, 'the removal');
  expect((await positions.findById('primary').lean<Position>())?.walk).not.toBe(before?.walk);
}, 60_000);

it('retries a failed removal, and shows why', async () => {
  const { primary, inState, row, unremovable, removed } = sites;
  const { id, fullPath } = added('staying');
  await pushed(id);
  await inState(id, 'synced');
  unremovable.add(id);
  primary.bed.projects.delete(id);
  await primary.under.emit(projectDeleted, { project_id: id, full_path: fullPath, storage: 'default' });
  const tried = await eventually(async () => {
    const now = await row(id);
    return now && now.tries >= 2 ? now : undefined;
  }, 'two tries');
  expect(tried).toMatchObject({ state: 'removing', error: expect.stringMatching(/\w/) });
  unremovable.delete(id);
  await eventually(async () => (await row(id)) === null, 'the removal');
  expect(removed).toContain(id);
}, 60_000);

it('checks missing records on the primary: deletes removed ones, and keeps others', async () => {
  const { primary, inState, row, missing } = sites;
  const there = added('without-repository');
  missing.add(there.id);
  await pushed(there.id);
  const { dueAt, triedAt } = await inState(there.id, 'failed');
  expect(dueAt!.getTime() - triedAt!.getTime()).toBeGreaterThan(80_000_000);
  missing.delete(there.id);
  await pushed(there.id);
  await inState(there.id, 'synced');

  const gone = added('gone-silently');
  await pushed(gone.id);
  await inState(gone.id, 'synced');
  missing.add(gone.id);
  const walked = (await row(gone.id))!;
  primary.bed.projects.delete(gone.id);
  await sites.rows.updateOne({ _id: walked._id }, { $set: { state: 'pending', dueAt: new Date() } });
  await eventually(async () => (await row(gone.id)) === null, 'the removal');
}, 60_000);

it('lists the nodes of its primary, and copies what its own node selects', async () => {
  const { primary, bed, row, inState } = sites;
  const node = await primary.bed.node({ url: 'http://moothall.test/', selective_sync_type: 'shards' });
  const here = await eventually(
    () => bed.call(getGeoNode, { id: node.id }, bed.context).catch(() => undefined),
    'the node',
  );
  expect(here).toMatchObject({ name: node.name, current: true, selective_sync_type: 'shards' });
  const { id } = added('unselected');
  await eventually(async () => (await row(sites.listed.id)) === null, 'the removal');
  await pushed(id);

  // Swapped names are copied, too.
  const other = await primary.bed.node();
  await eventually(() => bed.call(getGeoNode, { id: other.id }, bed.context).catch(() => undefined), 'the other');
  const { call, context } = primary.bed;
  await call(updateGeoNode, { id: other.id, name: 'between' }, context);
  await call(updateGeoNode, { id: node.id, name: other.name }, context);
  await call(updateGeoNode, { id: other.id, name: node.name, selective_sync_type: 'namespaces' }, context);
  const names = async () =>
    (await listAll((page) => bed.call(listGeoNodes, page as never, bed.context))).map(({ id, name }) => [id, name]);
  // During the swap, one of them is missing for a moment.
  const swapped = [
    [node.id, other.name],
    [other.id, node.name],
  ];
  await eventually(async () => isDeepStrictEqual(await names(), swapped), 'the names');
  expect(await row(id)).toBeNull();

  await expect(
    bed.call(createGeoNode, { name: 'own', url: 'https://own.example.com' }, bed.context),
  ).rejects.toMatchObject({ value: { code: commonErrors.forbidden.code } });
  await call(deleteGeoNode, { id: node.id }, context);
  await inState(id, 'synced');
  expect(await names()).toEqual([[other.id, node.name]]);
}, 60_000);

it('refuses a path that leads outside', async () => {
  const { inState } = sites;
  const { id } = added('elsewhere');
  sites.primary.bed.projects.set(id, { ...sites.primary.bed.projects.get(id)!, fullPath: '../../x?y#z' });
  await pushed(id);
  expect(await inState(id, 'failed')).toMatchObject({ error: expect.stringContaining('path') });
  expect(wishesFor(id)).toEqual([]);
});

it('copies wikis in which something was written, beside the code', async () => {
  const { primary, inState, row, removed } = sites;
  const { id, fullPath } = added('with-wiki');
  await pushed(id);
  await inState(id, 'synced');
  expect(await row(id, 'wiki')).toBeNull();
  const before = wishesFor(id).length;
  primary.bed.wikis.add(id);
  await primary.under.emit(copiedRefsChanged, { project_id: id, kind: 'wiki' });
  await inState(id, 'synced', 'wiki');
  const [wish] = wishesFor(id, 'wiki');
  expect(new URL(wish!.source_url).pathname).toBe(`/${fullPath}.wiki.git`);
  expect(wishesFor(id)).toHaveLength(before);

  const { features } = primary.bed.projects.get(id)!;
  primary.bed.projects.set(id, { ...primary.bed.projects.get(id)!, features: { ...features, wiki: 'disabled' } });
  await pushed(id);
  await eventually(async () => (await row(id, 'wiki')) === null, 'the removal');
  expect(await row(id)).not.toBeNull();
  expect(removed).toContain(id);
}, 60_000);

it('compares copies with the primary', async () => {
  const { verifiedAs, primary, checksums, inState } = sites;
  const { id } = added('compared');
  await pushed(id);
  expect(await verifiedAs(id, 'verified')).toMatchObject({ verifyTries: 0, verifyError: null });

  // It is copied again, immediately and then with delays, until both are equal.
  checksums.set(id, 'b'.repeat(64));
  const before = wishesFor(id).length;
  await pushed(id);
  const differing = await verifiedAs(id, 'mismatch');
  expect(differing.verifyTries).toBeGreaterThanOrEqual(2);
  expect(wishesFor(id).length).toBeGreaterThan(before + 1);
  primary.bed.checksums.set(`${id}-code`, 'b'.repeat(64));
  await verifiedAs(id, 'verified');

  primary.bed.checksums.set(`${id}-code`, null);
  checksums.set(id, 'c'.repeat(64));
  await pushed(id);
  expect(await verifiedAs(id, 'failed')).toMatchObject({ verifyError: expect.stringContaining('no checksum') });
  primary.bed.checksums.set(`${id}-code`, 'c'.repeat(64));
  await verifiedAs(id, 'verified');
  await inState(id, 'synced');
}, 60_000);

it('verifies copies periodically, and replaces damaged ones', async () => {
  const { verifiedAs, rows, read, damaged, unreadable, held } = sites;
  const { id } = added('read');
  await pushed(id);
  await verifiedAs(id, 'verified');
  expect(read).not.toContain(id);
  const longAgo = () => rows.updateOne({ _id: `${id}-code` }, { $set: { verifyAt: new Date(0) } });
  await longAgo();
  await eventually(async () => read.includes(id), 'the reading');
  await verifiedAs(id, 'verified');

  damaged.add(id);
  const before = wishesFor(id).length;
  held.set(id, () => undefined);
  await longAgo();
  await verifiedAs(id, 'failed');
  damaged.delete(id);
  await eventually(async () => wishesFor(id).length > before, 'the copy that is made instead');
  held.get(id)!();
  held.delete(id);
  expect(await verifiedAs(id, 'verified')).toMatchObject({ verifyTries: 0, verifyError: null });
  expect(wishesFor(id).length).toBe(before + 1);

  unreadable.add(id);
  await longAgo();
  expect(await verifiedAs(id, 'failed')).toMatchObject({ verifyError: 'It took too long' });
  expect(wishesFor(id).length).toBe(before + 1);
  unreadable.delete(id);
  await verifiedAs(id, 'verified');
}, 60_000);
