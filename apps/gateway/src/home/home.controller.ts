import { commonErrors } from '@moothall/contracts';
import { KnownSettings } from '@moothall/messaging';
import { Controller, Get, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Set by the pages of identity, signed in or not: who has it knows the way. */
const visitor = /(?:^|;\s*)_moothall_session=/;

/** The start page, of which an instance may have one elsewhere. */
@Controller()
export class HomeController {
  constructor(private readonly settings: KnownSettings) {}

  /** @throws common.no_route */
  @Get('/')
  async home(@Req() { headers }: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const isKnown = visitor.test(headers.cookie ?? '');
    const { home_page_url: url } = await this.settings.read();
    if (url === '' || isKnown) throw commonErrors.noRoute();
    reply.header('cache-control', 'no-store').redirect(url, 302);
  }
}
