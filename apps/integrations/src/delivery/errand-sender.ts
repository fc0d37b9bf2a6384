import { OperationError } from '@moothall/contracts';
import { OutboundBlocked, OutboundPolicies, sendRequest } from '@moothall/outbound';
import { settingsToken } from '@moothall/service';
import { Inject, Injectable } from '@nestjs/common';
import type { IntegrationsSettings } from '../settings/settings';
import type { Errand, HttpErrand, OtherErrand } from './courier';
import type { Answer } from './delivery.schema';
import { isFromReceiver, type Verdict, verdictOf } from './verdict';

/** What came of an errand. */
export interface Outcome {
  verdict: Verdict;
  answer: Answer | null;
  /** For people; null when it was sent. */
  error: string | null;
  /** Whether somebody is there at all; null where it never came to asking. */
  isThere: boolean | null;
}

const keptBodyBytes = 8 * 1024;

/** Sends what couriers ask for. */
@Injectable()
export class ErrandSender {
  constructor(
    private readonly policies: OutboundPolicies,
    @Inject(settingsToken) private readonly settings: IntegrationsSettings,
  ) {}

  /** Never throws: a failure is an outcome. */
  async send(errand: Errand): Promise<Outcome> {
    try {
      return 'run' in errand ? await this.run(errand) : await this.request(errand);
    } catch (error) {
      // What the rules of this server forbid is forbidden the next time, too.
      const isBlocked = error instanceof OutboundBlocked;
      const text = isBlocked ? 'The address leads into the local network' : wordsOf(error);
      // Nor does it say anything of the receiver that a service of ours is away, as one that tells what a mail is about.
      const isOurs = isBlocked || error instanceof OperationError;
      return { verdict: isBlocked ? 'refused' : 'failed', answer: null, error: text, isThere: isOurs ? null : false };
    }
  }

  private async run({ run }: OtherErrand): Promise<Outcome> {
    await run(AbortSignal.timeout(this.settings.DELIVERY_TIMEOUT * 1000));
    return { verdict: 'sent', answer: null, error: null, isThere: true };
  }

  private async request({ policy, url, ...request }: HttpErrand): Promise<Outcome> {
    const { status, headers, body } = await sendRequest({
      ...request,
      url: new URL(url),
      policy: policy === 'system-hooks' ? await this.policies.ofSystemHooks() : await this.policies.ofServices(),
      timeoutMs: this.settings.DELIVERY_TIMEOUT * 1000,
      mostBytes: keptBodyBytes,
    });
    const verdict = verdictOf(status);
    const error = verdict === 'sent' ? null : `The receiver answered ${status}`;
    // Null bytes are no text; what is no UTF-8 shows as such.
    const answer = { status, headers, body: body.toString('utf8').replaceAll('\0', '\uFFFD') };
    return { verdict, answer, error, isThere: isFromReceiver(status) };
  }
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 500);

/** Who is sent to: circuit breakers are by this. */
export const targetOf = (errand: Errand): string => ('run' in errand ? errand.target : new URL(errand.url).origin);
