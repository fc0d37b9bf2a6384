import type { FieldValues } from '../../forms/changes';
import type { SentForm } from '../../forms/sent-form';
import { TextArea, TextField } from '../../parts/form';

/** The fields of a page of a wiki, as a form sent them. */
export const sentWikiPage = (sent: SentForm) => ({ title: sent.text('title'), content: sent.text('content') });

/** @param format of the content */
export const WikiFields = ({ values, format }: { values: FieldValues; format: string }) => (
  <>
    <TextField
      name="title"
      label="Title"
      hint="A slash puts the page into a folder: guides/First steps"
      value={values.title}
      required
    />
    <TextArea name="content" label="Content" hint={format} value={values.content} rows={24} required />
  </>
);
