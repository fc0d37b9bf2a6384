import { createHash } from 'node:crypto';
import {
  Access,
  collectReleaseEvidence,
  copyLfsObjects,
  createLfsLock,
  createPackageProtectionRule,
  createRelease,
  createReleaseLink,
  createSecureFile,
  createTagRelease,
  deleteLfsLock,
  deletePackage,
  deletePackageFile,
  deletePackageProtectionRule,
  deleteRelease,
  deleteReleaseLink,
  deleteSecureFile,
  downloadLfsObject,
  downloadSecureFile,
  exportReleases,
  getRelease,
  importReleases,
  listLfsLocks,
  listPackageFiles,
  listPackageProtectionRules,
  listProjectPackages,
  listReleases,
  listSecureFiles,
  type Operation,
  type ProjectRef,
  releaseChanged,
  updatePackageProtectionRule,
  updateRelease,
  updateReleaseLink,
  updateTagRelease,
  uploadGenericPackage,
  uploadLfsObject,
} from '@moothall/contracts';
import { callerNamed, eventually, meetFaults, shareBetweenTests, throughFaults } from '@moothall/testing';
import { startDeliveryService } from './delivery-under-test';

meetFaults();

/* Failures of the database or NATS. */

const delivery = shareBetweenTests(startDeliveryService);

const tagsOf = async (project: ProjectRef) => {
  const { bed } = delivery;
  const asked = { id: String(project.id), per_page: 100 };
  return (await bed.call(listReleases, asked, bed.as(project))).items.map(({ tag_name }) => tag_name);
};
const published = (project: ProjectRef, action: string) =>
  delivery.under.events(releaseChanged).filter(({ data }) => data.project_id === project.id && data.action === action);

it.each([
  ['a release', createRelease, { ref: 'main' }],
  ['the text of a tag', createTagRelease, { description: 'text' }],
] as [string, Operation, object][])(
  '%s exists with its event if acknowledged, or not at all',
  async (_what, operation, given) => {
    const { bed, under } = delivery;
    const project = bed.project();
    const made = await throughFaults(under.client, operation, async (turn) => {
      bed.addTag(project, `v${turn}`);
      await bed.call(operation, { id: 'x', tag_name: `v${turn}`, ...given }, bed.as(project));
      return `v${turn}`;
    });
    expect(await tagsOf(project)).toEqual(expect.arrayContaining(made));
    await eventually(() => published(project, 'create').length >= made.length, 'the events');
  },
  300_000,
);

it('a release of an archive exists once if acknowledged', async () => {
  const { bed, under } = delivery;
  const project = bed.project();
  const made = await throughFaults(under.client, importReleases, async (turn) => {
    const tag_name = `v${turn}`;
    bed.addTag(project, tag_name);
    const times = { released_at: '2026-01-02T03:04:05.000Z', created_at: '2026-01-02T03:04:05.000Z' };
    const links = [{ name: 'app', url: 'https://example.com', filepath: null, link_type: 'other' as const }];
    const release = { tag_name, name: 'One', description: 'text', author_id: 1, links, ...times };
    await bed.call(importReleases, { releases: [release] }, bed.as(project));
    return tag_name;
  });
  expect((await tagsOf(project)).toSorted()).toEqual(made.toSorted());
  const [archived] = (await bed.call(exportReleases, {}, bed.as(project))).releases;
  expect(archived).toMatchObject({ name: 'One', links: [{ name: 'app', link_type: 'other' }] });
}, 300_000);

it.each([
  ['changed', updateRelease, { name: 'new' }, { name: 'new' }],
  ['told otherwise', updateTagRelease, { description: 'new' }, { description: 'new' }],
  ['collected as evidence', collectReleaseEvidence, {}, { evidences: expect.arrayContaining([expect.anything()]) }],
] as [string, Operation, object, object][])(
  'a release is %s if acknowledged',
  async (_what, operation, given, seen) => {
    const { bed, under } = delivery;
    const project = bed.project();
    const changed = await throughFaults(under.client, operation, async (turn) => {
      const of = { id: 'x', tag_name: `v${turn}` };
      await bed.release(project, of.tag_name);
      await bed.call(operation, { ...of, ...given }, bed.as(project));
      return of;
    });
    for (const of of changed) expect(await bed.call(getRelease, of, bed.as(project))).toMatchObject(seen);
  },
  300_000,
);

