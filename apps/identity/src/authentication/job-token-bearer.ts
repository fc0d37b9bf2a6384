import { authenticateJobToken, commonErrors, type Scope } from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { callerOf, refusalOf } from '../user/caller';
import { Users } from '../user/user.repository';
import type { Bearer } from './token-bearer';

const scopes: Scope[] = ['read_repository'];

/** Resolves tokens of running jobs to their user, limited to reading the code of the project. */
@Injectable()
export class JobTokenBearer {
  constructor(
    private readonly users: Users,
    private readonly client: OperationClient,
  ) {}

  /**
   * @param hash SHA-256 of the token
   * @throws common.unauthorized unless it belongs to a running job; authentication.blocked
   */
  async get(hash: string): Promise<Bearer> {
    const { user_id, project_id } = await this.client.call(authenticateJobToken, { token_sha256: hash });
    const user = await this.users.find(user_id);
    if (!user) throw commonErrors.unauthorized();
    const refusal = refusalOf(user);
    if (refusal) throw refusal;
    // Valid while the job runs: callers must not cache the answer.
    return { caller: callerOf(user, { credential: 'job_token', scopes, projectId: project_id }), expires_at: null };
  }
}
