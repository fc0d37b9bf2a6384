import { readdirSync } from 'node:fs';
import path from 'node:path';
import {
  Access,
  countPackageFiles,
  createPackageProtectionRule,
  defaultPlanLimits,
  deletePackage,
  deletePackageFile,
  deletePackageProtectionRule,
  downloadGenericPackage,
  getPackage,
  listGroupPackages,
  listPackageFiles,
  listPackageProtectionRules,
  listProjectPackages,
  type ProjectRef,
  packageSizes,
  planLimitsChanged,
  projectDeleted,
  readPlanLimits,
  updatePackageProtectionRule,
  uploadGenericPackage,
  userDeleted,
} from '@moothall/contracts';
import { callerNamed, contextOf, eventually, groupNamed, shareBetweenTests, uniqueId } from '@moothall/testing';
import { startDeliveryService } from './delivery-under-test';

const delivery = shareBetweenTests(startDeliveryService);

const named = { package_name: 'app', package_version: '1.0', file_name: 'app.zip' };

async function bytesOf(project: ProjectRef, given: object = {}): Promise<string> {
  const { bed } = delivery;
  const asked = { id: String(project.id), ...named, ...given };
  const { url } = await bed.call(downloadGenericPackage, asked, bed.as(project, Access.Reporter));
  const response = await fetch(url);
  expect(response.status).toBe(200);
  return response.text();
}

async function packagesOf(project: ProjectRef, given: object = {}) {
  const { bed } = delivery;
  return (await bed.call(listProjectPackages, { id: String(project.id), ...given }, bed.as(project))).items;
}

const filesOf = async (project: ProjectRef, package_id: number) => {
  const { bed } = delivery;
  return (await bed.call(listPackageFiles, { id: 'x', package_id }, bed.as(project))).items;
};

/** Keys of the stored files of a project. */
function objectsOf({ id }: ProjectRef): string[] {
  try {
    return readdirSync(path.join(delivery.folder, 'delivery/packages', String(id)));
  } catch {
    return [];
  }
}

