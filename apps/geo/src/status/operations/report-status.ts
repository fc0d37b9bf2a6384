import { PeriodicJob } from '@moothall/background';
import { settingsToken } from '@moothall/service';
import { Inject, Injectable } from '@nestjs/common';
import { GeoNodes } from '../../node/node.repository';
import { PrimarySite } from '../../replication/primary-site';
import type { GeoSettings } from '../../settings/settings';
import { SecondaryStatus } from '../secondary-status';

/** Reports the status of this secondary to the primary. A failed report is repeated with the next one. */
@Injectable()
export class ReportStatus {
  private readonly everyMs: number;
  private reportedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly status: SecondaryStatus,
    private readonly primary: PrimarySite,
    private readonly nodes: GeoNodes,
    @Inject(settingsToken) { GEO_STATUS_INTERVAL }: GeoSettings,
  ) {
    this.everyMs = GEO_STATUS_INTERVAL * 1000;
  }

  @PeriodicJob('how this site is', {
    everySeconds: (reporting: ReportStatus) => reporting.primary.looksEverySeconds,
    where: (reporting: ReportStatus) => reporting.primary.knowsUs,
  })
  async report(): Promise<void> {
    if (performance.now() - this.reportedAt < this.everyMs || !(await this.nodes.findCurrent())) return;
    this.reportedAt = performance.now();
    const { health, version, revision, counters } = await this.status.read();
    await this.primary.report({
      health,
      ...(version !== null && { version }),
      ...(revision !== null && { revision }),
      ...counters,
    });
  }
}