it('a link exists, is changed or deleted if acknowledged', async () => {
  const { bed, under } = delivery;
  const project = bed.project();
  const as = bed.as(project);
  const links = async (tag_name: string) =>
    (await bed.call(getRelease, { id: 'x', tag_name }, as)).assets.links.map(({ name }) => name);
  const withLink = async (tag_name: string) => {
    await bed.release(project, tag_name);
    const given = { id: 'x', tag_name, name: 'first', url: 'https://example.com' };
    return { id: 'x', tag_name, link_id: (await bed.call(createReleaseLink, given, as)).id };
  };
  const added = await throughFaults(under.client, createReleaseLink, (turn) => withLink(`added-${turn}`));
  for (const { tag_name } of added) expect(await links(tag_name)).toEqual(['first']);
  const changed = await throughFaults(under.client, updateReleaseLink, async (turn) => {
    const link = await withLink(`changed-${turn}`);
    await bed.call(updateReleaseLink, { ...link, name: 'second' }, as);
    return link;
  });
  for (const { tag_name } of changed) expect(await links(tag_name)).toEqual(['second']);
  const removed = await throughFaults(under.client, deleteReleaseLink, async (turn) => {
    const link = await withLink(`removed-${turn}`);
    await bed.call(deleteReleaseLink, link, as);
    return link;
  });
  for (const { tag_name } of removed) expect(await links(tag_name)).toEqual([]);
}, 300_000);

it('a release is deleted if acknowledged', async () => {
  const { bed, under } = delivery;
  const project = bed.project();
  const removed = await throughFaults(under.client, deleteRelease, async (turn) => {
    await bed.release(project, `v${turn}`);
    await bed.call(deleteRelease, { id: 'x', tag_name: `v${turn}` }, bed.as(project, Access.Developer));
    return `v${turn}`;
  });
  const left = await tagsOf(project);
  expect(removed.filter((name) => left.includes(name))).toEqual([]);
  await eventually(() => published(project, 'delete').length >= removed.length, 'the events');
}, 300_000);

const filesOf = async (project: ProjectRef) => {
  const { bed } = delivery;
  const { items } = await bed.call(listProjectPackages, { id: 'x', per_page: 100 }, bed.as(project));
  const files = items.map(({ id }) =>
    bed.call(listPackageFiles, { id: 'x', package_id: id, per_page: 100 }, bed.as(project)),
  );
  return (await Promise.all(files)).flatMap((page) => page.items);
};

it('a file of a package exists if acknowledged', async () => {
  const { bed, under } = delivery;
  const project = bed.project();
  const sent = await throughFaults(under.client, uploadGenericPackage, async (turn) => {
    await bed.upload(project, `content ${turn}`, { file_name: `file-${turn}` });
    return `file-${turn}`;
  });
  expect((await filesOf(project)).map(({ file_name }) => file_name).sort()).toEqual(sent.sort());
}, 300_000);

it('a package and its files are deleted if acknowledged', async () => {
  const { bed, under } = delivery;
  const project = bed.project();
  const upload = async (turn: number) => {
    const given = { file_name: `file-${turn}`, select: 'package_file' };
    const stored = await bed.upload(project, 'content', given);
    return stored as { id: number; package_id: number };
  };
  const as = bed.as(project, Access.Maintainer);
  const removed = await throughFaults(under.client, deletePackageFile, async (turn) => {
    const { id, package_id } = await upload(turn);
    await bed.call(deletePackageFile, { id: 'x', package_id, package_file_id: id }, as);
    return id;
  });
  const left = (await filesOf(project)).map(({ id }) => id);
  expect(removed.filter((id) => left.includes(id))).toEqual([]);
  await throughFaults(under.client, deletePackage, async (turn) => {
    const { package_id } = await upload(turn);
    await bed.call(deletePackage, { id: 'x', package_id }, as);
    expect(await filesOf(project)).toEqual([]);
  });
}, 300_000);

