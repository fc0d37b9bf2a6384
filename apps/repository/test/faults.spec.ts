import {
  createBranch,
  createCommit,
  deleteBranch,
  listBranches,
  listCommits,
  listProtectedBranches,
  protectBranches,
  repositoryPushed,
  unprotectBranches,
} from '@moothall/contracts';
import { eventually, meetFaults, shareBetweenTests, throughFaults } from '@moothall/testing';
import { startRepositoryService } from './repository-under-test';

meetFaults();

const under = shareBetweenTests(() => startRepositoryService());

// What the database, NATS or Redis failed at was told as done, or was half there.
it('commits, branches and protections are there once when that was said, and not when it was not', async () => {
  const { context, project, commit } = await under.newProject();
  const { client } = under;
  const commits = await throughFaults(client, createCommit, (turn) => commit('main', `${turn}.txt`, `text ${turn}`));
  const { items } = await client.call(listCommits, { id: 'x', ref_name: 'main', per_page: 100 }, context);
  expect(items.slice(0, -1).map(({ id }) => id)).toEqual(commits.toReversed());
  const tips = () =>
    under.events(repositoryPushed).flatMap(({ data }) => (data.project_id === project.id ? JSON.stringify(data) : []));
  await eventually(() => commits.every((id) => tips().some((text) => text.includes(id))), 'the events');

  const branches = await throughFaults(client, createBranch, (turn) =>
    client.call(createBranch, { id: 'x', branch: `b${turn}`, ref: 'main' }, context),
  );
  const named = async () =>
    (await client.call(listBranches, { id: 'x', per_page: 100 }, context)).items.map(({ name }) => name).sort();
  expect(await named()).toEqual(['main', ...branches.map(({ name }) => name)].sort());
  const gone = await throughFaults(client, deleteBranch, async (turn) => {
    const branch = `c${turn}`;
    await client.call(createBranch, { id: 'x', branch, ref: 'main' }, context);
    await client.call(deleteBranch, { id: 'x', branch }, context);
    return branch;
  });
  expect((await named()).filter((name) => gone.includes(name))).toEqual([]);

  const rules = await throughFaults(client, protectBranches, (turn) =>
    client.call(protectBranches, { id: 'x', name: `release-${turn}/*` }, context),
  );
  const held = async () =>
    (await client.call(listProtectedBranches, { id: 'x', per_page: 100 }, context)).items.map(({ name }) => name);
  expect((await held()).filter((name) => name.startsWith('release')).sort()).toEqual(
    rules.map(({ name }) => name).sort(),
  );
  await throughFaults(client, unprotectBranches, async (turn) => {
    const name = `open-${turn}`;
    await client.call(protectBranches, { id: 'x', name }, context);
    await client.call(unprotectBranches, { id: 'x', name }, context);
    expect(await held()).not.toContain(name);
  });
}, 120_000);
