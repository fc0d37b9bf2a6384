import {
  Access,
  type AccessRule,
  anyone,
  get,
  getProjectLabel,
  getProjectMilestone,
  listProjectLabels,
  listProjectMilestones,
  nothing,
  type OperationError,
  onGroup,
  onProject,
  operation,
  type ProjectRef,
  page,
  post,
} from '@moothall/contracts';
import { callerNamed, groupNamed, projectNamed } from '@moothall/testing';
import { z } from 'zod';
import { checkAccess } from './check-access';
import type { ResourceResolver } from './resource-resolver';

const resourcesOf = (over: Partial<ProjectRef>): ResourceResolver =>
  ({
    resolveProject: async () => projectNamed('p', over),
    resolveGroup: async () => groupNamed('g', over as never),
  }) as unknown as ResourceResolver;

const read = (access: AccessRule) =>
  operation({ name: 't.a.get', http: get('/a/:id'), access, input: z.object({}), output: nothing() });
const list = (access: AccessRule) =>
  operation({ name: 't.a.list', http: get('/a'), access, input: z.object({}), output: page(z.int()) });
const write = (access: AccessRule) =>
  operation({ name: 't.a.create', http: post('/a'), access, input: z.object({}), output: nothing() });

const codeOf = (outcome: Promise<unknown>): Promise<string> =>
  outcome.then(
    () => 'allowed',
    (error: OperationError) => error.code.replace('common.', ''),
  );

const user = callerNamed('user');
const external = callerNamed('external', { isExternal: true });
const none = Access.None;
const { None, Guest } = Access;

