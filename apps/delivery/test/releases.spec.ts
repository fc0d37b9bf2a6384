import { createHash } from 'node:crypto';
import {
  Access,
  type AccessLevel,
  collectReleaseEvidence,
  createRelease,
  createReleaseLink,
  createTagRelease,
  deleteRelease,
  deleteReleaseLink,
  downloadReleaseLink,
  getLatestRelease,
  getRelease,
  getReleaseEvidence,
  getReleaseLink,
  listGroupReleases,
  listReleaseLinks,
  listReleases,
  type Operation,
  projectDeleted,
  releaseChanged,
  releasesOfTags,
  repositoryUpdated,
  updateRelease,
  updateReleaseLink,
  updateTagRelease,
  userDeleted,
} from '@moothall/contracts';
import { callerNamed, contextOf, eventually, groupNamed, shareBetweenTests, uniqueId } from '@moothall/testing';
import { getModelToken } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { EvidenceFile } from '../src/release/evidence.schema';
import type { Release } from '../src/release/release.schema';
import { startDeliveryService } from './delivery-under-test';

const delivery = shareBetweenTests(startDeliveryService);
const zeros = '0'.repeat(40);
const sha = 'da1560886d4f094c3e6c9ef40349f7d38b5d27d7';
const binary = { name: 'app', url: 'https://example.com/app', filepath: '/bin/app', link_type: 'package' as const };

const of = ({ id }: { id: number }, tag_name = 'v1') => ({ id: String(id), tag_name });
const list = async (
  project: Parameters<typeof delivery.bed.as>[0],
  given: object = {},
  level: AccessLevel = Access.Developer,
) =>
  (await delivery.bed.call(listReleases, { id: String(project.id), ...given }, delivery.bed.as(project, level))).items;

