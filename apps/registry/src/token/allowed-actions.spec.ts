import { Access, type Caller, type ProjectRef } from '@moothall/contracts';
import { callerNamed, projectNamed } from '@moothall/testing';
import { allowedActions } from './allowed-actions';

const { None, Guest, Reporter, Developer, Maintainer, Owner } = Access;
const may = (project: Partial<ProjectRef>, caller?: Partial<Caller> | null) =>
  allowedActions(projectNamed('app', project), caller === null ? undefined : callerNamed('ada', caller)).join(' ');

it.each([
  [None, ''],
  [Guest, ''],
  [Reporter, 'pull'],
  [Developer, 'pull push'],
  [Maintainer, 'pull push delete'],
  [Owner, 'pull push delete'],
] as const)('level %i in a private project may: %s', (accessLevel, actions) => {
  expect(may({ accessLevel })).toBe(actions);
});

it.each<[string, Partial<ProjectRef>, Partial<Caller> | null, string]>([
  ['pulls what is public without signing in', { visibility: 'public', accessLevel: None }, null, 'pull'],
  ['pulls nothing internal without signing in', { visibility: 'internal', accessLevel: None }, null, ''],
  ['pulls nothing private without signing in', { visibility: 'private', accessLevel: None }, null, ''],
  ['pulls what is internal when signed in', { visibility: 'internal', accessLevel: None }, {}, 'pull'],
  [
    'pulls nothing internal as an external user',
    { visibility: 'internal', accessLevel: None },
    { isExternal: true },
    '',
  ],
  ['pulls as a guest of a public project', { visibility: 'public', accessLevel: Guest }, {}, 'pull'],
  ['only pulls from what is archived', { isArchived: true, accessLevel: Owner }, {}, 'pull'],
  ['only pulls by a token to read images', { accessLevel: Owner }, { scopes: ['read_registry'] }, 'pull'],
  ['does not pull by a token to write images', { accessLevel: Owner }, { scopes: ['write_registry'] }, 'push delete'],
  ['only pulls as a replication node', { accessLevel: Owner }, { scopes: ['geo'] }, 'pull'],
  ['does nothing by a token for code', { accessLevel: Owner }, { scopes: ['read_repository', 'read_api'] }, ''],
  [
    'pulls nothing public by a token for code',
    { visibility: 'public', accessLevel: None },
    { scopes: ['read_repository'] },
    '',
  ],
])('%s', (_, project, caller, actions) => {
  expect(may(project, caller)).toBe(actions);
});

it.each([
  ['disabled', Owner, ''],
  ['private', None, ''],
  ['private', Guest, 'pull'],
  ['private', Developer, 'pull push'],
] as const)('with images %s, level %i of a public project may: %s', (container_registry, accessLevel, actions) => {
  const features = { ...projectNamed('app').features, container_registry };
  expect(may({ visibility: 'public', features, accessLevel })).toBe(actions);
});

it.each([
  [['read_registry'], 'pull'],
  [['write_registry'], 'push'],
  [['read_repository', 'read_package_registry'], ''],
] as const)('a deploy token with %j may, as a developer: %s', (scopes, actions) => {
  const token = { credential: 'deploy_token', isExternal: true, scopes: [...scopes] } as const;
  expect(may({ accessLevel: Developer }, { ...token, scopes: [...scopes] })).toBe(actions);
  expect(may({ accessLevel: None, visibility: 'internal' }, { ...token, scopes: [...scopes] })).toBe('');
});

it('a job pulls and pushes images, and deletes none', () => {
  const job = { credential: 'job_token', scopes: ['read_repository'], projectId: 7 } as const;
  expect(may({ id: 7, accessLevel: Maintainer }, { ...job, scopes: [...job.scopes] })).toBe('pull push');
  expect(may({ id: 8, visibility: 'public', accessLevel: None }, { ...job, scopes: [...job.scopes] })).toBe('pull');
});
