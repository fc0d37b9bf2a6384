import { PeriodicJob } from '@moothall/background';
import { Injectable } from '@nestjs/common';
import { PrimarySite } from '../primary-site';
import { ReplicaCounts } from '../replica-counts';

/** Updates the stored counts of copies. See docs/api/geo.md#3. */
@Injectable()
export class CountReplicas {
  constructor(
    private readonly primary: PrimarySite,
    private readonly counts: ReplicaCounts,
  ) {}

  @PeriodicJob('counts of copies', {
    everySeconds: (counting: CountReplicas) => counting.primary.looksEverySeconds,
    where: (counting: CountReplicas) => counting.primary.isKnown,
  })
  async count(): Promise<void> {
    await this.counts.refresh();
  }
}
