import { Confirmation } from '@moothall/pages';
import type { Address } from '../page/page';
import type { Visit } from '../visit/visits';
import { Action } from './form';

interface Props {
  visit: Visit;
  address: Address;
  /** The form. */
  name: string;
  of?: string;
  /** What the button says: `Delete snippet`. */
  word: string;
  consequence: string;
}

/** An action that cannot be undone: a form that shows its consequence before its button. */
export const ConfirmedAction = ({ consequence, ...form }: Props) => (
  <Confirmation word={`${form.word.split(' ', 1)[0]}…`} consequence={consequence}>
    <Action {...form} look="grave" />
  </Confirmation>
);
