import { type ContextOf, type ParsedOf, updateSubmodule } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { type ServiceSettings, settingsToken } from '@moothall/service';
import { Controller, Inject } from '@nestjs/common';
import { CodeWriter } from '../../push/code-writer';
import { projectUrl, viewCommit } from '../commit/commit.view';

/** Submodules point to a commit of another repository: an entry in a tree. See docs/api/repository.md#15. */
@Controller()
export class SubmoduleOperations {
  constructor(
    private readonly writer: CodeWriter,
    @Inject(settingsToken) private readonly settings: ServiceSettings,
  ) {}

  @Handles(updateSubmodule)
  async update({ project, caller }: ContextOf<typeof updateSubmodule>, input: ParsedOf<typeof updateSubmodule>) {
    const { submodule, branch, commit_sha } = input;
    const commit = await this.writer.commit(
      { project, caller },
      {
        branch,
        message: input.commit_message || `Update submodule ${submodule} with oid ${commit_sha}`,
        actions: [{ action: 'submodule', filePath: submodule, commitId: commit_sha }],
      },
    );
    return viewCommit(commit, projectUrl(this.settings.EXTERNAL_URL, project));
  }
}
