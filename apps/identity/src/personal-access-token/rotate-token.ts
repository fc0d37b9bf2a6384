import { type ContextOf, type ParsedOf, type ResultOf, rotateOwnToken, rotateToken } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { futureExpiryOf, viewIssued } from './create-token';
import { ownTokenId, visibleTo } from './token.operations';
import { AccessTokens } from './token.repository';

const defaultLifetimeDays = 7;

/** Expiry of a rotated token: the requested day, or in a week. */
export const rotatedExpiryOf = (day: string | null | undefined): Date | null =>
  futureExpiryOf(day ?? new Date(Date.now() + defaultLifetimeDays * 86_400_000).toISOString().slice(0, 10));

@Controller()
export class RotateToken {
  constructor(private readonly tokens: AccessTokens) {}

  @Handles(rotateToken)
  async handle(
    { caller }: ContextOf<typeof rotateToken>,
    { id, expires_at }: ParsedOf<typeof rotateToken>,
  ): Promise<ResultOf<typeof rotateToken>> {
    const token = await this.tokens.get({ _id: id, ...visibleTo(caller) });
    return viewIssued(await this.tokens.rotate(token, rotatedExpiryOf(expires_at)));
  }

  @Handles(rotateOwnToken)
  async self(
    { caller }: ContextOf<typeof rotateOwnToken>,
    { expires_at }: ParsedOf<typeof rotateOwnToken>,
  ): Promise<ResultOf<typeof rotateOwnToken>> {
    const token = await this.tokens.get({ _id: ownTokenId(caller) });
    return viewIssued(await this.tokens.rotate(token, rotatedExpiryOf(expires_at)));
  }
}
