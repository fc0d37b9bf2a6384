import { expiresAfter } from '@moothall/background';
import {
  type Caller,
  defaultProjectSettings,
  getProject,
  onlyGiven,
  type ProjectRef,
  type ProjectSettings,
  projectChanged,
  projectDeleted,
} from '@moothall/contracts';
import { listen, natsConnection, OperationClient } from '@moothall/messaging';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { NatsConnection } from 'nats';

const keptProjects = 1000;
/** Bounds the effect of a lost event. */
const keptForMs = 60_000;

/** Merge settings of a project. */
export type MergeSettings = Pick<
  ProjectSettings,
  | 'merge_method'
  | 'only_allow_merge_if_pipeline_succeeds'
  | 'only_allow_merge_if_all_discussions_are_resolved'
  | 'only_allow_merge_if_all_status_checks_passed'
  | 'allow_merge_on_skipped_pipeline'
  | 'autoclose_referenced_issues'
  | 'suggestion_commit_message'
>;

/** Reads merge settings from the projects service as the user who merges or reads. */
@Injectable()
export class MergeSettingsReader implements OnApplicationShutdown {
  private readonly kept = new LRUCache<number, Promise<MergeSettings>>({
    max: keptProjects,
    ...expiresAfter(keptForMs),
  });
  private readonly stopListening: () => void;

  constructor(
    private readonly client: OperationClient,
    @Inject(natsConnection) connection: NatsConnection,
  ) {
    this.stopListening = listen(
      connection,
      [projectChanged.name, projectDeleted.name],
      ({ data }) => this.kept.delete((data as { project_id: number }).project_id),
      () => this.kept.clear(),
    );
  }

  /** For display, where slightly outdated values are acceptable. Anonymous callers get the defaults. */
  async readKept(project: ProjectRef, caller?: Caller): Promise<MergeSettings> {
    if (!caller) return defaultProjectSettings;
    const kept = this.kept.get(project.id);
    if (kept) return kept;
    const settings = this.read(project, caller);
    settings.catch(() => this.kept.delete(project.id));
    this.kept.set(project.id, settings);
    return settings;
  }

  async read(project: ProjectRef, caller?: Caller): Promise<MergeSettings> {
    const view = await this.client.call(getProject, { id: String(project.id) }, { project, caller });
    return { ...defaultProjectSettings, ...onlyGiven(view) };
  }

  onApplicationShutdown(): void {
    this.stopListening();
  }
}
