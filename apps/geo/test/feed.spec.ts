import {
  commonErrors,
  copiedRefsChanged,
  groupChanged,
  type InputOf,
  importFinished,
  listGeoChecksums,
  listGeoEvents,
  listGeoProjects,
  projectChanged,
  projectDeleted,
  repositoryUpdated,
} from '@moothall/contracts';
import { startService } from '@moothall/service';
import { eventually, projectNamed, shareBetweenTests, uniqueId } from '@moothall/testing';
import { getModelToken } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { service } from '../src';
import { Feed } from '../src/feed/feed.repository';
import type { FeedPage } from '../src/feed/feed-page.schema';
import { startGeoService, usualChecksum } from './geo-under-test';

const geo = shareBetweenTests(startGeoService);

const failure = (value: object) => expect.objectContaining({ value: expect.objectContaining(value) });
const expired = failure({ code: 'geo.cursor_expired' });
const read = (input: InputOf<typeof listGeoEvents> = {}) => geo.bed.call(listGeoEvents, input, geo.bed.context);
const pushed = (project_id: number) =>
  geo.under.emit(repositoryUpdated, {
    project_id,
    user: null,
    changes: [{ ref: 'refs/heads/main', before: '0'.repeat(40), after: '1'.repeat(40) }],
  });

/** Reads the feed like a secondary, until an answer is complete. */
async function follow(cursor: number, isEnough: (heard: Heard[]) => boolean): Promise<Heard[]> {
  const heard: Heard[] = [];
  await eventually(async () => {
    const { events, cursor_last_event_id } = await read({ cursor, limit: 7 });
    heard.push(...events);
    cursor = cursor_last_event_id;
    return isEnough(heard);
  }, 'the feed');
  return heard;
}
type Heard = Awaited<ReturnType<typeof read>>['events'][number];

it('reports changes of projects, each in its current state', async () => {
  const { bed, under } = geo;
  const project = projectNamed('crane', { visibility: 'public' });
  bed.projects.set(project.id, project);
  bed.wikis.add(project.id);
  const gone = uniqueId();
  const hidden = uniqueId();
  const { cursor_last_event_id: start, events } = await read();
  expect(events).toEqual([]);

  const of = { project_id: project.id, full_path: project.fullPath };
  await under.emit(projectChanged, { ...of, change: 'created' });
  await under.emit(projectChanged, { ...of, change: 'transferred' });
  await under.emit(projectChanged, { ...of, change: 'updated' });
  await pushed(project.id);
  const imported = uniqueId();
  await under.emit(importFinished, {
    project_id: imported,
    error: null,
    default_branch: null,
    is_empty: true,
    readme_path: null,
  });
  await under.emit(copiedRefsChanged, { project_id: project.id, kind: 'wiki' });
  await under.emit(copiedRefsChanged, { project_id: hidden, kind: 'code' });
  await under.emit(projectDeleted, { project_id: gone, full_path: 'group/gone', storage: 'default' });
  await under.emit(groupChanged, { group_id: 5, full_path: 'group', change: 'created' });
  await under.emit(groupChanged, { group_id: 5, full_path: 'group', change: 'renamed' });

  const wanted = [
    ['project_created', project.id, null],
    ['project_renamed', project.id, null],
    ['project_updated', project.id, null],
    ['repository_updated', project.id, null],
    ['repository_updated', imported, null],
    ['wiki_updated', project.id, null],
    ['repository_updated', hidden, null],
    ['project_deleted', gone, null],
    ['group_updated', null, 5],
  ];
  const idsOf = (all: Heard[]) =>
    new Set(all.map(({ kind, project_id, group_id }) => JSON.stringify([kind, project_id, group_id])));
  const heard = await follow(start, (all) => idsOf(all).size === wanted.length);
  expect(idsOf(heard)).toEqual(new Set(wanted.map((one) => JSON.stringify(one))));
  expect(heard.map(({ id }) => id)).toEqual(heard.map((_, index) => start + index + 1));
  const answer = await read({ cursor: start });
  const end = answer.cursor_last_event_id;
  expect(answer.last_event_id).toBe(end);
  expect(answer.projects).toEqual([
    {
      id: project.id,
      name: 'crane',
      path_with_namespace: 'group/crane',
      namespace_id: 1,
      group_ids: [1],
      visibility: 'public',
      archived: false,
      default_branch: 'main',
      repository_storage: 'default',
      repository_access_level: 'enabled',
      wiki_access_level: 'enabled',
      has_wiki: true,
    },
  ]);
  expect(await read({ cursor: end })).toMatchObject({ events: [], projects: [], last_event_id: end });
});

