import { changesOf, type FieldValues } from '../forms/changes';
import type { SentForm } from '../forms/sent-form';
import { Check, Choice, DayField, type Option, TextArea, TextField, UrlField } from './form';

/** A field of a form as data. Its name is that of a parameter, and of the property of the record. */
export interface FieldFacts {
  name: string;
  label: string;
  hint?: string;
  /** `true` for a box, `day` for a date, `url` for a URL that may contain a password, a number of rows for a text area, options for a choice; a line of text unless given. */
  is?: true | 'day' | 'url' | number | readonly Option[];
  required?: boolean;
  /** Of a line of text: values that a browser offers. */
  suggestions?: readonly string[];
}

/** The fields of a form. @param values what they show at first */
export const FieldList = ({ fields, values = {} }: { fields: readonly FieldFacts[]; values?: FieldValues }) => (
  <>
    {fields.map(({ is, ...field }) => {
      const value = values[field.name];
      if (is === true) return <Check key={field.name} {...field} value={value === 'true'} />;
      if (is === 'day') return <DayField key={field.name} {...field} value={value} />;
      if (is === 'url') return <UrlField key={field.name} {...field} value={value} />;
      if (typeof is === 'number') return <TextArea key={field.name} {...field} rows={is} value={value} />;
      if (is) return <Choice key={field.name} {...field} options={is} value={value} />;
      return <TextField key={field.name} {...field} value={value} />;
    })}
  </>
);

/** The values of a record, as the fields show them; those of a list with commas. */
export const valuesOf = (fields: readonly FieldFacts[], record: object): FieldValues => {
  const properties = new Map<string, unknown>(Object.entries(record));
  return Object.fromEntries(
    fields.map(({ name, is }) => {
      const value = properties.get(name);
      if (is === true) return [name, String(value === true)];
      return [name, Array.isArray(value) ? value.join(', ') : String(value ?? '')];
    }),
  );
};

/** The values of a sent form. */
export const sentValues = (fields: readonly FieldFacts[], sent: SentForm): FieldValues =>
  Object.fromEntries(fields.map(({ name, is }) => [name, is === true ? sent.flag(name) : sent.text(name)]));

/** What the user changed in a sent form. @param record as it is now @throws common.conflict, as `changesOf` */
export const changesIn = (fields: readonly FieldFacts[], sent: SentForm, record: object): FieldValues =>
  changesOf(sent, sentValues(fields, sent), valuesOf(fields, record));
