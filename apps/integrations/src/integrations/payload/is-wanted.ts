import { branchOf, type Payload, type PipelinePayload } from './payload';

/** Settings that restrict the events of an integration. */
export interface BranchChoices {
  branches_to_be_notified?: unknown;
  notify_only_default_branch?: unknown;
  notify_only_broken_pipelines?: unknown;
  restrict_to_branch?: unknown;
}

/** Whether the settings depend on protected branches. */
export const asksForProtection = (choices: BranchChoices): boolean =>
  ['protected', 'default_and_protected'].includes(String(choices.branches_to_be_notified));

/**
 * Whether an integration receives a payload, by its branch and, for pipelines, by the result.
 * @param forPeople whether its messages are for people, who do not get running pipelines
 */
export function isWanted(payload: Payload, choices: BranchChoices, isProtected: boolean, forPeople = true): boolean {
  if (forPeople && payload.object_kind === 'pipeline' && !isWantedPipeline(payload, choices)) return false;
  const branch = branchOf(payload);
  // Tags are sent with any setting of branches.
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

/** Only finished pipelines; successful ones unless only broken ones are wanted. */
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