describe('a release', () => {
  it('has its tag, created if missing, its links, milestones and evidence', async () => {
    const { bed } = delivery;
    const project = bed.project();
    const milestone = bed.milestone(project, 'first');
    const given = { name: 'One', description: 'a < b', milestones: ['first'], assets: { links: [binary] } };
    const made = await bed.release(project, 'v1/a', given);
    expect(bed.hasTag(project, 'v1/a')).toBe(true);
    const page = `http://moothall.test/${project.fullPath}/-`;
    expect(made).toMatchObject({
      tag_name: 'v1/a',
      name: 'One',
      description: 'a < b',
      upcoming_release: false,
      author: { username: expect.stringMatching(/^user-/) },
      commit: { id: sha },
      milestones: [{ id: milestone.id, title: 'first' }],
      commit_path: `/${project.fullPath}/-/commit/${sha}`,
      tag_path: `/${project.fullPath}/-/tags/v1%2Fa`,
      assets: {
        count: 5,
        sources: ['zip', 'tar.gz', 'tar.bz2', 'tar'].map((format) => ({
          format,
          url: `http://moothall.test/api/v4/projects/${project.id}/repository/archive.${format}?sha=v1%2Fa`,
        })),
        links: [
          {
            name: 'app',
            url: 'https://example.com/app',
            direct_asset_url: `http://moothall.test/api/v4/projects/${project.id}/releases/v1%2Fa/downloads/bin/app`,
            external: true,
            link_type: 'package',
          },
        ],
      },
      evidences: [],
      _links: { self: `${page}/releases/v1%2Fa`, edit_url: `${page}/releases/v1%2Fa/edit` },
    });
    expect(await bed.call(collectReleaseEvidence, of(project, 'v1/a'), bed.as(project))).toBe(200);
    const shown = await bed.call(
      getRelease,
      { ...of(project, 'v1/a'), include_html_description: true },
      bed.as(project),
    );
    expect(shown.description_html).toBe('<p>a &lt; b</p>');
    expect(shown.evidences).toEqual([
      {
        sha: expect.stringMatching(/^[0-9a-f]{64}$/),
        filepath: `${page}/releases/v1%2Fa/evidences/1.json`,
        collected_at: expect.any(String),
      },
    ]);
    const [published] = bed.under.events(releaseChanged).filter(({ data }) => data.project_id === project.id);
    expect(published?.data).toMatchObject({ action: 'create', release: { tag_name: 'v1/a' }, commit: { id: sha } });
  });

  it('changes only the given fields, and is deleted without its tag', async () => {
    const { bed } = delivery;
    const project = bed.project();
    bed.milestone(project, 'first');
    await bed.release(project, 'v1', { name: 'One', description: 'first', milestones: ['first'] });
    const later = '2120-01-01T00:00:00.000Z';
    const changed = await bed.call(updateRelease, { ...of(project), released_at: later, name: '' }, bed.as(project));
    expect(changed).toMatchObject({ name: 'v1', description: 'first', released_at: later, upcoming_release: true });
    const without = await bed.call(updateRelease, { ...of(project), milestones: [] }, bed.as(project));
    expect(without.milestones).toBeUndefined();
    expect(await bed.call(deleteRelease, of(project), bed.as(project))).toMatchObject({ tag_name: 'v1' });
    expect(await list(project)).toEqual([]);
    expect(bed.hasTag(project, 'v1')).toBe(true);
    const published = bed.under.events(releaseChanged).filter(({ data }) => data.project_id === project.id);
    expect(published.map(({ data }) => data.action)).toEqual(['create', 'update', 'update', 'delete']);
  });

  it('exists once if ten are created concurrently for one tag', async () => {
    const { bed } = delivery;
    const project = bed.project();
    const tries = await Promise.allSettled(Array.from({ length: 10 }, () => bed.release(project, 'v1')));
    const made = tries.filter(({ status }) => status === 'fulfilled');
    const refused = tries.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
    expect([made.length, new Set(refused)]).toEqual([1, new Set(['release.exists'])]);
    expect(await list(project)).toHaveLength(1);
  });

  it('hides its code from guests of a private project', async () => {
    const { bed } = delivery;
    const project = bed.project();
    await bed.release(project, 'v1', { description: 'text', assets: { links: [binary] } });
    await bed.call(collectReleaseEvidence, of(project), bed.as(project));
    const [shown] = await list(project, {}, Access.Guest);
    expect(shown).toMatchObject({
      name: expect.stringMatching(/^Release-\d+$/),
      description: 'text',
      assets: { count: 1, links: [{ url: binary.url, direct_asset_url: binary.url }] },
      evidences: [],
    });
    expect(JSON.stringify({ ...shown, author: null })).not.toMatch(/v1|da156088/);
  });

  it('is in lists by either time, in either order', async () => {
    const { bed } = delivery;
    const project = bed.project();
    await bed.release(project, 'old', { released_at: '2000-01-01' });
    await bed.release(project, 'next', { released_at: '2120-01-01' });
    await bed.release(project, 'now');
    const names = async (given: object) => (await list(project, given)).map(({ tag_name }) => tag_name);
    expect(await names({})).toEqual(['next', 'now', 'old']);
    expect(await names({ sort: 'asc' })).toEqual(['old', 'now', 'next']);
    expect(await names({ order_by: 'created_at' })).toEqual(['now', 'next', 'old']);
    const latest = await bed.call(getLatestRelease, { id: 'x', suffix_path: 'downloads/a b' }, bed.as(project));
    expect(latest).toBeUndefined();
  });

  it('of a group is that of a project below whose code the caller may read', async () => {
    const { bed } = delivery;
    const group = groupNamed('group');
    const [seen, closed] = [
      bed.project({ groupIds: [group.id] }),
      bed.project({ groupIds: [group.id], features: { ...bed.project().features, repository: 'disabled' } }),
    ];
    for (const project of [seen, closed]) await bed.release(project, `of-${project.id}`);
    const context = contextOf({ caller: callerNamed('ada'), group });
    const { items } = await bed.call(listGroupReleases, { id: String(group.id) }, context);
    expect(items.map(({ tag_name }) => tag_name)).toEqual([`of-${seen.id}`]);
  });

  it('is the text of a tag in its oldest form, and shown in lists of tags', async () => {
    const { bed } = delivery;
    const project = bed.project();
    bed.addTag(project, 'v1');
    const form = { tag_name: 'v1', description: 'first' };
    expect(await bed.call(createTagRelease, { ...of(project), description: 'first' }, bed.as(project))).toEqual(form);
    const asked = { project_id: project.id, tag_names: ['v1', 'v2'] };
    expect(await bed.call(releasesOfTags, asked, contextOf({}))).toEqual([form]);
    const changed = { ...of(project), description: 'second' };
    expect(await bed.call(updateTagRelease, changed, bed.as(project))).toEqual({ ...form, description: 'second' });
  });

  it.each([
    ['without a ref for a tag that is not there', { ref: undefined }, 'release.no_ref'],
    ['with a milestone that is not there', { milestones: ['none'] }, 'release.milestones_not_found'],
    [
      'with two links of one name',
      { assets: { links: [binary, { ...binary, url: 'https://x.example' }] } },
      'common.invalid_record',
    ],
    [
      'with two links of one path',
      { assets: { links: [binary, { ...binary, name: 'b', url: 'https://x.example' }] } },
      'common.invalid_record',
    ],
  ])('is not created %s, nor its tag', async (_what, given, code) => {
    const { bed } = delivery;
    const project = bed.project();
    await expect(bed.release(project, 'v1', given as never)).rejects.toMatchObject({ code });
    expect(bed.hasTag(project, 'v1')).toBe(false);
    expect(await list(project)).toEqual([]);
  });

  it('of a protected tag requires users who may create the tag; an archived project refuses it', async () => {
    const { bed } = delivery;
    const project = bed.project();
    bed.protectedTags.add('kept');
    await expect(bed.release(project, 'kept')).rejects.toMatchObject({ code: 'protection.tag_refused' });
    await bed.call(createRelease, { ...of(project, 'kept'), ref: 'main' }, bed.as(project, Access.Maintainer));
    const changes: [Operation, object][] = [
      [updateRelease, { name: 'x' }],
      [deleteRelease, {}],
      [createReleaseLink, binary],
      [collectReleaseEvidence, {}],
    ];
    for (const [operation, given] of changes)
      await expect(bed.call(operation, { ...of(project, 'kept'), ...given }, bed.as(project))).rejects.toMatchObject({
        code: 'common.forbidden',
      });
    const archived = bed.project({ isArchived: true });
    await expect(bed.release(archived, 'v1')).rejects.toMatchObject({ code: 'common.forbidden' });
    // Checked before the release is looked up.
    for (const [operation, given] of changes)
      await expect(bed.call(operation, { ...of(archived, 'none'), ...given }, bed.as(archived))).rejects.toMatchObject({
        code: 'common.forbidden',
      });
  });
});

