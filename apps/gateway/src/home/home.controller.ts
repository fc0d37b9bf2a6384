import { commonErrors } from '@moothall/contracts';
import { KnownSettings } from '@moothall/messaging';
import { Controller, Get, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ResourcePages, wantsPage } from '../answer/resource-pages';

/** The session cookie of identity's pages: the browser has been here before. */
const visitor = /(?:^|;\s*)_moothall_session=/;

/** The start page; the instance may configure another URL. */
@Controller()
export class HomeController {
  constructor(
    private readonly settings: KnownSettings,
    private readonly pages: ResourcePages,
  ) {}

  /** @throws common.no_route for programs, which have no such page */
  @Get('/')
  async home(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const isKnown = visitor.test(request.headers.cookie ?? '');
    const { home_page_url: url } = await this.settings.read();
    if (url !== '' && !isKnown) {
      reply.header('cache-control', 'no-store').redirect(url, 302);
      return;
    }
    if (!wantsPage(request)) throw commonErrors.noRoute();
    await this.pages.show(request, reply);
  }
}
