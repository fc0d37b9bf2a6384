import { OperationError } from '@moothall/contracts';
import { OutboundBlocked, OutboundPolicies, sendRequest } from '@moothall/outbound';
import { settingsToken } from '@moothall/service';
import { Inject, Injectable } from '@nestjs/common';
import type { IntegrationsSettings } from '../settings/settings';
import type { Answer } from './delivery.schema';
import type { CustomTask, DeliveryTask, HttpTask } from './delivery-handler';
import { isFromReceiver, type Verdict, verdictOf } from './verdict';

/** The result of an attempt. */
export interface Outcome {
  verdict: Verdict;
  answer: Answer | null;
  /** For people; null if it was sent. */
  error: string | null;
  /** Whether the server answers at all; null if no request was sent. */
  isThere: boolean | null;
}

const keptBodyBytes = 8 * 1024;

/** Sends the requests that delivery handlers build. */
@Injectable()
export class TaskSender {
  constructor(
    private readonly policies: OutboundPolicies,
    @Inject(settingsToken) private readonly settings: IntegrationsSettings,
  ) {}

  /** Never throws: a failure is a result. */
  async send(task: DeliveryTask): Promise<Outcome> {
    try {
      return 'run' in task ? await this.run(task) : await this.request(task);
    } catch (error) {
      // A retry would break the same outbound rule.
      const isBlocked = error instanceof OutboundBlocked;
      const text = isBlocked ? 'The address leads into the local network' : wordsOf(error);
      // Nor is the receiver at fault if another service of this server, which a mail needs, is unreachable.
      const isOurs = isBlocked || error instanceof OperationError;
      return { verdict: isBlocked ? 'refused' : 'failed', answer: null, error: text, isThere: isOurs ? null : false };
    }
  }

  private async run({ run }: CustomTask): Promise<Outcome> {
    await run(AbortSignal.timeout(this.settings.DELIVERY_TIMEOUT * 1000));
    return { verdict: 'sent', answer: null, error: null, isThere: true };
  }

  private async request({ policy, url, ...request }: HttpTask): Promise<Outcome> {
    const { status, headers, body } = await sendRequest({
      ...request,
      url: new URL(url),
      policy: policy === 'system-hooks' ? await this.policies.ofSystemHooks() : await this.policies.ofServices(),
      timeoutMs: this.settings.DELIVERY_TIMEOUT * 1000,
      mostBytes: keptBodyBytes,
    });
    const verdict = verdictOf(status);
    const error = verdict === 'sent' ? null : `The receiver answered ${status}`;
    // Null bytes are not valid in texts, and invalid UTF-8 becomes U+FFFD.
    const answer = { status, headers, body: body.toString('utf8').replaceAll('\0', '\uFFFD') };
    return { verdict, answer, error, isThere: isFromReceiver(status) };
  }
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 500);

/** The receiving server, which names the circuit breaker. */
export const targetOf = (task: DeliveryTask): string => ('run' in task ? task.target : new URL(task.url).origin);
