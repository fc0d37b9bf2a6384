import { type ContextOf, deleteIssue, type ParsedOf } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { requireWritable } from '../parent/require-writable';
import { Issues } from './issue.repository';
import { RemoveIssues } from './remove-issues';

@Controller()
export class DeleteIssue {
  constructor(
    private readonly issues: Issues,
    private readonly removal: RemoveIssues,
  ) {}

  @Handles(deleteIssue)
  async handle({ project, caller }: ContextOf<typeof deleteIssue>, input: ParsedOf<typeof deleteIssue>) {
    requireWritable(project);
    await this.removal.remove(await this.issues.get(project, input.issue_iid, caller), caller.id);
  }
}
