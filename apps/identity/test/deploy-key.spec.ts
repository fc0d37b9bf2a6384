import {
  addProjectDeployKey,
  authenticateSshKey,
  createPublicDeployKey,
  enableProjectDeployKey,
  findKey,
  getKey,
  getProjectDeployKey,
  listDeployKeys,
  listProjectDeployKeys,
  type ProjectRef,
  projectDeleted,
  projectRefs,
  removeProjectDeployKey,
  updateProjectDeployKey,
} from '@moothall/contracts';
import { eventually, projectNamed, type ServiceUnderTest } from '@moothall/testing';
import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { DeployKeys } from '../src/deploy-key/deploy-key.repository';
import { newEd25519, nonsense } from './public-keys';
import { asAdministrator, callerFor, failure, makeUser, startIdentity } from './service-under-test';

let identity: ServiceUnderTest;
/** Projects by id of their member. */
const memberships = new Map<number, ProjectRef[]>();
beforeAll(async () => {
  identity = await startIdentity();
  identity.respond(projectRefs, ({ ids, user_id }) =>
    (memberships.get(user_id ?? 0) ?? []).filter((project) => ids.includes(project.id)),
  );
});
afterAll(() => identity?.stop());

async function maintainer(...projects: ProjectRef[]) {
  const caller = callerFor(await makeUser(identity));
  memberships.set(caller.id, projects);
  return caller;
}

/** A project with a deploy key that a maintainer added. */
async function projectWithKey(key = newEd25519()) {
  const project = projectNamed('deployed', { accessLevel: 40 });
  const caller = await maintainer(project);
  const input = { id: String(project.id), title: 'ci', key, can_push: true };
  const added = await identity.client.call(addProjectDeployKey, input, { caller, project });
  return { project, caller, added, key };
}

const inProject = (project: ProjectRef, keyId: number) => ({ id: String(project.id), key_id: keyId });

