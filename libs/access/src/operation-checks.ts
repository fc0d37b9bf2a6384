import { type Caller, commonErrors, type Operation, type OperationContext } from '@moothall/contracts';
import { checkAccess } from './check-access';
import type { RateLimits } from './rate-limits';
import { type Edition, requireTier } from './require-tier';
import type { ResourceResolver } from './resource-resolver';
import { refuseUnsound } from './sound-values';
import type { Validators } from './validators';

export type { Edition } from './require-tier';

/** An operation that a caller may call: its input and its target. */
export interface OperationAsked {
  input: Record<string, unknown>;
  target: Pick<OperationContext, 'project' | 'group'>;
}

/** The checks of a route, for operations that are called without one: in fields of GraphQL, and on pages. */
export class OperationChecks {
  constructor(
    private readonly edition: Edition,
    private readonly validators: Validators,
    private readonly resources: ResourceResolver,
    private readonly limits: RateLimits,
  ) {}

  /**
   * In the order of docs/api/requests.md#4.
   * @param given parameters by name, as text or as values
   * @throws 401 without a caller, if the operation needs one; the errors of the edition, of parameters and of access
   */
  async check(
    operation: Operation,
    given: Record<string, unknown>,
    caller: Caller | undefined,
  ): Promise<OperationAsked> {
    requireKnown(operation, caller);
    requireTier(operation, this.edition);
    refuseUnsound(given);
    const input = this.validators.inputOf(operation, given);
    const target = await checkAccess(operation, caller, String(input.id), this.resources);
    return { input, target };
  }

  /** Those of the caller, without parameters. @param id of the project or the group */
  async checkCaller(operation: Operation, caller: Caller | undefined, id: string): Promise<OperationAsked['target']> {
    requireKnown(operation, caller);
    requireTier(operation, this.edition);
    return checkAccess(operation, caller, id, this.resources);
  }

  /** The same for a call that follows: it is counted by the limits of the operation. @throws also 429 */
  async admit(
    operation: Operation,
    given: Record<string, unknown>,
    caller: Caller | undefined,
    ip: string,
  ): Promise<OperationAsked> {
    const asked = await this.check(operation, given, caller);
    const { project, group } = asked.target;
    await this.limits.take(operation, caller, ip, project?.id ?? group?.id);
    return asked;
  }
}

/** The same check as the credential guard of the routes. */
function requireKnown({ access }: Operation, caller: Caller | undefined): void {
  const isOpen = access.on === 'anyone' || ('anonymous' in access && access.anonymous === true);
  if (!caller && !isOpen) throw commonErrors.unauthorized();
}
