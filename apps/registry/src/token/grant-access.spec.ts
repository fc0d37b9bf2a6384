import { Access, type Caller, commonErrors, type ProjectRef, projectErrors } from '@moothall/contracts';
import type { OperationClient } from '@moothall/messaging';
import { callerNamed, projectNamed } from '@moothall/testing';
import { Protection } from '../protection/protection';
import type { ProtectionRules } from '../protection/protection-rules';
import type { Claim, ContainerRepositories } from '../repository/container-repository.repository';
import type { ContainerRepository } from '../repository/container-repository.schema';
import { ImageProjects } from '../repository/image-projects';
import { GrantAccess } from './grant-access';
import { parseScopes } from './parse-scopes';

const ada = callerNamed('ada');
const app = projectNamed('app', { id: 1, accessLevel: Access.Maintainer });
type Known = Pick<ContainerRepository, 'path' | 'projectId' | 'status'>;

const rules = { of: async () => new Protection([]) } as unknown as ProtectionRules;

function grantingTo(projects: Record<string, ProjectRef>, known: Known[] = []) {
  const records = [...known];
  const client = {
    call: async (_operation: unknown, { project }: { project: string }) => {
      const found = projects[project] ?? Object.values(projects).find(({ id }) => String(id) === project);
      if (!found) throw projectErrors.notFound();
      return { project: found, redirected: found.fullPath !== project };
    },
  } as unknown as OperationClient;
  const repositories = {
    findByPath: async (path: string) => records.find((one) => one.path === path) ?? null,
    claim: async (claim: Claim) => {
      records.push({ ...claim, status: null });
      return records.find(({ path }) => path === claim.path);
    },
  } as unknown as ContainerRepositories;
  const granting = new GrantAccess(new ImageProjects(client), repositories, rules);
  const grant = async (scopes: string, caller: Caller | undefined = ada) =>
    (await granting.grant(parseScopes(scopes), caller)).map(({ type, name, actions }) => `${type}:${name}:${actions}`);
  return { grant, records };
}

describe('an image of a project', () => {
  const named = { 'group/app': app };

  it.each(['group/app', 'group/app/server', 'group/app/server/debug'])('may be named %s', async (name) => {
    const { grant } = grantingTo(named);
    expect(await grant(`repository:${name}:pull,push,delete`)).toEqual([`repository:${name}:pull,push,delete`]);
  });

  it.each(['group/app/a/b/c', 'group/apps', 'group', 'app', 'other/app', 'Group/app', 'group/app/..'])(
    'is not named %s',
    async (name) => {
      const { grant, records } = grantingTo(named);
      expect(await grant(`repository:${name}:pull,push`)).toEqual([]);
      expect(records).toEqual([]);
    },
  );

  it('gets the requested actions that are allowed', async () => {
    const { grant } = grantingTo({ 'group/app': { ...app, accessLevel: Access.Developer } });
    expect(await grant('repository:group/app:pull')).toEqual(['repository:group/app:pull']);
    expect(await grant('repository:group/app:push,delete')).toEqual(['repository:group/app:push']);
    expect(await grant('repository:group/app:*')).toEqual(['repository:group/app:pull,push']);
    expect(await grant('repository:group/app:delete,frobnicate')).toEqual([]);
  });

  it('is one scope of several', async () => {
    const { grant } = grantingTo(named);
    expect(await grant('repository:group/app:pull repository:group/other:pull repository:group/app/b:push')).toEqual([
      'repository:group/app:pull',
      'repository:group/app/b:push',
    ]);
  });
});

describe('a name', () => {
  it('belongs to the project that first asked to push', async () => {
    const { grant, records } = grantingTo({ 'group/app': app });
    await grant('repository:group/app:pull');
    expect(records).toEqual([]);
    await grant('repository:group/app:pull,push');
    expect(records).toMatchObject([{ path: 'group/app', projectId: 1 }]);
  });

  it('is not reserved by a caller who may not push', async () => {
    const { grant, records } = grantingTo({ 'group/app': { ...app, accessLevel: Access.Reporter } });
    expect(await grant('repository:group/app:pull,push')).toEqual(['repository:group/app:pull']);
    expect(records).toEqual([]);
  });

  const known = { path: 'group/app', projectId: 1, status: null };

  it('stays with a project that moved, and not with the project that has its path now', async () => {
    const moved = { ...app, fullPath: 'elsewhere/app' };
    const successor = projectNamed('app', { id: 2, accessLevel: Access.None });
    const { grant } = grantingTo({ 'elsewhere/app': moved, 'group/app': successor }, [known]);
    expect(await grant('repository:group/app:pull,push')).toEqual(['repository:group/app:pull,push']);

    const asSuccessor = grantingTo(
      { 'elsewhere/app': { ...moved, accessLevel: Access.None }, 'group/app': { ...successor, accessLevel: 40 } },
      [known],
    );
    expect(await asSuccessor.grant('repository:group/app:pull,push')).toEqual([]);
  });

  it('gives no access after its project was deleted', async () => {
    expect(await grantingTo({}, [known]).grant('repository:group/app:pull')).toEqual([]);
  });

  it('is not found by an earlier path of a project', async () => {
    const { grant } = grantingTo({ 'group/app': { ...app, fullPath: 'elsewhere/app' } });
    expect(await grant('repository:group/app:pull,push')).toEqual([]);
  });

  it('refuses pushes while its images are being deleted', async () => {
    const { grant } = grantingTo({ 'group/app': app }, [{ ...known, status: 'delete_scheduled' }]);
    expect(await grant('repository:group/app:pull,push')).toEqual(['repository:group/app:pull']);
  });

  it('of two concurrent pushes has one owner', async () => {
    const { grant, records } = grantingTo({ 'group/app': app });
    records.push = (record) => Array.prototype.push.call(records, { ...record, projectId: 99 });
    expect(await grant('repository:group/app:push')).toEqual([]);
  });
});

describe('the catalog', () => {
  it.each([
    ['administrators', callerNamed('root', { isAdmin: true }), true],
    [
      'administrators whose token is for less',
      callerNamed('root', { isAdmin: true, scopes: ['read_registry'] }),
      false,
    ],
    ['users', ada, false],
  ])('to %s', async (_, caller, isGiven) => {
    const { grant } = grantingTo({});
    expect(await grant('registry:catalog:*', caller)).toEqual(isGiven ? ['registry:catalog:*'] : []);
    expect(await grant('registry:other:*', caller)).toEqual([]);
  });
});

it('reports an error if the projects service does not answer', async () => {
  const client = { call: async () => Promise.reject(commonErrors.unavailable()) } as unknown as OperationClient;
  const repositories = { findByPath: async () => null } as unknown as ContainerRepositories;
  const granting = new GrantAccess(new ImageProjects(client), repositories, rules);
  await expect(granting.grant(parseScopes('repository:group/app:pull'), ada)).rejects.toThrow('common.unavailable');
});