describe('deploy keys', () => {
  // Of two concurrent requests with the same key one creates it, and the other enables it.
  it('are joined by all projects that get the same one at the same moment', async () => {
    for (let round = 0; round < 5; round++) {
      const [one, other] = [projectNamed('one', { accessLevel: 40 }), projectNamed('other', { accessLevel: 40 })];
      const caller = await maintainer(one, other);
      const key = newEd25519();
      const post = (project: ProjectRef) => {
        const input = { id: String(project.id), title: 'ci', key, can_push: false };
        return identity.client.call(addProjectDeployKey, input, { caller, project });
      };
      const [first, second] = await Promise.all([post(one), post(other)]);
      expect(second.id).toBe(first.id);
    }
  });

  it('belong to a project, with their rights there', async () => {
    const { project, caller, added } = await projectWithKey();
    expect(added).toMatchObject({ title: 'ci', can_push: true, fingerprint_sha256: expect.stringMatching(/^SHA256:/) });
    const context = { caller, project };
    const listed = await identity.client.call(listProjectDeployKeys, { id: String(project.id) }, context);
    expect(listed).toMatchObject({ items: [added], total: 1 });
    await expect(identity.client.call(getProjectDeployKey, inProject(project, added.id), context)).resolves.toEqual(
      added,
    );
    const all = await identity.client.call(listDeployKeys, {}, asAdministrator);
    expect(all.items.map(({ id }) => id)).toContain(added.id);
  });

  it('are answered as they are when added twice', async () => {
    const { project, caller, added, key } = await projectWithKey();
    const input = { id: String(project.id), title: 'other', key, can_push: false };
    const again = await identity.client.call(addProjectDeployKey, input, { caller, project });
    expect(again).toEqual(added);
  });

  it('are added by members of a project that has them, and refused to others', async () => {
    const { project, added, key } = await projectWithKey();
    const second = projectNamed('second', { accessLevel: 40 });
    const input = { id: String(second.id), title: 'other', key };
    const insider = await maintainer(project, second);
    const joined = await identity.client.call(addProjectDeployKey, input, { caller: insider, project: second });
    expect(joined).toMatchObject({ id: added.id, title: 'ci', can_push: false });

    const third = projectNamed('third', { accessLevel: 40 });
    const outsider = await maintainer(third);
    await expect(
      identity.client.call(
        addProjectDeployKey,
        { ...input, id: String(third.id) },
        { caller: outsider, project: third },
      ),
    ).rejects.toEqual(failure({ message: { 'deploy_key.fingerprint': ['has already been taken'] } }));
  });

  // The second request enables the key of the first.
  it('can be created concurrently for two projects', async () => {
    const projects = [1, 2, 3, 4].map((number) => projectNamed(`at-once-${number}`, { accessLevel: 40 }));
    const caller = await maintainer(...projects);
    const key = newEd25519();
    const adding = projects.map((project) =>
      identity.client.call(addProjectDeployKey, { id: String(project.id), title: 'ci', key }, { caller, project }),
    );
    expect(new Set((await Promise.all(adding)).map(({ id }) => id)).size).toBe(1);
  });

  it('are refused with an expiry in the past, or a title of more than 255 characters', async () => {
    const project = projectNamed('p', { accessLevel: 40 });
    const caller = await maintainer(project);
    const add = (over: object) => {
      const input = { id: String(project.id), title: 'x', key: newEd25519(), ...over };
      return identity.client.call(addProjectDeployKey, input, { caller, project });
    };
    await expect(add({ expires_at: '2020-01-01' })).rejects.toEqual(
      failure({ message: { 'deploy_key.expires_at': ['must be in the future'] } }),
    );
    await expect(add({ title: 'x'.repeat(256) })).rejects.toEqual(
      failure({ message: { 'deploy_key.title': ['is too long (maximum is 255 characters)'] } }),
    );
  });

  it('must be keys', async () => {
    const project = projectNamed('p', { accessLevel: 40 });
    const caller = await maintainer(project);
    const input = { id: String(project.id), title: 'x', key: nonsense() };
    await expect(identity.client.call(addProjectDeployKey, input, { caller, project })).rejects.toEqual(
      failure({ message: expect.objectContaining({ 'deploy_key.key': ['is invalid'] }) }),
    );
  });

  it('are enabled in other projects by users who can use them, and public ones by everybody', async () => {
    const { project, added } = await projectWithKey();
    const second = projectNamed('second', { accessLevel: 40 });
    const insider = await maintainer(project, second);
    const enabling = inProject(second, added.id);
    await identity.client.call(enableProjectDeployKey, enabling, { caller: insider, project: second });
    const outsider = await maintainer(second);
    const third = projectNamed('third', { accessLevel: 40 });
    await expect(
      identity.client.call(enableProjectDeployKey, inProject(third, added.id), { caller: outsider, project: third }),
    ).resolves.toMatchObject({ id: added.id });
    const stranger = await maintainer();
    const context = { caller: stranger, project: projectNamed('fourth', { accessLevel: 40 }) };
    await expect(
      identity.client.call(enableProjectDeployKey, inProject(context.project, added.id), context),
    ).rejects.toEqual(failure({ code: 'deploy_key.not_found' }));
    const open = await identity.client.call(
      createPublicDeployKey,
      { title: 'all', key: newEd25519() },
      { caller: callerFor(await makeUser(identity, { admin: true }), { isAdmin: true }) },
    );
    await expect(
      identity.client.call(enableProjectDeployKey, inProject(context.project, open.id), context),
    ).resolves.toMatchObject({ id: open.id });
  });

  it('return 404 if they are deleted while they are enabled', async () => {
    const { project, added } = await projectWithKey();
    const second = projectNamed('second', { accessLevel: 40 });
    const caller = await maintainer(project, second);
    const deployKeys = identity.running.app.get(DeployKeys, { strict: false });
    const enable = jest.spyOn(deployKeys, 'enable').mockImplementation(() => deployKeys.disable(added.id, project.id));
    const enabling = identity.client.call(enableProjectDeployKey, inProject(second, added.id), {
      caller,
      project: second,
    });
    await expect(enabling).rejects.toEqual(failure({ code: 'deploy_key.not_found' }));
    enable.mockRestore();
  });

  it('are enabled by members of the last of many projects', async () => {
    const { project, added } = await projectWithKey();
    const [last, second] = [projectNamed('last', { accessLevel: 40 }), projectNamed('second', { accessLevel: 40 })];
    const keys = identity.running.app.get<Connection>(getConnectionToken()).collection('ssh_keys');
    const ids = [...Array.from({ length: 1_000 }, (_, at) => 3_000_000 + at), last.id];
    const enablements = ids.map((projectId, at) => ({ id: -at, projectId, canPush: false }));
    await keys.updateOne({ _id: added.id as never }, { $push: { enablements: { $each: enablements } } as never });
    const caller = await maintainer(last, second);
    const enabling = identity.client.call(enableProjectDeployKey, inProject(second, added.id), {
      caller,
      project: second,
    });
    await expect(enabling).resolves.toMatchObject({ id: added.id });
    expect(project.id).not.toBe(last.id);
  });

  // Regression: there could be any number in one document.
  it('open ten thousand projects at most', async () => {
    const { project, added } = await projectWithKey();
    const [second, third] = [projectNamed('second', { accessLevel: 40 }), projectNamed('third', { accessLevel: 40 })];
    const caller = await maintainer(project, second, third);
    const keys = identity.running.app.get<Connection>(getConnectionToken()).collection('ssh_keys');
    const enablements = Array.from({ length: 9_998 }, (_, at) => ({
      id: -at,
      projectId: 1_000_000 + at,
      canPush: false,
    }));
    await keys.updateOne({ _id: added.id as never }, { $push: { enablements: { $each: enablements } } as never });
    const enable = (place: ProjectRef) =>
      identity.client.call(enableProjectDeployKey, inProject(place, added.id), { caller, project: place });
    await enable(second);
    await enable(second);
    await expect(enable(third)).rejects.toEqual(failure({ message: { base: ['has too many projects'] } }));
  });

  it('are renamed only if no other project has them', async () => {
    const { project, caller, added } = await projectWithKey();
    const update = (title: string, can_push: boolean) =>
      identity.client.call(
        updateProjectDeployKey,
        { ...inProject(project, added.id), title, can_push },
        { caller, project },
      );
    await expect(update('new', false)).resolves.toMatchObject({ title: 'new', can_push: false });
    const second = projectNamed('second', { accessLevel: 40 });
    const insider = await maintainer(project, second);
    const enabling = inProject(second, added.id);
    await identity.client.call(enableProjectDeployKey, enabling, { caller: insider, project: second });
    await expect(update('newer', true)).resolves.toMatchObject({ title: 'new', can_push: true });
  });

  it('are deleted with their last project, and not before', async () => {
    const { project, caller, added } = await projectWithKey();
    const second = projectNamed('second', { accessLevel: 40 });
    const insider = await maintainer(project, second);
    const context = { caller: insider, project: second };
    await identity.client.call(enableProjectDeployKey, inProject(second, added.id), context);
    await identity.client.call(removeProjectDeployKey, inProject(project, added.id), { caller, project });
    await expect(
      identity.client.call(getProjectDeployKey, inProject(project, added.id), { caller, project }),
    ).rejects.toEqual(failure({ code: 'deploy_key.not_found' }));
    const left = await identity.client.call(getKey, { id: added.id }, asAdministrator);
    expect(left.deploy_keys_projects).toMatchObject([{ project_id: second.id, deploy_key_id: added.id }]);
    await identity.emit(projectDeleted, { project_id: second.id, full_path: 'x', storage: 'default' });
    await eventually(() =>
      identity.client.call(getKey, { id: added.id }, asAdministrator).then(
        () => false,
        () => true,
      ),
    );
  });

  it('open an SSH connection to their projects, and are found by fingerprint with them', async () => {
    const { project, added } = await projectWithKey();
    const fingerprint_sha256 = added.fingerprint_sha256;
    await expect(identity.client.call(authenticateSshKey, { fingerprint_sha256 })).resolves.toEqual({
      caller: null,
      deploy_key: { id: added.id, title: 'ci', projects: [{ project_id: project.id, can_push: true }] },
    });
    const found = await identity.client.call(findKey, { fingerprint: fingerprint_sha256 }, asAdministrator);
    expect(found.deploy_keys_projects).toMatchObject([{ project_id: project.id, can_push: true }]);
  });
});
