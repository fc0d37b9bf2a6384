import { Named } from '@moothall/pages';
import type { FieldValues } from '../../forms/changes';
import type { SentForm } from '../../forms/sent-form';
import { Check, Choice, Given, TextArea, TextField } from '../../parts/form';
import type { FileSlot } from './file-slots';

/** The fields of a snippet besides its files, as a form sent them. */
export const sentAttributes = (sent: SentForm) => ({
  title: sent.text('title'),
  description: sent.text('description'),
  visibility: sent.text('visibility'),
});

interface Props {
  values: FieldValues;
  slots: readonly FileSlot[];
  /** The form that was refused. */
  sent: SentForm | undefined;
  inProject: boolean;
}

/** The fields of a form for a snippet. Slots without a file are collapsed, except the first one of a new snippet. */
export const SnippetFields = ({ values, slots, sent, inProject }: Props) => {
  const shown = slots.filter(
    ({ path, number }) => path !== '' || (number === 1 && slots.every((slot) => slot.path === '')),
  );
  return (
    <>
      <TextField name="title" label="Title" value={values.title} required />
      <TextArea name="description" label="Description" hint="Markdown" value={values.description} rows={4} />
      <Choice
        name="visibility"
        label="Visible to"
        value={values.visibility}
        options={[
          { value: 'private', label: inProject ? 'Members of the project' : 'You' },
          { value: 'internal', label: 'All signed-in users' },
          { value: 'public', label: 'Everybody' },
        ]}
      />
      {shown.map((slot) => (
        <FileFields key={slot.number} slot={slot} />
      ))}
      <MoreFiles slots={slots.filter((slot) => !shown.includes(slot))} sent={sent} />
    </>
  );
};

const FileFields = ({ slot: { number, path, name, content } }: { slot: FileSlot }) => (
  <fieldset>
    <legend>File {number}</legend>
    <Given name={`file_${number}`} value={path} />
    <TextField name={`name_${number}`} label={`Name of file ${number}`} value={name} />
    {content === undefined ? (
      <p class="dim">
        The content of <Named>{path}</Named> is too large for a form, or not a text. It stays as it is.
      </p>
    ) : (
      <TextArea name={`content_${number}`} label={`Content of file ${number}`} value={content} rows={12} />
    )}
    {path !== '' && <Check name={`remove_${number}`} label="Remove this file" value={false} />}
  </fieldset>
);

/** Empty slots, each one below the one before: a page without scripts cannot add fields. */
const MoreFiles = ({ slots: [next, ...others], sent }: Pick<Props, 'slots' | 'sent'>) =>
  next === undefined ? null : (
    <details open={[next, ...others].some(({ number }) => isTyped(number, sent))}>
      <summary class="quiet">Add a file</summary>
      <FileFields slot={next} />
      <MoreFiles slots={others} sent={sent} />
    </details>
  );

const isTyped = (number: number, sent: SentForm | undefined): boolean =>
  sent !== undefined && [`name_${number}`, `content_${number}`].some((field) => sent.text(field) !== '');
