import { randomUUID } from 'node:crypto';
import { eachAlone, PeriodicJob } from '@moothall/background';
import {
  type ContainerExpirationPolicy,
  dueCleanupPolicies,
  OperationError,
  type OutputOf,
  passCleanupPolicy,
} from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { settingsToken } from '@moothall/service';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { RunBulkDeletion } from '../bulk-deletion/run-bulk-deletion';
import { type GivenRules, readDeletionRules } from '../deletion-plan/deletion-rules';
import { ContainerRepositories } from '../repository/container-repository.repository';
import type { RegistrySettings } from '../settings/settings';

type Turn = OutputOf<typeof dueCleanupPolicies>[number];

/** Limit of one periodic job. */
const limit = 100;

/** Starts the deletions of due cleanup policies, with the engine of requested bulk deletions. */
@Injectable()
export class RunCleanupPolicies {
  private readonly log = new Logger(RunCleanupPolicies.name);

  constructor(
    private readonly client: OperationClient,
    private readonly repositories: ContainerRepositories,
    private readonly deletions: RunBulkDeletion,
    @Inject(settingsToken) private readonly settings: RegistrySettings,
  ) {}

  @PeriodicJob('cleanup policies of images', { everySeconds: 30 })
  async runAll(signal?: AbortSignal): Promise<void> {
    if (!this.settings.REGISTRY_URL) return;
    await eachAlone(await this.client.call(dueCleanupPolicies, { limit }), (turn) => this.take(turn), signal);
  }

  /** After a kill at any line, it continues with the repositories that it had not started. */
  private async take({ project_id, run_at, policy }: Turn): Promise<void> {
    const rules = this.rulesOf(project_id, policy);
    // The policy stays due until running deletions are done.
    if (rules && !(await this.begin(project_id, new Date(run_at), rules))) return;
    await this.client.call(passCleanupPolicy, { project_id, run_at });
  }

  /** @returns false if another deletion is running */
  private async begin(projectId: number, runAt: Date, rules: GivenRules): Promise<boolean> {
    let isBusy = false;
    for (const { _id } of await this.repositories.uncleaned(projectId, runAt)) {
      const deletion = { id: randomUUID(), rules, requestedAt: new Date(), planId: null };
      if (await this.repositories.beginCleanup(_id, deletion, runAt)) await this.deletions.queue(_id);
      else isBusy = true;
    }
    return !isBusy;
  }

  /** @returns undefined for patterns that were stored before validation existed */
  private rulesOf(projectId: number, policy: ContainerExpirationPolicy): GivenRules | undefined {
    const { name_regex, name_regex_keep, keep_n, older_than } = policy;
    const rules: GivenRules = {
      name_regex_delete: name_regex ?? '',
      name_regex_keep: name_regex_keep ?? '',
      ...(keep_n !== null && { keep_n }),
      ...(older_than !== null && { older_than }),
    };
    try {
      readDeletionRules(rules);
      return rules;
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      this.log.warn(`the cleanup policy of project ${projectId} is skipped: ${error.message}`);
      return undefined;
    }
  }
}
