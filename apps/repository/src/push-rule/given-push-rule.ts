import {
  invalidRecord,
  mostPatternSteps,
  onlyGiven,
  type ParsedOf,
  pushRulePatterns,
  type updateProjectPushRule,
} from '@moothall/contracts';
import { RE2JS, RE2JSException } from 're2js';
import type { PushRuleFields } from './push-rule.schema';

type Input = Omit<ParsedOf<typeof updateProjectPushRule>, 'id'>;

/** The fields of an input. @throws common.invalid_record for an invalid or slow pattern */
export function givenOf(input: Input): Partial<PushRuleFields> {
  for (const name of pushRulePatterns) requirePattern(name, input[name] ?? '');
  return onlyGiven<PushRuleFields>({
    denyDeleteTag: input.deny_delete_tag,
    memberCheck: input.member_check,
    preventSecrets: input.prevent_secrets,
    commitMessageRegex: input.commit_message_regex,
    commitMessageNegativeRegex: input.commit_message_negative_regex,
    branchNameRegex: input.branch_name_regex,
    authorEmailRegex: input.author_email_regex,
    fileNameRegex: input.file_name_regex,
    maxFileSize: input.max_file_size,
    commitCommitterCheck: input.commit_committer_check,
    commitCommitterNameCheck: input.commit_committer_name_check,
    rejectUnsignedCommits: input.reject_unsigned_commits,
    rejectNonDcoCommits: input.reject_non_dco_commits,
  });
}

function requirePattern(name: string, pattern: string): void {
  try {
    if (RE2JS.compile(pattern).programSize() > mostPatternSteps) throw invalidRecord({ [name]: ['repeats too much'] });
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw invalidRecord({ [name]: [`not valid RE2 syntax: ${error.message}`] });
  }
}
