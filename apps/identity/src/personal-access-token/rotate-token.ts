import {
  type ContextOf,
  type ParsedOf,
  type ResultOf,
  rotateOwnToken,
  rotateToken,
  tokenErrors,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { futureExpiryOf, viewIssued } from './create-token';
import { ownTokenId, visibleTo } from './token.operations';
import { AccessTokens } from './token.repository';
import type { AccessToken } from './token.schema';
import { isActive } from './token.view';

const defaultLifetimeDays = 7;

@Controller()
export class RotateToken {
  constructor(private readonly tokens: AccessTokens) {}

  @Handles(rotateToken)
  async handle(
    { caller }: ContextOf<typeof rotateToken>,
    { id, expires_at }: ParsedOf<typeof rotateToken>,
  ): Promise<ResultOf<typeof rotateToken>> {
    return this.rotate(await this.tokens.get({ _id: id, ...visibleTo(caller) }), expires_at);
  }

  @Handles(rotateOwnToken)
  async self(
    { caller }: ContextOf<typeof rotateOwnToken>,
    { expires_at }: ParsedOf<typeof rotateOwnToken>,
  ): Promise<ResultOf<typeof rotateOwnToken>> {
    return this.rotate(await this.tokens.get({ _id: ownTokenId(caller) }), expires_at);
  }

  private async rotate(old: AccessToken, day: string | null | undefined) {
    if (!isActive(old)) throw tokenErrors.notFound();
    const { kind, userId, projectId, accessLevel, name, description, scopes } = old;
    const expiresAt = futureExpiryOf(day ?? dayFromNow(defaultLifetimeDays));
    // The old one goes first: a crash in between leaves no token rather than two.
    await this.tokens.revoke(old);
    const issued = await this.tokens.issue({
      kind,
      userId,
      name,
      description,
      scopes,
      expiresAt,
      projectId: projectId ?? undefined,
      accessLevel: accessLevel ?? undefined,
    });
    return viewIssued(issued);
  }
}

const dayFromNow = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