it('shows a reader every event once, and in order, while two replicas write', async () => {
  const replica = await startService(service, geo.under.env);
  try {
    const { cursor_last_event_id: start } = await read();
    const ids = Array.from({ length: 230 }, uniqueId);
    const reader = follow(start, (all) => new Set(all.map(({ project_id }) => project_id)).size === ids.length);
    await Promise.all([reader, ...ids.map(pushed)]);
    const heard = await reader;
    expect(heard.map(({ id }) => id)).toEqual(heard.map((_, index) => start + index + 1));
    expect(new Set(heard.map(({ project_id }) => project_id))).toEqual(new Set(ids));
    // A secondary that was offline reads the same.
    expect((await read({ cursor: start, limit: heard.length })).events).toEqual(heard);
  } finally {
    await replica.stop();
  }
}, 120_000);

it('lists all projects by ascending id, for a new secondary', async () => {
  const { bed } = geo;
  const projects = [3, 1, 2].map((n) => projectNamed(`listed-${n}`, { groupIds: [77, 7] }));
  for (const project of projects) bed.projects.set(project.id, project);
  const list = (input: InputOf<typeof listGeoProjects>) => bed.call(listGeoProjects, input, bed.context);
  const first = await list({ group_id: 77, limit: 2 });
  expect(first.projects.map(({ id }) => id)).toEqual([projects[0]!.id, projects[1]!.id]);
  const second = await list({ group_id: 77, limit: 2, id_after: first.next_id_after! });
  expect(second).toMatchObject({ projects: [{ id: projects[2]!.id, group_ids: [77, 7] }], next_id_after: null });
  expect(await list({ group_id: 78 })).toEqual({ projects: [], next_id_after: null });
  expect((await list({})).projects.length).toBe(bed.projects.size);
});

it('does not exist on a secondary', async () => {
  const secondary = await startGeoService({ GEO_ROLE: 'secondary' });
  try {
    const { bed } = secondary;
    const forbidden = failure({ code: commonErrors.forbidden.code });
    await expect(bed.call(listGeoEvents, {}, bed.context)).rejects.toEqual(forbidden);
    await expect(bed.call(listGeoProjects, {}, bed.context)).rejects.toEqual(forbidden);
  } finally {
    await secondary.stop();
  }
}, 60_000);

it('refuses a cursor whose events were deleted or never existed', async () => {
  const { under } = geo;
  const before = await read();
  await expect(read({ cursor: before.last_event_id + 1000 })).rejects.toEqual(expired);
  await expect(read({ cursor: Number.MAX_SAFE_INTEGER })).rejects.toEqual(expired);

  const pages = under.running.app.get<Model<FeedPage>>(getModelToken('FeedPage'), { strict: false });
  const feed = under.running.app.get(Feed, { strict: false });
  const event = { kind: 'repository_updated', projectId: 1, groupId: null, at: new Date() } as const;
  const full = (_id: number): FeedPage => ({ _id, count: 100, events: Array.from({ length: 100 }, () => event) });
  await pages.insertMany([full(1500), full(2499), full(2500)]);
  await feed.trim();
  expect((await pages.find({}, { _id: 1 }).sort({ _id: 1 }).lean()).map(({ _id }) => _id)).toEqual([1500, 2499, 2500]);
  await expect(read({ cursor: before.last_event_id })).rejects.toEqual(expired);
  await expect(read({ cursor: 0 })).rejects.toEqual(expired);
  // A suspended process may start a page that was trimmed.
  await pages.create({ ...full(1499), count: 1 });
  await expect(read({ cursor: 149_900 })).rejects.toEqual(expired);

  await feed.add(event);
  const { events } = await read({ cursor: 250_099 });
  expect(events.map(({ id }) => id)).toEqual([250_100, 250_101]);
  expect(await read()).toMatchObject({ events: [], cursor_last_event_id: 250_101, last_event_id: 250_101 });
});

it('returns checksums from the storages that answer', async () => {
  const { bed } = geo;
  const [one, other] = ['one', 'other'].map((name) => projectNamed(name));
  const away = projectNamed('away', { storage: 'elsewhere' });
  for (const project of [one!, other!, away]) bed.projects.set(project.id, project);
  bed.checksums.set(`${other!.id}-wiki`, null);
  const ask = (project_ids: number[]) => bed.call(listGeoChecksums, { project_ids, kind: 'wiki' }, bed.context);
  expect((await ask([one!.id, other!.id, away.id, uniqueId(), one!.id])).checksums).toEqual([
    { project_id: one!.id, checksum: usualChecksum },
    { project_id: other!.id, checksum: null },
  ]);
  const tooMany = ask(Array.from({ length: 101 }, (_, index) => index + 1));
  await expect(tooMany).rejects.toThrow('Too big');
});