describe('evidence of a release', () => {
  const fileOf = async (project: Parameters<typeof delivery.bed.as>[0], evidence_id: number) => {
    const { bed } = delivery;
    const { url } = await bed.call(getReleaseEvidence, { ...of(project), evidence_id }, bed.as(project));
    const response = await fetch(url);
    return { type: response.headers.get('content-type'), bytes: Buffer.from(await response.arrayBuffer()) };
  };
  const evidencesOf = async (project: Parameters<typeof delivery.bed.as>[0]) => (await list(project))[0]!.evidences;
  const modelNamed = <T>(name: string): Model<T> =>
    delivery.under.running.app.get(getModelToken(name), { strict: false });
  const filesOf = ({ id }: { id: number }): Promise<number> =>
    modelNamed<EvidenceFile>('EvidenceFile').countDocuments({ projectId: id }).exec();

  it('is the release as it was then, and its digest is that of the file', async () => {
    const { bed } = delivery;
    const project = bed.project();
    const milestone = bed.milestone(project, 'first');
    await bed.release(project, 'v1', { name: 'Ünique', milestones: ['first'], assets: { links: [binary] } });
    await bed.call(collectReleaseEvidence, of(project), bed.as(project));
    await bed.call(updateRelease, { ...of(project), name: 'Two' }, bed.as(project));
    for (let turn = 0; turn < 2; turn += 1) await bed.call(collectReleaseEvidence, of(project), bed.as(project));
    const shown = await evidencesOf(project);
    const files = await Promise.all([1, 2, 3].map((number) => fileOf(project, number)));
    expect(files.map(({ bytes }) => createHash('sha256').update(bytes).digest('hex'))).toEqual(
      shown.map(({ sha: digest }) => digest),
    );
    expect(files.map(({ type }) => type)).toEqual(Array.from({ length: 3 }, () => 'application/json'));
    const [first, second] = files.map(({ bytes }) => JSON.parse(bytes.toString()).release);
    expect(first).toEqual({
      id: expect.any(Number),
      tag_name: 'v1',
      name: 'Ünique',
      description: null,
      created_at: expect.any(String),
      released_at: expect.any(String),
      commit: sha,
      project: { id: project.id, name: project.name, description: project.description, created_at: project.createdAt },
      milestones: [
        {
          ...{ id: milestone.id, iid: milestone.iid, title: 'first', description: null, state: 'active' },
          ...{ created_at: milestone.created_at, due_date: null },
        },
      ],
      assets: { links: [{ id: expect.any(Number), name: 'app', url: binary.url, link_type: 'package' }] },
    });
    expect(second).toEqual({ ...first, name: 'Two' });
    // An unchanged release has the same file again.
    expect(await filesOf(project)).toBe(2);
  });

  it('is not shown with its milestones to those who may not see them', async () => {
    const { bed } = delivery;
    const none = 'disabled' as const;
    const project = bed.project();
    bed.milestone(project, 'first');
    await bed.release(project, 'v1');
    await bed.call(collectReleaseEvidence, of(project), bed.as(project));
    await bed.call(updateRelease, { ...of(project), milestones: ['first'] }, bed.as(project));
    await bed.call(collectReleaseEvidence, of(project), bed.as(project));
    const hidden = { ...project, features: { ...project.features, issues: none, merge_requests: none } };
    expect((await fileOf(hidden, 1)).bytes.length).toBeGreaterThan(0);
    await expect(fileOf(hidden, 2)).rejects.toMatchObject({ code: 'release.evidence_not_found' });
    expect((await fileOf(project, 2)).bytes.length).toBeGreaterThan(0);
  });

  it('is found by its number alone, and only if its file was stored', async () => {
    const { bed } = delivery;
    const project = bed.project();
    const { tag_name } = await bed.release(project, 'v1');
    await bed.call(collectReleaseEvidence, of(project), bed.as(project));
    await expect(fileOf(project, 2)).rejects.toMatchObject({ code: 'release.evidence_not_found' });
    const releases = modelNamed<Release>('Release');
    const old = { id: 2, sha256: 'a'.repeat(64), collectedAt: new Date() };
    await releases.updateOne({ projectId: project.id, tagName: tag_name! }, { $push: { evidences: old } });
    expect(await evidencesOf(project)).toHaveLength(2);
    await expect(fileOf(project, 2)).rejects.toMatchObject({ code: 'release.evidence_not_found' });
  });

  it('is bounded, for any texts', async () => {
    const { bed } = delivery;
    const project = bed.project();
    bed.milestone(project, 'long', 'x'.repeat(1_000_000));
    await bed.release(project, 'v1', { milestones: ['long'], description: '\u0001'.repeat(1_048_576) });
    await bed.call(collectReleaseEvidence, of(project), bed.as(project));
    const { bytes } = await fileOf(project, 1);
    expect(JSON.parse(bytes.toString()).release.milestones[0].description).toBe('x'.repeat(10_000));
    expect(bytes.length).toBeLessThan(7_000_000);
  });

  it('is collected by ten requests at once, and deleted with the release or the project', async () => {
    const { bed } = delivery;
    const [project, other] = [bed.project(), bed.project()];
    for (const one of [project, other]) {
      await bed.release(one, 'v1');
      const collect = () => bed.call(collectReleaseEvidence, of(one), bed.as(one));
      await Promise.all(Array.from({ length: 10 }, collect));
      expect((await evidencesOf(one)).map(({ filepath }) => /(\d+)\.json$/.exec(filepath)?.[1])).toEqual(
        Array.from({ length: 10 }, (_, at) => String(at + 1)),
      );
      expect(await filesOf(one)).toBe(1);
    }
    await bed.call(deleteRelease, of(project), bed.as(project));
    await eventually(async () => (await filesOf(project)) === 0, 'the end of its file');
    const { id: project_id, fullPath: full_path, storage } = other;
    await bed.under.emit(projectDeleted, { project_id, full_path, storage });
    await eventually(async () => (await filesOf(other)) === 0, 'the end of its files');
  });

  it('is deleted with its tag', async () => {
    const { bed } = delivery;
    const project = bed.project();
    await bed.release(project, 'v1');
    await bed.call(collectReleaseEvidence, of(project), bed.as(project));
    bed.removeTag(project, 'v1');
    const change = { ref: 'refs/tags/v1', before: sha, after: zeros };
    await bed.under.emit(repositoryUpdated, { project_id: project.id, user: null, changes: [change] });
    await eventually(async () => (await filesOf(project)) === 0, 'the end of its file');
  });
});