it('a protection rule exists, is changed or deleted if acknowledged', async () => {
  const { bed, under } = delivery;
  const project = bed.project();
  const as = bed.as(project, Access.Maintainer);
  const rules = async () => {
    const { items } = await bed.call(listPackageProtectionRules, { id: 'x', per_page: 100 }, as);
    return new Map(items.map((rule) => [rule.id, rule.minimum_access_level_for_push]));
  };
  const rule = { id: 'x', package_type: 'generic', minimum_access_level_for_push: 'owner' } as const;
  const make = async (package_name_pattern: string) =>
    (await bed.call(createPackageProtectionRule, { ...rule, package_name_pattern }, as)).id;
  const made = await throughFaults(under.client, createPackageProtectionRule, (turn) => make(`made-${turn}`));
  expect([...(await rules()).keys()]).toEqual(expect.arrayContaining(made));
  const changed = await throughFaults(under.client, updatePackageProtectionRule, async (turn) => {
    const package_protection_rule_id = await make(`changed-${turn}`);
    const given = { id: 'x', package_protection_rule_id, minimum_access_level_for_push: 'admin' } as const;
    await bed.call(updatePackageProtectionRule, given, as);
    return package_protection_rule_id;
  });
  const shown = await rules();
  expect(changed.map((id) => shown.get(id))).toEqual(changed.map(() => 'admin'));
  const removed = await throughFaults(under.client, deletePackageProtectionRule, async (turn) => {
    const package_protection_rule_id = await make(`removed-${turn}`);
    await bed.call(deletePackageProtectionRule, { id: 'x', package_protection_rule_id }, as);
    return package_protection_rule_id;
  });
  const left = await rules();
  expect(removed.filter((id) => left.has(id))).toEqual([]);
}, 300_000);

it('a secure file exists, or is deleted, if acknowledged', async () => {
  const { bed, under } = delivery;
  const project = bed.project();
  const as = bed.as(project, Access.Maintainer);
  const names = async () =>
    (await bed.call(listSecureFiles, { id: 'x', per_page: 100 }, as)).items.map(({ name }) => name);
  const create = (name: string) => bed.call(createSecureFile, { id: 'x', name, file: bed.send('bytes') }, as);
  const made = await throughFaults(under.client, createSecureFile, async (turn) => {
    const { id, name } = await create(`made-${turn}`);
    const { url } = await bed.call(downloadSecureFile, { id: 'x', secure_file_id: id }, as);
    expect(await (await fetch(url)).text()).toBe('bytes');
    return name;
  });
  expect((await names()).sort()).toEqual(made.sort());
  const removed = await throughFaults(under.client, deleteSecureFile, async (turn) => {
    const { id, name } = await create(`removed-${turn}`);
    await bed.call(deleteSecureFile, { id: 'x', secure_file_id: id }, as);
    return name;
  });
  const left = await names();
  expect(removed.filter((name) => left.includes(name))).toEqual([]);
}, 300_000);

const oidOf = (content: string) => createHash('sha256').update(content).digest('hex');
const most_bytes = 1024;

it('an object of Git LFS exists if acknowledged, also in a fork', async () => {
  const { bed, under } = delivery;
  const [project, fork] = [bed.project(), bed.project()];
  const sent = await throughFaults(under.client, uploadLfsObject, async (turn) => {
    const content = `content ${turn}`;
    const asked = { oid: oidOf(content), size: content.length, most_bytes };
    const { url } = await bed.call(uploadLfsObject, asked, bed.as(project));
    const response = await fetch(url, { method: 'POST', body: content });
    if (response.status !== 200) throw new Error('not sent');
    return content;
  });
  const objects = sent.map((content) => ({ oid: oidOf(content), size: content.length }));
  await throughFaults(under.client, copyLfsObjects, async () => {
    await bed.call(copyLfsObjects, { project_id: fork.id, from_project_id: project.id }, {});
    for (const { oid } of objects) await bed.call(downloadLfsObject, { oid }, bed.as(fork));
  });
}, 300_000);

it('a lock is created or deleted if acknowledged', async () => {
  const { bed, under } = delivery;
  const project = bed.project();
  const as = { ...bed.as(project), caller: callerNamed('ada'), project };
  const paths = async () => (await bed.call(listLfsLocks, {}, as)).locks.map(({ path }) => path);
  const taken = await throughFaults(under.client, createLfsLock, async (turn) => {
    const { lock } = await bed.call(createLfsLock, { path: `f${turn}` }, as);
    return lock;
  });
  expect(await paths()).toEqual(expect.arrayContaining(taken.map(({ path }) => path)));
  const given = await throughFaults(under.client, deleteLfsLock, async (turn) => {
    const { lock } = await bed.call(createLfsLock, { path: `g${turn}` }, as);
    await bed.call(deleteLfsLock, { lock_id: Number(lock.id) }, as);
    return lock.path;
  });
  const left = await paths();
  expect(given.filter((path) => left.includes(path))).toEqual([]);
}, 300_000);
