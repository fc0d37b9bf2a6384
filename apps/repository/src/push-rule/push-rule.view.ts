import type { ProjectPushRule } from '@moothall/contracts';
import type { PushRule } from './push-rule.schema';

export const viewPushRule = (rule: PushRule): Omit<ProjectPushRule, 'project_id'> & { project_id?: number } => ({
  id: rule._id,
  ...(rule.kind === 'project' && { project_id: rule.parentId }),
  created_at: rule.createdAt.toISOString(),
  deny_delete_tag: rule.denyDeleteTag,
  member_check: rule.memberCheck,
  prevent_secrets: rule.preventSecrets,
  commit_message_regex: rule.commitMessageRegex,
  commit_message_negative_regex: rule.commitMessageNegativeRegex,
  branch_name_regex: rule.branchNameRegex,
  author_email_regex: rule.authorEmailRegex,
  file_name_regex: rule.fileNameRegex,
  max_file_size: rule.maxFileSize,
  commit_committer_check: rule.commitCommitterCheck,
  commit_committer_name_check: rule.commitCommitterNameCheck,
  reject_unsigned_commits: rule.rejectUnsignedCommits,
  reject_non_dco_commits: rule.rejectNonDcoCommits,
});