describe('a file of a generic package', () => {
  it('is downloaded as uploaded, with its digests', async () => {
    const { bed } = delivery;
    const project = bed.project();
    expect(await bed.upload(project, 'bytes')).toEqual({ message: '201 Created' });
    const stored = await bed.upload(project, 'other', { file_name: 'dir/b@1~2.txt', select: 'package_file' });
    const sha256 = 'd9298a10d1b0735837dc4bd85dac641b0f3cef27a47e5d53a54f2f3f5b2fcffa';
    expect(stored).toMatchObject({
      file_name: 'dir/b@1~2.txt',
      size: 5,
      file_sha256: sha256,
      file: {
        url: `http://moothall.test/api/v4/projects/${project.id}/packages/generic/app/1.0/dir/b@1~2.txt`,
      },
    });
    expect([await bytesOf(project), await bytesOf(project, { file_name: 'dir/b@1~2.txt' })]).toEqual([
      'bytes',
      'other',
    ]);
    const [found, ...others] = await packagesOf(project);
    expect(others).toEqual([]);
    expect(found).toMatchObject({ name: 'app', version: '1.0', package_type: 'generic', status: 'default' });
    expect((await filesOf(project, found!.id)).map(({ file_name, size }) => [file_name, size])).toEqual([
      ['app.zip', 5],
      ['dir/b@1~2.txt', 5],
    ]);
    const sizes = await bed.call(packageSizes, { project_ids: [project.id] }, contextOf({}));
    expect(sizes).toEqual([{ project_id: project.id, size_bytes: 10 }]);
    expect((await bed.call(countPackageFiles, {}, contextOf({}))).package_files).toBeGreaterThanOrEqual(2);
  });

  it('is the newest of its name, of any user, and the one before when that is deleted', async () => {
    const { bed } = delivery;
    const project = bed.project();
    await bed.upload(project, 'first');
    await bed.upload(project, 'second');
    expect(await bytesOf(project)).toBe('second');
    const [found] = await packagesOf(project);
    const newest = (await filesOf(project, found!.id)).at(-1)!;
    const asked = { id: 'x', package_id: found!.id, package_file_id: newest.id };
    await bed.call(deletePackageFile, asked, bed.as(project, Access.Maintainer));
    expect(await bytesOf(project)).toBe('first');
    await eventually(() => objectsOf(project).length === 1, 'the end of the file');
    await expect(bed.call(deletePackageFile, asked, bed.as(project))).rejects.toMatchObject({
      code: 'package.file_not_found',
    });
  });

  it('belongs to one package under concurrent uploads', async () => {
    const { bed } = delivery;
    const project = bed.project();
    await Promise.all(
      Array.from({ length: 12 }, (_, at) => bed.upload(project, `${at}`, { file_name: `${at % 6}.txt` })),
    );
    const [found, ...others] = await packagesOf(project);
    expect([others.length, (await filesOf(project, found!.id)).length]).toEqual([0, 12]);
  });

  it('does not exist after an incomplete, too large or invalid upload', async () => {
    const { bed } = delivery;
    const project = bed.project();
    await expect(bed.upload(project, 'bytes', {}, { sizeBytes: 9 })).rejects.toMatchObject({
      code: 'common.bad_request',
    });
    await expect(bed.upload(project, 'bytes', {}, { sizeBytes: 6 * 1024 ** 3 })).rejects.toMatchObject({
      code: 'common.too_large',
    });
    const forged = { id: 'x', ...named, file: { ticket: 'forged' } };
    await expect(bed.call(uploadGenericPackage, forged, bed.as(project))).rejects.toMatchObject({
      code: 'common.bad_request',
    });
    expect(await packagesOf(project)).toEqual([]);
    expect(objectsOf(project)).toEqual([]);
  });

  it.each([
    { file_name: '../x' },
    { file_name: 'a/../../x' },
    { file_name: '/etc/passwd' },
    { file_name: 'a//b' },
    { file_name: '~x' },
    { file_name: 'x@' },
    { file_name: 'ü' },
    { file_name: 'a\nb' },
    { package_name: 'a/b' },
    { package_name: 'a b' },
    { package_version: '1..2' },
    { package_version: '-/-' },
    { package_version: 'a'.repeat(256) },
  ])('has no such name: %j', async (given) => {
    const { bed } = delivery;
    await expect(bed.upload(bed.project(), 'bytes', given)).rejects.toThrow(new RegExp(Object.keys(given)[0]!));
  });

  it('is refused by an archived project, and by one that is deleted during the upload', async () => {
    const { bed } = delivery;
    const archived = bed.project({ isArchived: true });
    await expect(bed.upload(archived, 'bytes')).rejects.toMatchObject({ code: 'common.forbidden' });
    const gone = bed.project();
    bed.removeProject(gone);
    await expect(bed.upload(gone, 'bytes')).rejects.toMatchObject({ code: 'project.not_found' });
    expect(await packagesOf(gone)).toEqual([]);
    await eventually(() => objectsOf(gone).length === 0, 'the end of the file');
  });
});

