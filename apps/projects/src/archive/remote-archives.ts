import { Readable } from 'node:stream';
import { projectArchiveLimit } from '@moothall/contracts';
import { mayReach, type OutboundPolicy, streamRequest } from '@moothall/outbound';
import { Injectable } from '@nestjs/common';
import { InstanceSettings } from '../instance/application-settings/instance-settings';

/** A transfer is aborted if the other server neither sends nor accepts data for so long. */
const idleMs = 60_000;
/** Time limit of a whole transfer. */
const withinMs = 6 * 3_600_000;

/** Uploads archives to other servers and downloads them, within the instance's rules for outgoing requests. */
@Injectable()
export class RemoteArchives {
  constructor(private readonly instance: InstanceSettings) {}

  /** Whether it is an allowed http or https URL, as far as can be checked in advance. */
  async mayReach(text: string): Promise<boolean> {
    const url = URL.parse(text);
    if (!url || !['http:', 'https:'].includes(url.protocol)) return false;
    return mayReach(await this.policy(), url);
  }

  /** @throws Error with a message for the user */
  async send(to: { url: string; method: string }, stream: Readable, sizeBytes: number): Promise<void> {
    const headers = { 'content-type': 'application/gzip' };
    const wanted = { ...(await this.requestOf(to.url)), method: to.method, headers, content: { stream, sizeBytes } };
    await streamRequest(wanted, async (answer) => {
      answer.resume();
      const status = answer.statusCode ?? 0;
      if (status < 200 || status > 299) throw new Error(`The archive could not be sent: the server answered ${status}`);
    });
  }

  /**
   * @param keep consumes the bytes as they arrive
   * @throws project_export.archive_refused above the import limit; Error with a message for the user
   */
  async fetch(url: string, keep: (bytes: Readable) => Promise<unknown>): Promise<void> {
    const limit = await this.instance.limit(projectArchiveLimit);
    await streamRequest({ ...(await this.requestOf(url)), method: 'GET', headers: {} }, async (answer) => {
      if (answer.statusCode !== 200)
        throw new Error(`The archive could not be fetched: the server answered ${answer.statusCode}`);
      await keep(Readable.from(bounded(answer), { objectMode: false }));
    });
    async function* bounded(bytes: AsyncIterable<Buffer>) {
      let seen = 0;
      for await (const chunk of bytes) {
        seen += chunk.length;
        if (seen > limit.bytes) throw limit.tooLarge(limit.bytes);
        yield chunk;
      }
    }
  }

  private async requestOf(text: string) {
    const signal = AbortSignal.timeout(withinMs);
    return { url: new URL(text), body: '', verifiesTls: true, policy: await this.policy(), idleMs, signal };
  }

  private async policy(): Promise<OutboundPolicy> {
    const settings = await this.instance.read();
    return {
      allowsLocal: settings.allow_local_requests_from_web_hooks_and_services,
      allowed: settings.outbound_local_requests_whitelist,
    };
  }
}
