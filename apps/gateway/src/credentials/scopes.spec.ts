import { get, nothing, type OperationError, operation, type Scope, signedIn } from '@moothall/contracts';
import { callerNamed } from '@moothall/testing';
import { z } from 'zod';
import { acceptedScopes, requireScope, requireSudoScope } from './scopes';

const operationWith = (over: object) =>
  operation({ name: 't.a.get', http: get('/a'), access: signedIn(), input: z.object({}), output: nothing(), ...over });
const plain = operationWith({});
const named = operationWith({ scopes: ['read_user'] });
const special = operationWith({ scopes: ['read_user'], needsItsScopes: true });

const needed = (work: () => void): unknown => {
  try {
    work();
  } catch (error) {
    return (error as OperationError).value.details;
  }
  return 'allowed';
};

describe('scopes', () => {
  it.each([
    [plain, 'GET', ['api', 'read_api']],
    [plain, 'HEAD', ['api', 'read_api']],
    [plain, 'POST', ['api']],
    [named, 'GET', ['api', 'read_api', 'read_user']],
    [named, 'DELETE', ['api', 'read_user']],
    [special, 'GET', ['read_user']],
    [operationWith({ needsItsScopes: true }), 'GET', []],
  ])('of %# with %s are %j', (given, method, expected) => expect(acceptedScopes(given, method)).toEqual(expected));

  it.each<[string, Scope[], unknown]>([
    ['GET', ['read_api'], 'allowed'],
    ['POST', ['read_api'], { scope: 'api' }],
    ['POST', ['openid', 'api'], 'allowed'],
    ['GET', ['openid', 'sudo'], { scope: 'api read_api' }],
    ['GET', [], { scope: 'api read_api' }],
  ])('%s with %j: %j', (method, scopes, expected) => {
    expect(needed(() => requireScope(plain, method, callerNamed('ann', { scopes })))).toEqual(expected);
  });

  it('of jobs are valid only for operations that accept job tokens', () => {
    const job = callerNamed('ann', { credential: 'job_token', scopes: ['api'] });
    expect(needed(() => requireScope(plain, 'GET', job))).toEqual({ scope: 'api read_api' });
    expect(needed(() => requireScope(operationWith({ takesJobToken: true }), 'POST', job))).toBe('allowed');
  });

  // They have scopes that give users access to files and archives.
  it('of deploy tokens are valid for packages only', () => {
    const token = callerNamed('deployer', {
      credential: 'deploy_token',
      scopes: ['read_repository', 'read_package_registry'],
    });
    const files = operationWith({ scopes: ['read_repository'] });
    const packages = operationWith({ scopes: ['read_package_registry'] });
    const upload = operationWith({ scopes: ['write_package_registry'] });
    expect(needed(() => requireScope(plain, 'GET', token))).toEqual({ scope: '' });
    expect(needed(() => requireScope(files, 'GET', token))).toEqual({ scope: '' });
    expect(needed(() => requireScope(packages, 'GET', token))).toBe('allowed');
    expect(needed(() => requireScope(upload, 'PUT', token))).toEqual({ scope: 'write_package_registry' });
  });

  it.each([
    ['personal_access_token', ['api', 'sudo'], 'allowed'],
    ['oauth_token', ['sudo'], 'allowed'],
    ['personal_access_token', ['api'], { scope: 'sudo' }],
    ['oauth_token', [], { scope: 'sudo' }],
  ] as const)('to act as others, with a %s and %j: %j', (credential, scopes, expected) => {
    expect(needed(() => requireSudoScope(callerNamed('root', { credential, scopes: [...scopes] })))).toEqual(expected);
  });

  it('to act as others have no effect without a token', () => {
    const caller = callerNamed('root', { credential: 'session', scopes: ['sudo'] });
    expect(() => requireSudoScope(caller)).toThrow('common.forbidden');
  });
});