describe('packages', () => {
  it('are listed by name, version and status', async () => {
    const { bed } = delivery;
    const project = bed.project();
    await bed.upload(project, 'x', { package_name: 'Beta' });
    await bed.upload(project, 'x', { package_name: 'alpha', package_version: '2.0' });
    await bed.upload(project, 'x', { package_name: 'secret', status: 'hidden' });
    const names = async (given: object) => (await packagesOf(project, given)).map(({ name }) => name);
    expect(await names({})).toEqual(['Beta', 'alpha']);
    expect(await names({ sort: 'desc' })).toEqual(['alpha', 'Beta']);
    expect(await names({ package_name: 'BET' })).toEqual(['Beta']);
    expect(await names({ package_version: '2.0' })).toEqual(['alpha']);
    expect(await names({ status: 'hidden' })).toEqual(['secret']);
    expect(await names({ package_type: 'npm' })).toEqual([]);
  });

  it('of a group are those of projects below that the caller reads', async () => {
    const { bed } = delivery;
    const group = groupNamed('group');
    const own = bed.project({ groupIds: [group.id], accessLevel: Access.Reporter });
    const below = bed.project({ groupIds: [uniqueId(), group.id], accessLevel: Access.Reporter });
    const unread = bed.project({ groupIds: [group.id], accessLevel: Access.Guest });
    for (const project of [own, below, unread]) await bed.upload(project, 'x');
    const context = contextOf({ caller: callerNamed('ada'), group });
    const list = async (given: object) =>
      (await bed.call(listGroupPackages, { id: 'x', ...given }, context)).items.map(({ project_id }) => project_id);
    expect(await list({})).toEqual([own.id, below.id]);
    expect(await list({ exclude_subgroups: true })).toEqual([own.id]);
  });

  it('are deleted with their files, and can be created again', async () => {
    const { bed } = delivery;
    const project = bed.project();
    await bed.upload(project, 'first');
    const [found] = await packagesOf(project);
    const asked = { id: 'x', package_id: found!.id };
    await bed.call(deletePackage, asked, bed.as(project, Access.Maintainer));
    for (const operation of [getPackage, deletePackage, listPackageFiles])
      await expect(bed.call(operation, asked, bed.as(project))).rejects.toMatchObject({ code: 'package.not_found' });
    await expect(bytesOf(project)).rejects.toMatchObject({ code: 'package.file_not_found' });
    await eventually(() => objectsOf(project).length === 0, 'the end of the files');
    await bed.upload(project, 'second');
    expect(await bytesOf(project)).toBe('second');
  });

  it('that are deleted during uploads leave no file', async () => {
    const { bed } = delivery;
    const project = bed.project();
    await bed.upload(project, 'first');
    const [found] = await packagesOf(project);
    const uploads = Array.from({ length: 10 }, (_, at) => bed.upload(project, `${at}`, { file_name: `${at}` }));
    await bed.call(deletePackage, { id: 'x', package_id: found!.id }, bed.as(project, Access.Maintainer));
    await Promise.allSettled(uploads);
    const left = await packagesOf(project);
    const files = (await Promise.all(left.map(({ id }) => filesOf(project, id)))).flat();
    await eventually(() => objectsOf(project).length === files.length, 'as many objects as files');
  });

  it('are deleted with their project, and assigned to the ghost user when their creator is deleted', async () => {
    const { bed } = delivery;
    const project = bed.project();
    await bed.upload(project, 'x');
    const [made] = await packagesOf(project);
    const ghost = uniqueId();
    const gone = { user_id: made!.creator_id!, username: 'ada', hard_delete: false, ghost_user_id: ghost };
    await bed.under.emit(userDeleted, gone);
    await eventually(async () => (await packagesOf(project))[0]?.creator_id === ghost, 'the ghost');
    const { id: project_id, fullPath: full_path, storage } = project;
    await bed.under.emit(projectDeleted, { project_id, full_path, storage });
    await eventually(async () => (await packagesOf(project)).length === 0, 'the end of the packages');
    await eventually(() => objectsOf(project).length === 0, 'the end of the files');
  });
});

