import { eachAlone, PeriodicJob } from '@moothall/background';
import { Jobs, jobQueue, WorksOn } from '@moothall/jobs';
import { settingsToken } from '@moothall/service';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { repositoryKinds } from '../git/storage/storage';
import { Repositories } from '../record/repository.repository';
import type { RepositorySettings } from '../settings/settings';
import { Storages } from '../storage/storages';

/** Project whose code and wiki it is for. */
interface MaintenanceJob {
  projectId: number;
  storage: string;
}

/** One at a time, because it uses the full speed of the disk. */
const maintenance = jobQueue<MaintenanceJob>({ name: 'repository.maintenance', attempts: 3, perStorage: true });
const checks = jobQueue<MaintenanceJob>({ name: 'repository.project-check', attempts: 1, perStorage: true });

const checkedAtOnce = 50;
const checkAgainAfterMs = 7 * 24 * 3_600_000;

/** Maintains repositories after pushes, and checks each of them once a week. */
@Injectable()
export class MaintainRepositories {
  private readonly log = new Logger(MaintainRepositories.name);

  constructor(
    private readonly repositories: Repositories,
    private readonly storages: Storages,
    private readonly jobs: Jobs,
    @Inject(settingsToken) private readonly settings: RepositorySettings,
  ) {}

  /** Starts maintenance after a number of pushes, or after pushes with many objects. */
  async countPush({ projectId, storage }: MaintenanceJob): Promise<void> {
    const pushes = await this.repositories.countPush(projectId);
    const { engine, path } = this.storages.locate({ id: projectId, storage });
    if (pushes < this.settings.MAINTENANCE_PUSHES && !(await engine.maintenance.isDue(path))) return;
    await this.start({ projectId, storage });
  }

  async start({ projectId, storage }: MaintenanceJob): Promise<void> {
    await this.jobs.add(maintenance, { projectId, storage }, { id: `maintain-${projectId}`, storage });
  }

  @WorksOn(maintenance)
  async maintain({ projectId, storage }: MaintenanceJob): Promise<void> {
    for (const kind of repositoryKinds) {
      const { engine, path } = this.storages.locate({ id: projectId, storage }, kind);
      if (await engine.storage.exists(path)) await engine.maintenance.run(path);
    }
    await this.repositories.markMaintained(projectId);
  }

  /** Repositories whose check is due; a check may crash git, so it runs in a job. */
  @PeriodicJob('repositories to check', { everySeconds: 3600, byEach: true })
  async queueChecks(signal?: AbortSignal): Promise<void> {
    const since = new Date(Date.now() - checkAgainAfterMs);
    for (const storage of this.storages.names) {
      const due = await this.repositories.uncheckedSince(storage, since, checkedAtOnce);
      await eachAlone(due, ({ _id }) => this.wantCheck({ projectId: _id, storage }), signal);
    }
  }

  /** Also on request of an administrator. */
  wantCheck({ projectId, storage }: MaintenanceJob): Promise<void> {
    return this.jobs.add(checks, { projectId, storage }, { id: `check-${projectId}`, storage });
  }

  @WorksOn(checks)
  async check({ projectId, storage }: MaintenanceJob): Promise<void> {
    const damage: string[] = [];
    for (const kind of repositoryKinds) {
      const { engine, path } = this.storages.locate({ id: projectId, storage }, kind);
      if (!(await engine.storage.exists(path))) continue;
      const { findings } = await engine.maintenance.check(path);
      damage.push(...findings.map((finding) => `${kind}: ${finding}`));
    }
    await this.repositories.markChecked(projectId, damage);
    if (damage.length > 0) this.log.error(`the repository of project ${projectId} is damaged: ${damage.join('; ')}`);
  }
}
