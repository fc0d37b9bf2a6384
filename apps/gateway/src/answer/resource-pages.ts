import { openFile, showPage, takeForm } from '@moothall/contracts';
import { type DecodedReply, OperationClient } from '@moothall/messaging';
import { type Refusal, refusalPage } from '@moothall/pages';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type GatewaySettings, gatewaySettingsToken } from '../settings/settings';
import { streamPresigned } from './presigned-stream';
import { sendPage } from './send-body';

const isRead = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD';

/** Whether a browser requests a page; programs accept anything, or JSON. */
export const wantsPage = (request: FastifyRequest): boolean =>
  isRead(request) && !request.url.startsWith('/api/') && /\btext\/html\b/.test(request.headers.accept ?? '');

/** What follows `/-/` in the addresses of files. */
const fileAddresses = [
  /^(?:raw|archive)\//,
  /^commit\/[^/?]+\.(?:patch|diff)(?:\?|$)/,
  /^merge_requests\/\d+\.(?:patch|diff)(?:\?|$)/,
  /^jobs\/\d+\/raw(?:\?|$)/,
  /^jobs\/\d+\/artifacts\/(?:download(?:\?|$)|(?:raw|file)\/)/,
  /^snippets\/\d+\/raw(?:[/?]|$)/,
  /^wikis\/uploads\/[\da-f]{32}\//,
  /^releases\/[^?]+\/evidences\/\d+\.json(?:\?|$)/,
  /^packages\/\d+\/files\//,
];

/** Whether an address is that of a file, which browsers and programs get alike. */
export function wantsFile(request: FastifyRequest): boolean {
  const [path = ''] = request.url.split('/-/', 1);
  const below = request.url.slice(path.length + '/-/'.length);
  return isRead(request) && !path.includes('?') && fileAddresses.some((address) => address.test(below));
}

/** Whether a browser sends a form of a page. */
export const sendsForm = ({ method, url, headers }: FastifyRequest): boolean =>
  method === 'POST' &&
  !url.startsWith('/api/') &&
  /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/.test(headers['content-type'] ?? '') &&
  /\btext\/html\b/.test(headers.accept ?? '');

/** Whether web explains a refusal, in its usual layout: invalid addresses, and forms that are too large. */
const isShownByWeb = (request: FastifyRequest, status: number): boolean =>
  status === 413 ? sendsForm(request) : [400, 404, 405, 406].includes(status) && wantsPage(request);

/** The pages for addresses without one of their own. */
@Injectable()
export class ResourcePages {
  constructor(
    private readonly operations: OperationClient,
    @Inject(gatewaySettingsToken) private readonly settings: GatewaySettings,
  ) {}

  /** @param refused status of a refused request */
  async show(request: FastifyRequest, reply: FastifyReply, refused?: number): Promise<void> {
    const limit_bytes = refused === 413 ? this.settings.MAX_BODY : undefined;
    const answer = await this.operations.send(
      showPage,
      { path: request.url, refused, limit_bytes },
      contextOf(request),
    );
    await sendResourcePage(answer, reply);
  }

  /** Shows why a request was refused, whatever service is down. */
  async refuse(request: FastifyRequest, reply: FastifyReply, refusal: Omit<Refusal, 'isForm'>): Promise<void> {
    const { status } = refusal;
    const showHere = () => {
      const { body, options } = refusalPage({ ...refusal, isForm: sendsForm(request) });
      return sendResourcePage({ meta: options, body: Buffer.from(body) }, reply);
    };
    await (isShownByWeb(request, status) ? this.show(request, reply, status).catch(showHere) : showHere());
  }

  async takeForm(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { upload, formFiles: files } = request;
    const fields = (request.body ?? {}) as Record<string, unknown>;
    const take = async () => {
      const answer = await this.operations.send(takeForm, { path: request.url, fields, files }, contextOf(request));
      await sendResourcePage(answer, reply);
    };
    await (upload ? upload.use(take) : take());
  }

  async sendFile(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const file = await this.operations.call(openFile, { path: request.url }, contextOf(request));
    const headers = { 'cache-control': 'no-store', vary: 'Cookie, Origin' };
    await streamPresigned(file, request, reply, { headers });
  }
}

async function sendResourcePage(answer: DecodedReply, reply: FastifyReply): Promise<void> {
  reply.code(answer.meta.status ?? 200).headers({ ...answer.meta.headers, vary: 'Accept, Cookie, Origin' });
  await sendPage(answer, reply);
}

function contextOf({ id, ip, headers: { cookie, 'user-agent': userAgent = '' } }: FastifyRequest) {
  return { requestId: id, client: { ip, userAgent, cookie } };
}
