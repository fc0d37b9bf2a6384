import { eachAlone, PeriodicJob } from '@moothall/background';
import { Outbox } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { Packages } from './package.repository';
import { PackageFiles } from './package-file.repository';

/** Longer than any file may be on its way. */
const givenUpAfterMs = 3_600_000;

/** Removes packages, and what killed processes have left of them and of files. */
@Injectable()
export class RemovePackages {
  constructor(
    private readonly packages: Packages,
    private readonly files: PackageFiles,
    private readonly outbox: Outbox,
  ) {}

  /** From the answer on nobody finds it; what is not removed by then is removed by the periodic job. @throws package.not_found */
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