describe('checkAccess', () => {
  it.each([
    ['public', none, undefined, 'allowed'],
    ['internal', none, undefined, 'not_found'],
    ['internal', none, user, 'allowed'],
    ['internal', none, external, 'not_found'],
    ['private', none, user, 'not_found'],
    ['private', Access.Guest, user, 'allowed'],
  ] as const)('a %s project at level %i: %#', async (visibility, accessLevel, caller, expected) => {
    const rule = onProject({ anonymous: true });
    expect(await codeOf(checkAccess(read(rule), caller, '1', resourcesOf({ visibility, accessLevel })))).toBe(expected);
  });

  it.each([
    [Access.Reporter, 'forbidden'],
    [Access.Developer, 'allowed'],
  ] as const)('requires the level of the rule: %i is %s', async (accessLevel, expected) => {
    const rule = onProject({ level: Access.Developer });
    expect(await codeOf(checkAccess(write(rule), user, '1', resourcesOf({ accessLevel })))).toBe(expected);
  });

  it.each([
    ['public', none, 'allowed'],
    ['private', Access.Guest, 'forbidden'],
    ['private', Access.Reporter, 'allowed'],
  ] as const)('reads code of a %s project at level %i: %s', async (visibility, accessLevel, expected) => {
    const rule = onProject({ feature: 'repository', levelInPrivate: Access.Reporter });
    expect(await codeOf(checkAccess(read(rule), user, '1', resourcesOf({ visibility, accessLevel })))).toBe(expected);
  });

  it('hides single records of a closed feature and refuses its lists', async () => {
    const closed = resourcesOf({ features: { ...projectNamed('p').features, issues: 'disabled' } });
    const rule = onProject({ feature: 'issues' });
    expect(await codeOf(checkAccess(read(rule), user, '1', closed))).toBe('not_found');
    expect(await codeOf(checkAccess(list(rule), user, '1', closed))).toBe('forbidden');
    expect(await codeOf(checkAccess(write(rule), user, '1', closed))).toBe('forbidden');
  });

  // Operations that count or list many records are refused with 403 instead of 404.
  it('refuses objects of a closed feature, and returns empty lists', async () => {
    const closed = resourcesOf({ features: { ...projectNamed('p').features, issues: 'disabled' } });
    const summary = onProject({ feature: 'issues', isSummary: true });
    expect(await codeOf(checkAccess(read(summary), user, '1', closed))).toBe('forbidden');
    const access = onProject({ feature: 'issues' });
    const http = get('/a/:id');
    const whole = operation({ name: 't.a.whole', http, access, input: z.object({}), output: z.array(z.int()) });
    expect(await codeOf(checkAccess(whole, user, '1', closed))).toBe('forbidden');
  });

  // Milestones and labels belong to issues and merge requests.
  it.each([
    ['enabled', 'disabled', None, 'allowed'],
    ['disabled', 'enabled', None, 'allowed'],
    ['disabled', 'disabled', Guest, 'forbidden'],
    ['private', 'private', None, 'forbidden'],
    ['private', 'disabled', Guest, 'allowed'],
  ] as const)('with issues %s and merge requests %s, level %i lists milestones and labels: %s', async (...row) => {
    const [issues, merge_requests, accessLevel, expected] = row;
    const features = { ...projectNamed('p').features, issues, merge_requests };
    const resources = resourcesOf({ visibility: 'public', accessLevel, features });
    for (const one of [listProjectMilestones, listProjectLabels]) {
      expect(await codeOf(checkAccess(one, user, '1', resources))).toBe(expected);
    }
    const single = { allowed: 'allowed', forbidden: 'not_found' }[expected];
    for (const one of [getProjectMilestone, getProjectLabel]) {
      expect(await codeOf(checkAccess(one, user, '1', resources))).toBe(single);
    }
  });

  it('accepts the ability of the rule instead of its level, and no other', async () => {
    const rules = [
      onProject({ level: Access.Owner, ability: 'remove_project' }),
      onProject({ levelInPrivate: Access.Reporter, ability: 'remove_project' }),
      onGroup({ level: Access.Owner, ability: 'remove_project' }),
    ];
    for (const rule of rules) {
      const outcome = (over: Partial<ProjectRef>) =>
        codeOf(checkAccess(write(rule), user, '1', resourcesOf({ accessLevel: Guest, ...over })));
      expect(await outcome({ abilities: ['remove_project'] })).toBe('allowed');
      expect(await outcome({ abilities: ['archive_project'] })).toBe('forbidden');
      expect(await outcome({})).toBe('forbidden');
      expect(await outcome({ accessLevel: None, abilities: ['remove_project'] })).toBe('not_found');
    }
    const closed = {
      abilities: ['read_code' as const],
      features: { ...projectNamed('p').features, wiki: 'disabled' as const },
    };
    const wiki = onProject({ feature: 'wiki', levelInPrivate: Access.Reporter, ability: 'read_code' });
    expect(await codeOf(checkAccess(write(wiki), user, '1', resourcesOf({ accessLevel: Guest, ...closed })))).toBe(
      'forbidden',
    );
  });

  it('hides private groups and requires levels in them', async () => {
    const rule = onGroup({ level: Access.Owner });
    expect(await codeOf(checkAccess(read(rule), user, '1', resourcesOf({ accessLevel: none })))).toBe('not_found');
    expect(await codeOf(checkAccess(read(rule), user, '1', resourcesOf({ accessLevel: Access.Maintainer })))).toBe(
      'forbidden',
    );
  });

  it('reserves administration for administrators', async () => {
    const rule: AccessRule = { on: 'administrator' };
    expect(await codeOf(checkAccess(read(rule), user, '', resourcesOf({})))).toBe('forbidden');
    expect(await codeOf(checkAccess(read(rule), callerNamed('root', { isAdmin: true }), '', resourcesOf({})))).toBe(
      'allowed',
    );
  });
});

describe('a resolved record', () => {
  const resources = resourcesOf({ visibility: 'public' });
  const group = resourcesOf({ visibility: 'public', accessLevel: None });

  it('is handed on to the service', async () => {
    expect(await checkAccess(read(onProject({})), user, '1', resources)).toMatchObject({ project: { path: 'p' } });
    expect(await checkAccess(read(onGroup({})), user, '1', group)).toMatchObject({ group: { path: 'g' } });
    expect(await checkAccess(read(anyone()), user, '', resources)).toEqual({});
  });

  it('is visible, and asks for a sign-in if that could help', async () => {
    const open = resourcesOf({ visibility: 'public', accessLevel: None });
    const rule = onProject({ level: Guest });
    expect(await codeOf(checkAccess(write(rule), undefined, '1', open))).toBe('unauthorized');
    expect(await codeOf(checkAccess(write(rule), user, '1', open))).toBe('forbidden');
    expect(await codeOf(checkAccess(read(onGroup({ level: Guest })), undefined, '1', group))).toBe('unauthorized');
    expect(await codeOf(checkAccess(read(onGroup({ level: None })), undefined, '1', group))).toBe('allowed');
  });

  it('is for administrators only if the rule requires it, and never for anonymous callers', async () => {
    expect(await codeOf(checkAccess(read({ on: 'administrator' }), undefined, '', resources))).toBe('forbidden');
  });
});