describe('a rule of protection', () => {
  const of = (project: ProjectRef) => delivery.bed.as(project, Access.Maintainer);
  const rule = { id: 'x', package_name_pattern: 'app*', package_type: 'generic' } as const;
  const add = (project: ProjectRef, given: object) =>
    delivery.bed.call(createPackageProtectionRule, { ...rule, ...given } as never, of(project));
  const pushed = { code: 'package_protection.push_refused' };
  const kept = { code: 'package_protection.deletion_refused' };

  it('is created, shown, changed and deleted', async () => {
    const { bed } = delivery;
    const project = bed.project();
    const made = await add(project, { minimum_access_level_for_push: 'maintainer' });
    expect(made).toEqual({
      ...{ id: made.id, project_id: project.id, package_name_pattern: 'app*', package_type: 'generic' },
      ...{ minimum_access_level_for_push: 'maintainer', minimum_access_level_for_delete: null },
    });
    const package_protection_rule_id = made.id;
    const change = (given: object) =>
      bed.call(updatePackageProtectionRule, { id: 'x', package_protection_rule_id, ...given }, of(project));
    await change({ minimum_access_level_for_delete: 'owner' });
    const changed = await change({ minimum_access_level_for_push: '' });
    expect(changed).toMatchObject({ minimum_access_level_for_push: null, minimum_access_level_for_delete: 'owner' });
    await expect(change({ minimum_access_level_for_delete: null })).rejects.toMatchObject({
      code: 'package_protection.no_level',
    });
    const listed = await bed.call(listPackageProtectionRules, { id: 'x' }, of(project));
    expect(listed.items).toEqual([changed]);
    // Maintainers of another project do not see it.
    const elsewhere = of(bed.project());
    const remove = (as: typeof elsewhere) =>
      bed.call(deletePackageProtectionRule, { id: 'x', package_protection_rule_id }, as);
    await expect(remove(elsewhere)).rejects.toMatchObject({ code: 'package_protection.not_found' });
    await remove(of(project));
    await expect(change({ minimum_access_level_for_push: 'admin' })).rejects.toMatchObject({
      code: 'package_protection.not_found',
    });
  });

  it('is unique for its pattern under concurrent requests, and sets a level', async () => {
    const project = delivery.bed.project();
    const made = await Promise.allSettled(
      Array.from({ length: 5 }, () => add(project, { minimum_access_level_for_push: 'owner' })),
    );
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const refused = made.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
    expect(new Set(refused)).toEqual(new Set(['package_protection.taken']));
    await expect(add(project, { package_name_pattern: 'b', minimum_access_level_for_push: '' })).rejects.toMatchObject({
      code: 'package_protection.no_level',
    });
  });

  it('refuses uploads below its level, and ignores other packages', async () => {
    const { bed } = delivery;
    const project = bed.project();
    await add(project, { minimum_access_level_for_push: 'maintainer' });
    await expect(bed.upload(project, 'x')).rejects.toMatchObject(pushed);
    expect(await packagesOf(project)).toEqual([]);
    expect(objectsOf(project)).toEqual([]);
    await bed.upload(project, 'x', { package_name: 'other' });
    await bed.upload(project, 'x', {}, {}, Access.Maintainer);
  });

  it.each([
    ['developers', Access.Developer, {}, true],
    ['maintainers', Access.Maintainer, {}, false],
    ['deploy tokens', Access.Developer, { id: -7, credential: 'deploy_token' }, true],
    ['jobs of developers', Access.Developer, { credential: 'job_token' }, true],
    ['administrators', Access.Owner, { isAdmin: true }, false],
  ] as const)('refuses uploads of %s or not', async (_whose, level, over, refused) => {
    const { bed } = delivery;
    const project = bed.project();
    await add(project, { minimum_access_level_for_push: 'maintainer' });
    const sent = bed.upload(project, 'x', {}, {}, level, callerNamed('ada', over));
    if (refused) await expect(sent).rejects.toMatchObject(pushed);
    else expect(await sent).toEqual({ message: '201 Created' });
  });

  it('refuses deletion of packages and files below its level', async () => {
    const { bed } = delivery;
    const project = bed.project();
    await bed.upload(project, 'x');
    const [found] = await packagesOf(project);
    const [file] = await filesOf(project, found!.id);
    await add(project, { minimum_access_level_for_delete: 'owner' });
    const asked = { id: 'x', package_id: found!.id, package_file_id: file!.id };
    await expect(bed.call(deletePackage, asked, of(project))).rejects.toMatchObject(kept);
    await expect(bed.call(deletePackageFile, asked, of(project))).rejects.toMatchObject(kept);
    await bed.call(deletePackageFile, asked, bed.as(project, Access.Owner));
    await add(project, { package_name_pattern: '*', minimum_access_level_for_delete: 'admin' });
    await expect(bed.call(deletePackage, asked, bed.as(project, Access.Owner))).rejects.toMatchObject(kept);
    const root = callerNamed('root', { isAdmin: true });
    await bed.call(deletePackage, asked, bed.as(project, Access.Owner, root));
    expect(await packagesOf(project)).toEqual([]);
  });
});

it('follows the limit of the plan as soon as it changes', async () => {
  const { bed, under, stop } = await startDeliveryService();
  try {
    const project = bed.project();
    await bed.upload(project, 'four');
    under.respond(readPlanLimits, () => ({ ...defaultPlanLimits, generic_packages_max_file_size: 3 }));
    await under.emit(planLimitsChanged, { names: ['generic_packages_max_file_size'] });
    const refused = () =>
      bed.upload(project, 'four').then(
        () => undefined,
        (error: { code: string }) => error.code,
      );
    expect(await eventually(refused)).toBe('common.too_large');
    await bed.upload(project, 'two');
  } finally {
    await stop();
  }
});
