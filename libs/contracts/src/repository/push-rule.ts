import { z } from 'zod';
import {
  Access,
  del,
  errors,
  get,
  id,
  internalOnProject,
  nothing,
  ofGroups,
  ofProjects,
  operation,
  type Parent,
  type ParentRule,
  post,
  put,
  someChangeOf,
  time,
} from '../operation';
import { namePattern } from '../registry/name-pattern';

export const pushRuleErrors = errors('push_rule', {
  notFound: { status: 404, message: '404 Push Rule Not Found', means: 'There are no push rules yet, or any more.' },
  exists: { status: 422, message: 'Push rules exist already', means: 'They are changed with PUT.' },
  refused: {
    status: 400,
    message: 'The push rules of the project do not allow it',
    means:
      'A commit, file or branch breaks the push rules of the project, or a lock of Git LFS; the message says which.',
  },
});

/** A regular expression of RE2, longer than any that people write; empty for none. */
const pattern = (about: string) => namePattern(2047).nullable().optional().describe(`${about}; a pattern of RE2`);
const flag = (about: string) => z.boolean().optional().describe(about);

/** Rules by their v4 names. See docs/api/repository.md#14. */
export const pushRuleFields = {
  deny_delete_tag: flag('Tags cannot be deleted by a push'),
  member_check: flag('Author and committer have to be users, by a confirmed address'),
  prevent_secrets: flag('New files cannot be named as files with keys and passwords usually are'),
  commit_message_regex: pattern('What each commit message has'),
  commit_message_negative_regex: pattern('What no commit message has'),
  branch_name_regex: pattern('How branches are called, but for the default branch'),
  author_email_regex: pattern('Pattern of the email addresses of author and committer'),
  file_name_regex: pattern('What no new file is called'),
  max_file_size: z.int().min(0).max(1_000_000).optional().describe('Of new content, in MiB; 0 for no limit'),
  commit_committer_check: flag('The committer has to be who pushes, by a confirmed address'),
  commit_committer_name_check: flag('The author has to be named as who pushes'),
  reject_unsigned_commits: flag('Commits have to be signed'),
  reject_non_dco_commits: flag('Messages have to be signed off'),
};
export const pushRulePatterns = [
  'commit_message_regex',
  'commit_message_negative_regex',
  'branch_name_regex',
  'author_email_regex',
  'file_name_regex',
] as const;

const fieldNames = Object.keys(pushRuleFields) as (keyof typeof pushRuleFields)[];

const text = z.string().nullable();
const shown = {
  id,
  created_at: time,
  deny_delete_tag: z.boolean(),
  member_check: z.boolean(),
  prevent_secrets: z.boolean(),
  commit_message_regex: text,
  commit_message_negative_regex: text,
  branch_name_regex: text,
  author_email_regex: text,
  file_name_regex: text,
  max_file_size: z.int(),
  commit_committer_check: z.boolean(),
  commit_committer_name_check: z.boolean(),
  reject_unsigned_commits: z.boolean(),
  reject_non_dco_commits: z.boolean(),
};
export const GroupPushRule = z.object(shown);
export const ProjectPushRule = GroupPushRule.extend({ project_id: id });
export type ProjectPushRule = z.infer<typeof ProjectPushRule>;

/** Four operations on the one set of rules of a project or group. */
function operationsOf<R extends ParentRule>(parent: Parent<R>, access: R) {
  const { kind, ref } = parent;
  const path = `${parent.path}/push_rule` as const;
  const output = kind === 'project' ? ProjectPushRule : GroupPushRule;
  const whose = kind === 'project' ? 'a project' : 'projects that are made in a group';
  const input = z.object({ ...ref, ...pushRuleFields });
  const refusals = ['push_rule.not_found'];
  const tier = 'enterprise' as const;
  return {
    get: operation({
      name: `repository.${kind}-push-rules.get`,
      tier,
      summary: `Push rules of ${whose}`,
      ...(kind === 'project' ? { description: '`null` if there are none.' } : { refusals }),
      http: get(path),
      access,
      input: z.object(ref),
      output: output.nullable(),
    }),
    create: operation({
      name: `repository.${kind}-push-rules.create`,
      tier,
      summary: `Give ${whose} push rules`,
      refusals: ['push_rule.exists'],
      http: post(path),
      access,
      input,
      output,
    }),
    update: operation({
      name: `repository.${kind}-push-rules.update`,
      tier,
      summary: `Change the push rules of ${whose}`,
      refusals,
      http: put(path),
      access,
      input: input.refine(...someChangeOf(...fieldNames)),
      output,
    }),
    delete: operation({
      name: `repository.${kind}-push-rules.delete`,
      tier,
      summary: `Remove the push rules of ${whose}`,
      refusals,
      http: del(path),
      access,
      input: z.object(ref),
      output: nothing(),
    }),
  };
}

const ability = 'admin_push_rules';
const ofProject = operationsOf(ofProjects, ofProjects.on({ feature: 'repository', level: Access.Maintainer, ability }));
export const getProjectPushRule = ofProject.get;
export const createProjectPushRule = ofProject.create;
export const updateProjectPushRule = ofProject.update;
export const deleteProjectPushRule = ofProject.delete;

/** Copied to new projects in the group or below; existing ones keep theirs. */
const ofGroup = operationsOf(ofGroups, ofGroups.on({ level: Access.Owner, ability }));
export const getGroupPushRule = ofGroup.get;
export const createGroupPushRule = ofGroup.create;
export const updateGroupPushRule = ofGroup.update;
export const deleteGroupPushRule = ofGroup.delete;

/** The rules of a project as its archive has them. */
export const ExportedPushRule = z.object(pushRuleFields);

/** The push rules of the context's project, for its archive: one, or none. */
export const exportPushRules = operation({
  name: 'repository.export.push-rules',
  access: internalOnProject(),
  isRead: true,
  input: z.object({}),
  output: z.array(ExportedPushRule),
});

/** Sets the push rules of an archive in the context's project, unless it has those of a group. May be repeated. */
export const importPushRules = operation({
  name: 'repository.import.push-rules',
  access: internalOnProject(),
  input: ExportedPushRule,
  output: nothing(),
});
