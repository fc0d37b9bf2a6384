import {
  type Caller,
  defaultProjectSettings,
  getProject,
  type ProjectRef,
  type ProjectSettings,
} from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';

/** What a project says of its merges. */
export type MergeSettings = Pick<
  ProjectSettings,
  | 'merge_method'
  | 'only_allow_merge_if_pipeline_succeeds'
  | 'only_allow_merge_if_all_discussions_are_resolved'
  | 'allow_merge_on_skipped_pipeline'
  | 'autoclose_referenced_issues'
>;

/** Asks the projects service, in the name of whoever merges or looks. */
@Injectable()
export class MergeSettingsOf {
  constructor(private readonly client: OperationClient) {}

  async project(project: ProjectRef, caller?: Caller): Promise<MergeSettings> {
    const view = await this.client.call(getProject, { id: String(project.id) }, { project, caller });
    return { ...defaultProjectSettings, ...view };
  }
}
