import {
  Access,
  listAllProjectMembers,
  listProjectLabels,
  listProjectMilestones,
  type Milestone,
  type ProjectRef,
  reaches,
} from '@moothall/contracts';
import type { SentForm } from '../forms/sent-form';
import type { Visit } from '../visit/visits';
import { Choice, Choices, TextField } from './form';

/** Number of offered users, labels and milestones. */
const most = 100;

interface User {
  id: number;
  name: string;
  username: string;
}

/** The plan of an issue or a merge request. */
interface Planned {
  labels: readonly (string | { name: string })[];
  assignees: readonly User[];
  milestone: Pick<Milestone, 'id' | 'title'> | null;
}

/** What can be chosen, with what is chosen. */
export interface PlanningChoices {
  users: readonly User[];
  labels: readonly string[];
  milestones: readonly Pick<Milestone, 'id' | 'title'>[];
}

const nothing: Planned = { labels: [], assignees: [], milestone: null };

/**
 * For reporters: others do not plan. Source: docs/api/issues.md#1, docs/api/merge-requests.md#1.
 * @param project of the issue, or of the target branch
 * @param chosen users who can be chosen, even if they have left the project
 */
export async function readPlanningChoices(
  visit: Visit,
  project: ProjectRef,
  planned: Planned = nothing,
  chosen: readonly User[] = planned.assignees,
): Promise<PlanningChoices | undefined> {
  if (!reaches(project, Access.Reporter)) return undefined;
  const list = { id: String(project.id), per_page: most };
  const [members, labels, milestones] = await Promise.all([
    visit.askIfSeen(listAllProjectMembers, list),
    visit.askIfSeen(listProjectLabels, list),
    readActiveMilestones(visit, project),
  ]);
  return {
    users: uniqueById([...chosen, ...(members?.items ?? [])]),
    labels: [...new Set([...labelsOf(planned), ...(labels?.items ?? []).map(({ name }) => name)])],
    milestones: uniqueById([...(planned.milestone ? [planned.milestone] : []), ...(milestones ?? [])]),
  };
}

/** Those of the project and of the groups above it; undefined if the visitor may not see them. */
export async function readActiveMilestones(
  visit: Visit,
  project: ProjectRef,
): Promise<readonly Milestone[] | undefined> {
  const asked = { id: String(project.id), per_page: most, state: 'active', include_parent_milestones: true } as const;
  return (await visit.askIfSeen(listProjectMilestones, asked))?.items;
}

export const uniqueById = <T extends { id: number }>(records: readonly T[]): T[] => [
  ...new Map(records.map((record) => [record.id, record])).values(),
];

const labelsOf = ({ labels }: Planned): string[] =>
  labels.map((label) => (typeof label === 'string' ? label : label.name));

/** The plan as values of fields. */
export const planningValues = (planned: Planned) => ({
  assignee_ids: idsOf(planned.assignees),
  labels: joined(labelsOf(planned)),
  milestone_id: String(planned.milestone?.id ?? 0),
});

/** The same of a sent form. */
export const sentPlanning = (sent: SentForm) => ({
  assignee_ids: joined(sent.list('assignee_ids')),
  labels: joined([...sent.list('labels'), ...sent.text('other_labels').split(',')]),
  milestone_id: sent.text('milestone_id') || '0',
});

export const idsOf = (users: readonly User[]): string => joined(users.map(({ id }) => String(id)));

/** Without blanks and repetitions, in one order. */
export const joined = (values: readonly string[]): string =>
  [...new Set(values.map((value) => value.trim()).filter((value) => value !== ''))].sort().join(',');

/** Those who can be chosen, for {@link Choices}. */
export const userOptions = (users: readonly User[]) =>
  users.map(({ id, name, username }) => ({ value: String(id), label: `${name} (${username})` }));

interface FieldsProps {
  choices: PlanningChoices;
  values: ReturnType<typeof planningValues>;
}

/** The fields of a plan: assignees, labels and milestone. */
export const PlanningFields = ({ choices, values }: FieldsProps) => (
  <>
    <Choices
      name="assignee_ids"
      label="Assignees"
      values={values.assignee_ids.split(',')}
      options={userOptions(choices.users)}
    />
    <Choices
      name="labels"
      label="Labels"
      values={values.labels.split(',')}
      options={choices.labels.map((label) => ({ value: label, label }))}
    />
    <TextField name="other_labels" label="Other labels" hint="Separated by commas. New labels are created." />
    <Choice
      name="milestone_id"
      label="Milestone"
      value={values.milestone_id}
      options={[
        { value: '0', label: 'None' },
        ...choices.milestones.map(({ id, title }) => ({ value: String(id), label: title })),
      ]}
    />
  </>
);

export const noPlan = planningValues(nothing);
