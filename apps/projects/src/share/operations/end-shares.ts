import { eachAlone, PeriodicJob } from '@moothall/background';
import { Injectable } from '@nestjs/common';
import { today } from '../../access/grants';
import { Shares } from '../share.repository';
import type { ShareDocument } from '../share.schema';
import { PublishSharing } from './publish-sharing';

/** Removes expired shares, as `EndMemberships` does memberships. */
@Injectable()
export class EndShares {
  constructor(
    private readonly shares: Shares,
    private readonly sharing: PublishSharing,
  ) {}

  @PeriodicJob('ends of shares', { everySeconds: 60 })
  async run(signal?: AbortSignal): Promise<void> {
    const end = async ({ _id, source }: ShareDocument) => {
      // Published first: after the deletion, a crash would lose the event.
      await this.sharing.publish(source);
      await this.shares.model.deleteOne({ _id });
    };
    await eachAlone(this.shares.findEnded(today()), end, signal);
  }
}
