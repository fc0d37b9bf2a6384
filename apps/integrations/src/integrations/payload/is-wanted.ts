import { branchOf, type Payload, type PipelinePayload } from './payload';

/** What integrations are asked by their settings. */
export interface BranchChoices {
  branches_to_be_notified?: unknown;
  notify_only_default_branch?: unknown;
  notify_only_broken_pipelines?: unknown;
  restrict_to_branch?: unknown;
}

/** Whether an answer to what is protected matters for what is wanted. */
export const asksForProtection = (choices: BranchChoices): boolean =>
  ['protected', 'default_and_protected'].includes(String(choices.branches_to_be_notified));

/**
 * Whether an integration wants to hear of a payload, by its branch and, of pipelines, by how they ended.
 * @param forPeople who are not told of pipelines that are under way
 */
export function isWanted(payload: Payload, choices: BranchChoices, isProtected: boolean, forPeople = true): boolean {
  if (forPeople && payload.object_kind === 'pipeline' && !isWantedPipeline(payload, choices)) return false;
  const branch = branchOf(payload);
  // Tags are told of whatever branches are.
  return branch === undefined || isWantedBranch(branch, payload.project.default_branch, choices, isProtected);
}

function isWantedBranch(
  branch: string,
  defaultBranch: string | null,
  choices: BranchChoices,
  isProtected: boolean,
): boolean {
  const restricted = namesIn(choices.restrict_to_branch);
  if (restricted.length > 0 && !restricted.includes(branch)) return false;
  const isDefault = branch === defaultBranch;
  switch (choices.branches_to_be_notified) {
    case 'default':
      return isDefault;
    case 'protected':
      return isProtected;
    case 'default_and_protected':
      return isDefault || isProtected;
    case 'all':
      return true;
    default:
      return choices.notify_only_default_branch === true ? isDefault : true;
  }
}

/** Those that have ended: with success only where not only broken ones are asked for. */
function isWantedPipeline({ object_attributes: { status } }: PipelinePayload, choices: BranchChoices): boolean {
  return status === 'failed' || (status === 'success' && choices.notify_only_broken_pipelines !== true);
}

const namesIn = (list: unknown): string[] =>
  typeof list === 'string'
    ? list
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== '')
    : [];