describe('links of a release', () => {
  it('are added, changed, found by their path, and deleted', async () => {
    const { bed } = delivery;
    const project = bed.project();
    await bed.release(project, 'v1');
    const as = bed.as(project);
    const { id } = await bed.call(createReleaseLink, { ...of(project), ...binary }, as);
    await bed.call(createReleaseLink, { ...of(project), name: 'other', url: 'ftp://example.com/x' }, as);
    const { items } = await bed.call(listReleaseLinks, of(project), as);
    expect(items.map(({ name, link_type }) => [name, link_type])).toEqual([
      ['other', 'other'],
      ['app', 'package'],
    ]);
    const link = { ...of(project), link_id: id };
    const changed = await bed.call(updateReleaseLink, { ...link, direct_asset_path: '/app' }, as);
    expect(changed).toMatchObject({ name: 'app', direct_asset_url: expect.stringMatching(/v1\/downloads\/app$/) });
    await bed.call(downloadReleaseLink, { ...of(project), direct_asset_path: 'app' }, as);
    await expect(
      bed.call(downloadReleaseLink, { ...of(project), direct_asset_path: 'bin/app' }, as),
    ).rejects.toMatchObject({ code: 'release.link_not_found' });
    expect(await bed.call(deleteReleaseLink, link, as)).toMatchObject({ id });
    for (const operation of [getReleaseLink, deleteReleaseLink])
      await expect(bed.call(operation, link, as)).rejects.toMatchObject({ code: 'release.link_not_found' });
  });

  it('are each stored once under concurrent requests, and two of one name are not', async () => {
    const { bed } = delivery;
    const project = bed.project();
    await bed.release(project, 'v1');
    const add = (name: string, url: string) =>
      bed.call(createReleaseLink, { ...of(project), name, url }, bed.as(project));
    const same = Array.from({ length: 5 }, (_, at) => add('same', `https://example.com/same-${at}`));
    const different = Array.from({ length: 10 }, (_, at) => add(`name ${at}`, `https://example.com/${at}`));
    const added = (await Promise.allSettled(same)).filter(({ status }) => status === 'fulfilled');
    await Promise.all(different);
    const [release] = await list(project);
    expect([added.length, release!.assets.links.length]).toEqual([1, 11]);
  });

  it('are not more than 200', async () => {
    const { bed } = delivery;
    const project = bed.project();
    const links = Array.from({ length: 200 }, (_, at) => ({ name: `n${at}`, url: `https://example.com/${at}` }));
    await bed.release(project, 'v1', { assets: { links } });
    await expect(bed.call(createReleaseLink, { ...of(project), ...binary }, bed.as(project))).rejects.toMatchObject({
      code: 'release.too_many_links',
    });
  });

  it.each(['javascript:alert(1)', 'file:///etc/passwd', 'no address', '//example.com'])(
    'do not lead to %s',
    async (url) => {
      const { bed } = delivery;
      const project = bed.project();
      await bed.release(project, 'v1');
      const refused = bed.call(createReleaseLink, { ...of(project), name: 'x', url }, bed.as(project));
      await expect(refused).rejects.toThrow(/"url"/);
    },
  );

  it.each(['bin/app', '/bin//app', '/bin/', '/../app?', `/${'a'.repeat(128)}`, `/${'-/'.repeat(60)}-`])(
    'have no path %s',
    async (filepath) => {
      const { bed } = delivery;
      const project = bed.project();
      await bed.release(project, 'v1');
      const refused = bed.call(createReleaseLink, { ...of(project), ...binary, filepath }, bed.as(project));
      await expect(refused).rejects.toThrow(/"filepath"/);
    },
  );
});

