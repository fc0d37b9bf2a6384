import { commonErrors } from '@moothall/contracts';
import { Controller, Get, Header, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { policy } from './pages';
import { ReferenceFiles } from './reference-files';

/** The API reference: the OpenAPI document, a page with all operations, and one page for each area. */
@Controller()
export class ReferenceController {
  private readonly files = new ReferenceFiles();

  @Get('/api/v4/openapi.json')
  openApi(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.files.send('openapi.json', request, reply);
  }

  @Get('/-/reference')
  @Header('content-security-policy', policy)
  index(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.files.send('index.html', request, reply);
  }

  /** @param name of an area, for example `merge-requests`, or of an asset of the pages */
  @Get('/-/reference/:name')
  @Header('content-security-policy', policy)
  async file(@Param('name') name: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const isArea = await this.files.has(`${name}.json`);
    if (!isArea && !(await this.files.has(name))) throw commonErrors.noRoute();
    await this.files.send(isArea ? 'area.html' : name, request, reply);
  }
}
