import { eachAlone, Sweeps } from '@moothall/background';
import { Injectable } from '@nestjs/common';
import { today } from '../../access/grants';
import { AnnounceSharing } from '../../share/operations/announce-sharing';
import { Shares } from '../../share/share.repository';
import type { ShareDocument } from '../../share/share.schema';
import { Members } from '../member.repository';
import type { MemberDocument } from '../member.schema';

/**
 * Removes memberships and shares whose day has come. They have counted for nothing since that day began; this tells
 * the caches, and clears the lists. Safe to run twice.
 */
@Injectable()
export class EndMemberships {
  constructor(
    private readonly members: Members,
    private readonly shares: Shares,
    private readonly announce: AnnounceSharing,
  ) {}

  @Sweeps('ends of memberships', { everySeconds: 60 })
  async run(signal?: AbortSignal): Promise<void> {
    const over = { expiresAt: { $lte: today(), $type: 'string' } } as const;
    const ended = this.members.model.find(over).lean<MemberDocument>().cursor();
    await eachAlone(ended, (member) => this.members.end(member), signal);
  }

  @Sweeps('ends of shares', { everySeconds: 60 })
  async endShares(signal?: AbortSignal): Promise<void> {
    const end = async ({ _id, source }: ShareDocument) => {
      // Told first: once it is gone, nobody would tell of it after a stop.
      await this.announce.of(source);
      await this.shares.model.deleteOne({ _id });
    };
    await eachAlone(this.shares.over(today()), end, signal);
  }
}
