import {
  type ContextOf,
  endOwnSession,
  listOwnSessions,
  type ParsedOf,
  type ResultOf,
  sessionErrors,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { Sessions } from './session.repository';

@Controller()
export class OwnSessions {
  constructor(private readonly sessions: Sessions) {}

  @Handles(listOwnSessions)
  async list(
    { caller }: ContextOf<typeof listOwnSessions>,
    input: ParsedOf<typeof listOwnSessions>,
  ): Promise<ResultOf<typeof listOwnSessions>> {
    const page = await this.sessions.ofUser(caller.id, input);
    const items = page.items.map(({ _id, createdAt, expiresAt, ip, userAgent }) => ({
      id: _id,
      created_at: createdAt.toISOString(),
      expires_at: expiresAt.toISOString(),
      ip,
      user_agent: userAgent,
    }));
    return { ...page, items };
  }

  @Handles(endOwnSession)
  async end({ caller }: ContextOf<typeof endOwnSession>, { id }: ParsedOf<typeof endOwnSession>): Promise<void> {
    if (!(await this.sessions.endOne(caller.id, id))) throw sessionErrors.notFound();
  }
}
