import type { Milestone } from '@moothall/contracts';
import type { FieldValues } from '../../forms/changes';
import type { SentForm } from '../../forms/sent-form';
import { DayField, TextArea, TextField } from '../../parts/form';

/** The fields of a milestone that the form shows. */
export const milestoneValues = ({ title, description, start_date, due_date }: Milestone): FieldValues => ({
  title,
  description: description ?? '',
  start_date: start_date ?? '',
  due_date: due_date ?? '',
});

/** The same of a sent form. */
export const sentMilestone = (sent: SentForm): FieldValues => ({
  title: sent.text('title'),
  description: sent.text('description'),
  start_date: sent.text('start_date'),
  due_date: sent.text('due_date'),
});

/** The fields of a form for a milestone. */
export const MilestoneFields = ({ values = {} }: { values?: FieldValues }) => (
  <>
    <TextField name="title" label="Title" value={values.title} required />
    <TextArea name="description" label="Description" hint="Markdown" value={values.description} rows={12} />
    <DayField name="start_date" label="Start date" value={values.start_date} />
    <DayField name="due_date" label="Due date" value={values.due_date} />
  </>
);
