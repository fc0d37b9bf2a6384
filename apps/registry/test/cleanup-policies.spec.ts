import type { ContainerExpirationPolicy } from '@moothall/contracts';
import { eventually, shareBetweenTests } from '@moothall/testing';
import { RunCleanupPolicies } from '../src/cleanup/run-cleanup-policies';
import { ContainerRepositories } from '../src/repository/container-repository.repository';
import { describeWithRegistry, startRegistryService } from './registry-under-test';

const dayMs = 24 * 3_600_000;
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs);

const policy: ContainerExpirationPolicy = {
  cadence: '1d',
  enabled: true,
  keep_n: 1,
  older_than: '7d',
  name_regex: 'v.*',
  name_regex_keep: '.*keep',
};

describeWithRegistry('a cleanup policy', () => {
  const registry = shareBetweenTests(startRegistryService);

  /** A project with two repositories with the same tags. */
  async function projectWithImages() {
    const { bed, parts } = registry;
    const image = await bed.image();
    const names = [image.image, `${image.image}/server`];
    await image.claim(names[1]);
    const ages = { latest: 400, 'v-new': 20, 'v-old': 30, 'v-keep': 40, 'v-young': 1, other: 50 };
    for (const name of names)
      for (const [tag, days] of Object.entries(ages)) await parts.push(name, tag, daysAgo(days).toISOString());
    const found = await eventually(async () => {
      const repositories = await image.repositories();
      return repositories.length === 2 && repositories.every(({ tags_count }) => tags_count === 6)
        ? repositories
        : undefined;
    }, 'the tags');
    return { ...image, imageNames: names, repositoryIds: found.map(({ id }) => id) };
  }

  const runAll = () => registry.under.running.app.get(RunCleanupPolicies, { strict: false }).runAll();
  const due = (projectId: number, over: Partial<ContainerExpirationPolicy> = {}) =>
    registry.bed.due.push({ project_id: projectId, run_at: new Date().toISOString(), policy: { ...policy, ...over } });

  it('deletes in all repositories by its rules, and then waits for its next time', async () => {
    const { bed, parts } = registry;
    const { project, imageNames, repositories } = await projectWithImages();
    due(project.id);
    await runAll();
    // The newest matching tag is v-young.
    const expected = ['latest', 'other', 'v-keep', 'v-young'];
    for (const name of imageNames)
      await eventually(async () => String(await parts.names(name)) === String(expected), `${expected}`);
    expect(bed.due).toEqual([]);
    expect((await repositories()).every(({ cleanup_policy_started_at }) => cleanup_policy_started_at)).toBe(true);
  });

  it('starts delayed runs when the current one has ended', async () => {
    const { bed, parts, under } = registry;
    const { project, imageNames, repositoryIds } = await projectWithImages();
    const repositories = under.running.app.get(ContainerRepositories, { strict: false });
    const other = { id: 'other', rules: { name_regex_delete: '' }, requestedAt: new Date(), planId: 'none' };
    // Like a deletion that a worker is running.
    await repositories.beginBulkDeletion(repositoryIds[0]!, other, new Date());
    due(project.id);
    await runAll();
    await eventually(async () => !(await parts.names(imageNames[1]!)).includes('v-old'), 'the deletion');
    await eventually(async () => {
      await repositories.endBulkDeletion(repositoryIds[0]!, other.id);
      await runAll();
      return bed.due.length === 0;
    }, 'its turn');
    await eventually(async () => !(await parts.names(imageNames[0]!)).includes('v-old'), 'the other deletion');
  });

  it('that is invalid deletes nothing and does not block others', async () => {
    const { bed, parts } = registry;
    const { project, imageNames } = await projectWithImages();
    due(project.id, { name_regex: '(' });
    due(project.id, { name_regex: null });
    await runAll();
    await eventually(async () => bed.due.length === 0, 'their turns');
    expect(await parts.names(imageNames[0]!)).toHaveLength(6);
  });
});
