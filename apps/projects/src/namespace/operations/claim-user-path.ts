import { type ContextOf, claimUserPath, type ParsedOf, type ResultOf, releaseUserPath } from '@moothall/contracts';
import { Counters } from '@moothall/database';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { namespacePathProblems } from '../path-rules';
import { Routes } from '../routes';
import { UserNamespaces } from '../user-namespaces';

/** Reserves paths for users before identity creates or renames them. */
@Controller()
export class ClaimUserPath {
  constructor(
    private readonly routes: Routes,
    private readonly userNamespaces: UserNamespaces,
    private readonly counters: Counters,
  ) {}

  @Handles(claimUserPath)
  async claim(
    _: ContextOf<typeof claimUserPath>,
    { user_id: userId, path, former }: ParsedOf<typeof claimUserPath>,
  ): Promise<ResultOf<typeof claimUserPath>> {
    if (namespacePathProblems(path, true).length > 0) return { is_claimed: false };
    const targetId = await this.targetOf(userId, former);
    return { is_claimed: await this.routes.claim(path, { kind: 'namespace', targetId, userId }) };
  }

  @Handles(releaseUserPath)
  async release(
    _: ContextOf<typeof releaseUserPath>,
    { user_id, path }: ParsedOf<typeof releaseUserPath>,
  ): Promise<void> {
    await this.routes.releaseClaimOf(user_id, path);
  }

  /** The id of the user's namespace, also of one that does not exist yet. */
  private async targetOf(userId: number, former: string | undefined): Promise<number> {
    if (former === undefined) return this.counters.next('namespaces');
    // The user's event may still be queued. The rename changes the name later.
    const namespace = await this.userNamespaces.ensure({ id: userId, username: former, name: former });
    return namespace._id;
  }
}
