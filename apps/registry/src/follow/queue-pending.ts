import { eachAlone, PeriodicJob } from '@moothall/background';
import { settingsToken } from '@moothall/service';
import { Inject, Injectable } from '@nestjs/common';
import { RunBulkDeletion } from '../bulk-deletion/run-bulk-deletion';
import { RemoveRepository } from '../removal/remove-repository';
import { ContainerRepositories } from '../repository/container-repository.repository';
import type { RegistrySettings } from '../settings/settings';

/** Queues pending deletions again, after an outage of the registry or a loss of queues in Redis. */
@Injectable()
export class QueuePending {
  constructor(
    private readonly repositories: ContainerRepositories,
    private readonly deletions: RunBulkDeletion,
    private readonly removal: RemoveRepository,
    @Inject(settingsToken) private readonly settings: RegistrySettings,
  ) {}

  @PeriodicJob('deletions in the registry', { everySeconds: 10 })
  async runAll(signal?: AbortSignal): Promise<void> {
    if (!this.settings.REGISTRY_URL) return;
    await eachAlone(
      this.repositories.pending(),
      ({ _id, status }) => (status === 'delete_scheduled' ? this.removal.queue(_id) : this.deletions.queue(_id)),
      signal,
    );
  }
}
