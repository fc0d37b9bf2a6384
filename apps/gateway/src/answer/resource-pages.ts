import { showPage } from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Whether a browser requests a page; programs accept anything, or JSON. */
export const wantsPage = ({ method, url, headers }: FastifyRequest): boolean =>
  (method === 'GET' || method === 'HEAD') && !url.startsWith('/api/') && /\btext\/html\b/.test(headers.accept ?? '');

/** The pages for addresses without one of their own. */
@Injectable()
export class ResourcePages {
  constructor(private readonly operations: OperationClient) {}

  /** @param refused status of a refused request */
  async show(request: FastifyRequest, reply: FastifyReply, refused?: number): Promise<void> {
    const { cookie, 'user-agent': userAgent = '' } = request.headers;
    const context = { requestId: request.id, client: { ip: request.ip, userAgent, cookie } };
    const { meta, body } = await this.operations.send(showPage, { path: request.url, refused }, context);
    await reply
      .code(meta.status ?? 200)
      .headers({ ...meta.headers, vary: 'Accept, Cookie, Origin' })
      .send(Buffer.from(body));
  }
}
