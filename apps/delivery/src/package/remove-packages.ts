import { eachAlone, PeriodicJob } from '@moothall/background';
import { Outbox } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { Packages } from './package.repository';
import { PackageFiles } from './package-file.repository';

/** Longer than any upload. */
const givenUpAfterMs = 3_600_000;

/** Deletes packages, and leftovers of killed processes. */
@Injectable()
export class RemovePackages {
  constructor(
    private readonly packages: Packages,
    private readonly files: PackageFiles,
    private readonly outbox: Outbox,
  ) {}

  /** After the answer the package is hidden; the periodic job deletes the rest. @throws package.not_found */
  async remove(projectId: number, packageId: number): Promise<void> {
    await this.packages.beginRemoval(projectId, packageId);
    await this.outbox.promptly(this.end(packageId));
  }

  private async end(packageId: number, signal?: AbortSignal): Promise<void> {
    await this.files.removeOfPackage(packageId, signal);
    await this.packages.endRemoval(packageId);
  }

  @PeriodicJob('packages that are removed', { everySeconds: 60 })
  async run(signal?: AbortSignal): Promise<void> {
    await eachAlone(this.packages.beingRemoved(), ({ _id }) => this.end(_id, signal), signal);
    await this.files.removeOld(new Date(Date.now() - givenUpAfterMs), signal);
  }
}
