import { type ContextOf, openMergeRequestsOfBranches, type ParsedOf } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { MergeRequests } from '../record/merge-request.repository';

/** The open merge requests of branches that a push moves. See docs/api/repository.md#11. */
@Controller()
export class OpenMergeRequestsOfBranches {
  constructor(private readonly mergeRequests: MergeRequests) {}

  @Handles(openMergeRequestsOfBranches)
  async handle(
    _context: ContextOf<typeof openMergeRequestsOfBranches>,
    { project_id, source_branches }: ParsedOf<typeof openMergeRequestsOfBranches>,
  ) {
    const found = await this.mergeRequests.listNewestOpen(project_id, source_branches);
    return found.map(({ _id, iid }) => ({ source_branch: _id, iid }));
  }
}
