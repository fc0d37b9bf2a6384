import { showResourcePage } from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Whether somebody with a browser asks for a page; programs take anything, or JSON. */
export const wantsPage = ({ method, url, headers }: FastifyRequest): boolean =>
  (method === 'GET' || method === 'HEAD') && !url.startsWith('/api/') && /\btext\/html\b/.test(headers.accept ?? '');

/** The pages that stand wherever there is no other. */
@Injectable()
export class ResourcePages {
  constructor(private readonly operations: OperationClient) {}

  /** @param refused status of an address that was asked for as it cannot be */
  async show(request: FastifyRequest, reply: FastifyReply, refused?: number): Promise<void> {
    const { cookie, 'user-agent': userAgent = '' } = request.headers;
    const context = { requestId: request.id, client: { ip: request.ip, userAgent, cookie } };
    const { meta, body } = await this.operations.send(showResourcePage, { path: request.url, refused }, context);
    await reply
      .code(meta.status ?? 200)
      .headers({ ...meta.headers, vary: 'Accept, Cookie, Origin' })
      .send(Buffer.from(body));
  }
}
