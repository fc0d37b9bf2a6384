import { commonErrors } from '@moothall/contracts';
import { Orderer } from '@moothall/processes';
import { Controller, HttpCode, Logger, Post, Req, UseGuards } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { CredentialGuard } from '../credentials/credential.guard';

/** For servers that live as long as somebody's tests: see docs/testing-with-moothall.md. */
@Controller('/-')
@UseGuards(CredentialGuard)
export class ResetController {
  private readonly log = new Logger('reset');
  private readonly supervisor = new Orderer<'reset'>(process);

  /**
   * Everything is again as it was when the server was ready.
   * @throws common.unauthorized, common.forbidden for callers who are no administrators; common.unavailable if something that
   *   was under way did not end in time: nothing was set back then
   */
  @Post('reset')
  @HttpCode(204)
  async reset(@Req() { caller }: FastifyRequest): Promise<void> {
    if (!caller) throw commonErrors.unauthorized();
    if (!caller.isAdmin || !caller.scopes.includes('api')) throw commonErrors.forbidden();
    try {
      await this.supervisor.give('reset');
    } catch (error) {
      this.log.warn(`the reset failed: ${error}`);
      throw commonErrors.unavailable();
    }
  }
}
