import {
  Access,
  type AccessLevel,
  createImageProtectionRule,
  createTagProtectionRule,
  deleteRegistryRepository,
  deleteRegistryTag,
  deleteRegistryTags,
  deleteTagProtectionRule,
  issueRegistryToken,
  listImageProtectionRules,
  listTagProtectionRules,
  type ProjectRef,
  projectDeleted,
  updateImageProtectionRule,
  updateTagProtectionRule,
} from '@moothall/contracts';
import { callerNamed, contextOf, eventually, shareBetweenTests } from '@moothall/testing';
import { RunCleanupPolicies } from '../src/cleanup/run-cleanup-policies';
import { basicOf, describeWithRegistry, startRegistryService } from './registry-under-test';

describeWithRegistry('rules of protection', () => {
  const registry = shareBetweenTests(startRegistryService);
  const owners = { minimum_access_level_for_push: 'owner', minimum_access_level_for_delete: 'owner' } as const;
  const kept = { code: 'registry_protection.deletion_refused' };

  const protectImages = (project: ProjectRef, pattern: string, given: object = owners) => {
    const asked = { id: 'x', repository_path_pattern: pattern, ...given };
    return registry.bed.call(createImageProtectionRule, asked, registry.bed.as(project));
  };
  const protectTags = (project: ProjectRef, tag_name_pattern: string, given: object = owners) => {
    const asked = { id: 'x', tag_name_pattern, ...given };
    return registry.bed.call(createTagProtectionRule, asked as never, registry.bed.as(project));
  };
  /** The access that a token grants to a caller with the level of the project. */
  const granted = async (image: string): Promise<string[]> => {
    const client = { ip: '10.0.0.1', userAgent: '', authorization: basicOf('ada') };
    const asked = { service: 'container_registry', scope: `repository:${image}:pull,push,delete` };
    const answer = await registry.bed.call(issueRegistryToken, asked, contextOf({ client }));
    const [, payload = ''] = (JSON.parse(String(answer)).token as string).split('.');
    return JSON.parse(Buffer.from(payload, 'base64url').toString()).access[0]?.actions ?? [];
  };
  /** An image with tags, and its repository. */
  const pushed = async (...tags: string[]) => {
    const { bed, parts } = registry;
    const image = await bed.image();
    for (const tag of tags) await parts.push(image.image, tag);
    const find = async () => (await image.repositories()).find(({ tags_count }) => tags_count === tags.length);
    return { ...image, repository_id: (await eventually(find, 'the tags')).id };
  };

  it('reserve images for higher levels, by the actions of a token', async () => {
    const { bed } = registry;
    const project = bed.project();
    expect(await granted(project.fullPath)).toEqual(['pull', 'push', 'delete']);
    const pushOnly = { minimum_access_level_for_push: 'owner' };
    const { id: protection_rule_id } = await protectImages(project, project.fullPath, pushOnly);
    expect(await granted(project.fullPath)).toEqual(['pull', 'delete']);
    expect(await granted(`${project.fullPath}/other`)).toEqual(['pull', 'push', 'delete']);
    const change = { id: 'x', protection_rule_id, repository_path_pattern: `${project.fullPath}*` };
    await bed.call(updateImageProtectionRule, { ...change, minimum_access_level_for_delete: 'admin' }, bed.as(project));
    expect(await granted(`${project.fullPath}/other`)).toEqual(['pull']);
    const lower = { id: 'x', protection_rule_id, minimum_access_level_for_push: '' } as const;
    await bed.call(updateImageProtectionRule, lower, bed.as(project));
    expect(await granted(project.fullPath)).toEqual(['pull', 'push']);
  });

  it('reserve pushes to tags of a name, which tokens do not contain, for higher levels', async () => {
    const { bed } = registry;
    const project = bed.project();
    const { id: protection_rule_id } = await protectTags(project, '^v\\d');
    expect(await granted(project.fullPath)).toEqual(['pull']);
    const maintainers = { minimum_access_level_for_push: 'maintainer' } as const;
    await bed.call(updateTagProtectionRule, { id: 'x', protection_rule_id, ...maintainers }, bed.as(project));
    expect(await granted(project.fullPath)).toEqual(['pull', 'push']);
    await bed.call(deleteTagProtectionRule, { id: 'x', protection_rule_id }, bed.as(project));
    expect(await granted(project.fullPath)).toEqual(['pull', 'push', 'delete']);
  });

  it('protect tags from deletion: single, in bulk, and with their repository', async () => {
    const { bed, parts } = registry;
    const { project, id, image, as, repository_id } = await pushed('dev', 'old', 'v1');
    await protectTags(project, '^v\\d');
    const remove = (tag_name: string, level: AccessLevel = Access.Maintainer, isAdmin = false) => {
      const caller = callerNamed('ada', { isAdmin });
      return bed.call(deleteRegistryTag, { id, repository_id, tag_name }, bed.as(project, level, caller));
    };
    await expect(remove('v1')).rejects.toMatchObject(kept);
    await expect(bed.call(deleteRegistryRepository, { id, repository_id }, as)).rejects.toMatchObject(kept);
    await remove('dev', Access.Developer);
    await bed.call(deleteRegistryTags, { id, repository_id, name_regex_delete: '.*' }, as);
    await eventually(async () => String(await parts.names(image)) === 'v1', 'the deletion of the others');
    await protectImages(project, `${image}*`, { minimum_access_level_for_delete: 'admin' });
    await expect(remove('v1', Access.Owner)).rejects.toMatchObject(kept);
    const inBulk = bed.call(deleteRegistryTags, { id, repository_id, name_regex_delete: '.*' }, as);
    await expect(inBulk).rejects.toMatchObject(kept);
    await remove('v1', Access.Owner, true);
    expect(await parts.names(image)).toEqual([]);
  });

  it('protect tags from cleanup policies, which have no user', async () => {
    const { bed, parts } = registry;
    const { project, image } = await pushed('old', 'v1');
    await protectTags(project, 'v', { ...owners, minimum_access_level_for_delete: 'maintainer' });
    const policy = { enabled: true, cadence: '1d', keep_n: null, older_than: null, name_regex: '.*' } as const;
    bed.due.push({
      project_id: project.id,
      run_at: new Date().toISOString(),
      policy: { ...policy, name_regex_keep: null },
    });
    await registry.under.running.app.get(RunCleanupPolicies, { strict: false }).runAll();
    await eventually(async () => String(await parts.names(image)) === 'v1', 'the turn of the policy');
  });

  it('are refused for images of other projects, invalid patterns, without a level, or twice', async () => {
    const { bed } = registry;
    const [project, other] = [bed.project(), bed.project()];
    await protectImages(project, `${project.fullPath}/*`);
    for (const [made, code] of [
      [protectImages(project, `${project.fullPath}/*`), 'registry_protection.taken'],
      [protectImages(project, `${other.fullPath}/*`), 'registry_protection.path_elsewhere'],
      [protectImages(project, '*'), 'registry_protection.path_elsewhere'],
      [
        protectImages(project, `${project.fullPath}/b`, { minimum_access_level_for_push: '' }),
        'registry_protection.no_level',
      ],
      [protectTags(project, '('), 'common.invalid_parameters'],
      [protectTags(project, '(?=a)'), 'common.invalid_parameters'],
    ] as const)
      await expect(made).rejects.toMatchObject({ code });
    for (const number of [1, 2, 3, 4, 5]) await protectTags(project, `^v${number}`);
    await expect(protectTags(project, 'v6')).rejects.toMatchObject({ code: 'registry_protection.too_many' });
    await expect(protectTags(other, '^v1')).resolves.toMatchObject({ project_id: other.id });
  });

  it('apply to images that the project had before it moved, and are deleted with it', async () => {
    const { bed, under } = registry;
    const { project, image } = await pushed('v1');
    const moved = { ...project, fullPath: 'elsewhere/app' };
    await protectImages(moved, `${image}*`);
    await protectTags(moved, 'v');
    const count = async () => {
      const lists = [listImageProtectionRules, listTagProtectionRules] as const;
      const pages = lists.map((list) => bed.call(list, { id: 'x' }, bed.as(project)));
      return (await Promise.all(pages)).map(({ items }) => items.length);
    };
    expect(await count()).toEqual([1, 1]);
    await under.emit(projectDeleted, { project_id: project.id, full_path: image, storage: 'default' });
    await eventually(async () => String(await count()) === '0,0', 'the end of the rules');
  });
});
