import { commonErrors } from '@moothall/contracts';
import { Orderer } from '@moothall/processes';
import { Controller, HttpCode, Logger, Post, Req, UseGuards } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { CredentialGuard } from '../credentials/credential.guard';

/** For servers that run for tests: see docs/testing-with-moothall.md. */
@Controller('/-')
@UseGuards(CredentialGuard)
export class ResetController {
  private readonly log = new Logger('reset');
  private readonly supervisor = new Orderer<'reset'>(process);

  /**
   * Restores the state in which the server became ready.
   * @throws common.unauthorized, common.forbidden for callers other than administrators; common.unavailable if running
   * work did not end in time: then nothing was restored
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
