import { type Issue } from '@moothall/contracts';
import type { FieldValues } from '../../forms/changes';
import type { SentForm } from '../../forms/sent-form';
import { Check, DayField, TextArea, TextField } from '../../parts/form';
import {
  noPlan,
  type PlanningChoices,
  PlanningFields,
  planningValues,
  sentPlanning,
} from '../../parts/planning-fields';

/** The fields of an issue that the form shows. @param plans whether they include its plan */
export function issueValues(issue: Issue, plans: boolean): FieldValues {
  const { title, description, confidential, due_date } = issue;
  return {
    title,
    description: description ?? '',
    confidential: String(confidential),
    ...(plans && { ...planningValues(issue), due_date: due_date ?? '' }),
  };
}

/** The same of a sent form, with all fields. */
export const sentIssue = (sent: SentForm): FieldValues => ({
  title: sent.text('title'),
  description: sent.text('description'),
  confidential: sent.flag('confidential'),
  ...sentPlanning(sent),
  due_date: sent.text('due_date'),
});

/** The fields of a form for an issue. */
export const IssueFields = ({ values, choices }: { values: FieldValues; choices: PlanningChoices | undefined }) => (
  <>
    <TextField name="title" label="Title" value={values.title} required />
    <TextArea name="description" label="Description" hint="Markdown" value={values.description} rows={12} />
    <Check
      name="confidential"
      label="Confidential: only members from Reporter see it"
      value={values.confidential === 'true'}
    />
    {choices && (
      <>
        <PlanningFields choices={choices} values={{ ...noPlan, ...values }} />
        <DayField name="due_date" label="Due date" value={values.due_date} />
      </>
    )}
  </>
);
