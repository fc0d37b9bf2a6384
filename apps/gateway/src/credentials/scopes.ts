import {
  type AnyScope,
  authenticationErrors,
  type Caller,
  forbidden,
  type Operation,
  OperationError,
  packageScopes,
} from '@moothall/contracts';

const reads = new Set(['GET', 'HEAD']);

/** The scopes that an operation accepts: `api`, `read_api` for reads, and those in the contract, which may be all. */
export function acceptedScopes(operation: Operation, method: string): AnyScope[] {
  const { scopes: named = [], needsItsScopes } = operation;
  if (needsItsScopes) return named;
  return reads.has(method) ? ['api', 'read_api', ...named] : ['api', ...named];
}

const opensPackages = (scope: AnyScope): boolean => packageScopes.some((known) => known === scope);

/**
 * Job tokens are accepted by git, and by operations for them; deploy tokens by git, images and packages, whatever their
 * scopes are.
 * @throws authentication.insufficient_scope
 */
export function requireScope(operation: Operation, method: string, caller: Caller): void {
  if (caller.credential === 'job_token' && operation.takesJobToken) return;
  const isDeployToken = caller.credential === 'deploy_token';
  const accepted = isDeployToken ? (operation.scopes ?? []).filter(opensPackages) : acceptedScopes(operation, method);
  if (caller.credential === 'job_token') throw insufficientScope(accepted);
  if (caller.scopes.some((scope) => accepted.includes(scope))) return;
  throw insufficientScope(accepted);
}

const insufficientScope = (accepted: AnyScope[]): OperationError =>
  new OperationError({ code: authenticationErrors.insufficientScope.code, details: { scope: accepted.join(' ') } });

/** @throws forbidden for sign-ins without a token, authentication.insufficient_scope for tokens without sudo */
export function requireSudoScope(caller: Caller): void {
  if (caller.credential !== 'personal_access_token' && caller.credential !== 'oauth_token') {
    throw forbidden('Must be authenticated using an OAuth or Personal Access Token to use sudo');
  }
  if (!caller.scopes.includes('sudo')) throw insufficientScope(['sudo']);
}
