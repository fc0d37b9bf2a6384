import { eachAlone, PeriodicJob } from '@moothall/background';
import { Injectable } from '@nestjs/common';
import { today } from '../../access/grants';
import { Members } from '../member.repository';
import type { MemberDocument } from '../member.schema';

/**
 * Removes expired memberships. They have had no effect since their last day; removing them invalidates caches and
 * shortens lists. Idempotent.
 */
@Injectable()
export class EndMemberships {
  constructor(private readonly members: Members) {}

  @PeriodicJob('ends of memberships', { everySeconds: 60 })
  async run(signal?: AbortSignal): Promise<void> {
    const over = { expiresAt: { $lte: today(), $type: 'string' } } as const;
    const ended = this.members.model.find(over).lean<MemberDocument>().cursor();
    await eachAlone(ended, (member) => this.members.end(member), signal);
  }
}
