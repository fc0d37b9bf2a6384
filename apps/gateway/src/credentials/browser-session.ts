import { BrowserUsers } from '@moothall/access';
import { BytesOutput, type Caller, type Operation } from '@moothall/contracts';
import { RecordsClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** Finds the user of a browser by the cookie of its session: only for files that pages show or send, such as pictures. */
@Injectable()
export class BrowserSession {
  constructor(
    private readonly browsers: BrowserUsers,
    private readonly records: RecordsClient,
  ) {}

  /** @returns undefined if nobody is signed in there, or the user must change the password first */
  async callerOf(request: FastifyRequest): Promise<Caller | undefined> {
    return (await this.identify(request))?.caller;
  }

  /** Whether a page in this browser has shown the form to a signed-in user. @param csrf of the form */
  async hasShown(csrf: string, request: FastifyRequest): Promise<boolean> {
    return (await this.identify(request, csrf))?.is_own_form === true;
  }

  private async identify({ id, ip, headers }: FastifyRequest, csrf?: string) {
    const { cookie, 'user-agent': userAgent = '' } = headers;
    // Sessions belong to the site with the accounts.
    if (!cookie || this.records.areElsewhere) return undefined;
    const context = { requestId: id, client: { ip, userAgent, cookie } };
    const { caller, is_own_form, is_password_due } = await this.browsers.identify(context, csrf);
    return caller && !is_password_due ? { caller, is_own_form } : undefined;
  }
}

/** Caches do not give the answer for one browser to another. */
export const byCookie = { 'cache-control': 'private, no-cache', vary: 'Cookie' };

/** Whether an operation sends a file at an address of pages: another site cannot read it, and it changes nothing. */
export const isFileOfPages = ({ isRead, output }: Operation, { url }: FastifyRequest): boolean =>
  isRead && output instanceof BytesOutput && !url.startsWith('/api/');
