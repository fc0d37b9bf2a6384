import { commonErrors } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';

/**
 * Limits the total size of all parameter bodies in progress. A caller may use up to what is free, which leaves room for
 * others: the first takes half, the next half of the rest. Source: Choudhury and Hahne, Dynamic queue length thresholds
 * (1998).
 */
@Injectable()
export class BodyBudget {
  private used = 0;
  private readonly held = new Map<string, number>();

  constructor(private readonly bytes: number) {}

  /** @throws common.too_many_requests */
  take(caller: string, bytes: number): void {
    const held = (this.held.get(caller) ?? 0) + bytes;
    if (held > this.bytes - this.used) throw commonErrors.tooManyRequests();
    this.held.set(caller, held);
    this.used += bytes;
  }

  giveBack(caller: string, bytes: number): void {
    const held = (this.held.get(caller) ?? 0) - bytes;
    this.used -= bytes;
    if (held > 0) this.held.set(caller, held);
    else this.held.delete(caller);
  }
}