describe('a release is deleted', () => {
  it('with its tag', async () => {
    const { bed } = delivery;
    const project = bed.project();
    await bed.release(project, 'gone');
    await bed.release(project, 'stays');
    const change = { ref: 'refs/tags/gone', before: sha, after: zeros };
    bed.removeTag(project, 'gone');
    await bed.under.emit(repositoryUpdated, { project_id: project.id, user: null, changes: [change] });
    const tags = async () => (await list(project)).map(({ tag_name }) => tag_name);
    await eventually(async () => (await tags()).join() === 'stays', 'the end of the release');
    const isTold = () =>
      bed.under
        .events(releaseChanged)
        .some(({ data }) => data.action === 'delete' && data.release.tag_name === 'gone' && data.commit === null);
    await eventually(isTold, 'its event');
  });

  it('with a tag that was deleted during its creation: it is not newer than the state of the tag', async () => {
    const { bed } = delivery;
    const project = bed.project();
    bed.addTag(project, 'v1');
    bed.milestone(project, 'first');
    const { created_at } = await bed.release(project, 'v1', { milestones: ['first'] });
    expect(Date.parse(created_at)).toBeLessThanOrEqual(bed.tagsAskedAt.get(project.id)!.getTime());
  });

  it('if its tag does not exist', async () => {
    const { bed } = delivery;
    const project = bed.project();
    await bed.release(project, 'gone');
    bed.removeTag(project, 'gone');
    expect(await bed.call(deleteRelease, of(project, 'gone'), bed.as(project))).toMatchObject({ commit: null });
    expect(await list(project)).toEqual([]);
  });

  it('with its project', async () => {
    const { bed } = delivery;
    const project = bed.project();
    await bed.release(project, 'v1');
    const { id: project_id, fullPath: full_path, storage } = project;
    await bed.under.emit(projectDeleted, { project_id, full_path, storage });
    await eventually(async () => (await list(project)).length === 0, 'the end of the release');
  });

  it('not with its author: it is assigned to the ghost user', async () => {
    const { bed } = delivery;
    const project = bed.project();
    const { author } = await bed.release(project, 'v1');
    const ghost = uniqueId();
    const gone = { user_id: author!.id, username: 'ada', hard_delete: false, ghost_user_id: ghost };
    await bed.under.emit(userDeleted, gone);
    await eventually(async () => (await list(project))[0]?.author?.id === ghost, 'the ghost');
  });
});

it.each([
  ['a release', getRelease, {}],
  ['a change', updateRelease, { name: 'x' }],
  ['an end', deleteRelease, {}],
  ['evidence', collectReleaseEvidence, {}],
  ['links', listReleaseLinks, {}],
  ['another link', createReleaseLink, binary],
  ['the text of a tag', updateTagRelease, { description: 'x' }],
  ['the latest', getLatestRelease, {}],
] as [string, Operation, object][])('returns 404 for a release with %s', async (_what, operation, given) => {
  const { bed } = delivery;
  const project = bed.project();
  bed.addTag(project, 'v1');
  const asked = bed.call(operation, { ...of(project), ...given }, bed.as(project));
  await expect(asked).rejects.toMatchObject({ code: 'release.not_found' });
});
