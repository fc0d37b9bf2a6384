import type { ComponentChildren } from 'preact';
import type { Address } from '../page/page';
import type { Visit } from '../visit/visits';
import { Form } from './form';

export interface CollapsedFormProps {
  visit: Visit;
  address: Address;
  /** The form. */
  name: string;
  of?: string;
  /** What opens it: `Change`; of a `ConfirmedAction` the button: `Delete snippet`. */
  word: string;
  /** What the form does, before its fields. */
  consequence?: string;
  children: ComponentChildren;
}

/** A form in a section that is collapsed at first, and open after the form was refused. */
export const CollapsedForm = ({ word, consequence, children, ...form }: CollapsedFormProps) => (
  <details open={form.address.refused?.sent.is(form.name, form.of)}>
    <summary class="quiet">{word}</summary>
    {consequence && <p>{consequence}</p>}
    <Form {...form}>{children}</Form>
  </details>
);
