import { type MergeRequest } from '@moothall/contracts';
import type { FieldValues } from '../../forms/changes';
import type { SentForm } from '../../forms/sent-form';
import { Choices, TextArea, TextField } from '../../parts/form';
import {
  idsOf,
  joined,
  noPlan,
  type PlanningChoices,
  PlanningFields,
  planningValues,
  sentPlanning,
  userOptions,
} from '../../parts/planning-fields';

/** The fields of a merge request that the form shows. @param plans whether they include its plan */
export function mergeRequestValues(request: MergeRequest, plans: boolean): FieldValues {
  const { title, description, target_branch, reviewers } = request;
  return {
    title,
    description: description ?? '',
    target_branch,
    ...(plans && { ...planningValues(request), reviewer_ids: idsOf(reviewers) }),
  };
}

/** The same of a sent form, with all fields. */
export const sentMergeRequest = (sent: SentForm): FieldValues => ({
  title: sent.text('title'),
  description: sent.text('description'),
  target_branch: sent.text('target_branch'),
  ...sentPlanning(sent),
  reviewer_ids: joined(sent.list('reviewer_ids')),
});

interface FieldsProps {
  values: FieldValues;
  choices: PlanningChoices | undefined;
}

/** The fields of a form for a merge request, except its branches. */
export const MergeRequestFields = ({ values, choices }: FieldsProps) => (
  <>
    <TextField
      name="title"
      label="Title"
      hint="A title that begins with “Draft:” cannot be merged yet."
      value={values.title}
      required
    />
    <TextArea name="description" label="Description" hint="Markdown" value={values.description} rows={12} />
    {choices && (
      <>
        <Choices
          name="reviewer_ids"
          label="Reviewers"
          values={values.reviewer_ids?.split(',') ?? []}
          options={userOptions(choices.users)}
        />
        <PlanningFields choices={choices} values={{ ...noPlan, ...values }} />
      </>
    )}
  </>
);
