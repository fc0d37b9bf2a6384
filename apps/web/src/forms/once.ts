import { setTimeout as wait } from 'node:timers/promises';
import { redis } from '@moothall/access';
import { commonErrors, isPassing, OperationError } from '@moothall/contracts';
import { SecretBox, sha256 } from '@moothall/secrets';
import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Redis } from 'ioredis';

const keptSeconds = 3600;
const lookMs = 100;
const usualWaitMs = 30_000;

const open = 'open';
const unknown = 'unknown';

/** A form was taken before, and nobody knows with which result. */
export const resultUnknown = (): OperationError =>
  commonErrors.conflict(
    'The server does not know whether it took this form. Look for the result, and send the form again if there is none.',
  );

/**
 * Takes each form once, also if it is sent twice, or to two replicas: the second one gets the result of the first. The
 * results are in Redis. Some contain a new access token, so the sent form is the key that decrypts them.
 */
@Injectable()
export class Once {
  private readonly log = new Logger(Once.name);

  constructor(@Inject(redis) private readonly store: Redis) {}

  /**
   * @param identity of the sent form: its sender, its address, all its fields
   * @param work is called at most once in an hour, unless it is refused; its result is a JSON value
   * @param mostWaitMs for the result of the first one
   * @throws what `work` throws; {@link resultUnknown} if the process that took the form died
   */
  async take<T>(identity: unknown, work: () => Promise<T>, mostWaitMs = usualWaitMs): Promise<T> {
    const text = JSON.stringify(identity);
    const [key, box] = [`form:${sha256(text)}`, new SecretBox(text)];
    const until = Date.now() + mostWaitMs;
    while (Date.now() < until) {
      if (await this.claim(key)) return this.work(key, box, work);
      const result = await this.store.get(key);
      if (result === unknown) throw resultUnknown();
      if (result !== open && result !== null) return JSON.parse(box.open(result));
      await wait(lookMs);
    }
    throw resultUnknown();
  }

  /** Whether the form is ours to take: nobody has taken it. */
  private async claim(key: string): Promise<boolean> {
    return (await this.store.set(key, open, 'EX', keptSeconds, 'NX')) === 'OK';
  }

  private async work<T>(key: string, box: SecretBox, work: () => Promise<T>): Promise<T> {
    try {
      const result = await work();
      await this.keep(() => this.store.set(key, box.seal(JSON.stringify(result)), 'EX', keptSeconds));
      return result;
    } catch (error) {
      const isRefused = error instanceof OperationError && !isPassing(error);
      await this.keep(() => (isRefused ? this.store.del(key) : this.store.set(key, unknown, 'EX', keptSeconds)));
      throw error;
    }
  }

  /** Without Redis the form has its result all the same; only a second one would wait for it. */
  private async keep(change: () => Promise<unknown>): Promise<void> {
    await change().catch((error: Error) => this.log.warn(`The result of a form was not stored: ${error.message}`));
  }
}
