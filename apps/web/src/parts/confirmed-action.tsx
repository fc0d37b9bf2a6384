import type { Address } from '../page/page';
import type { Visit } from '../visit/visits';
import { CollapsedForm } from './collapsed-form';

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
export const ConfirmedAction = ({ word, ...form }: Props) => (
  <CollapsedForm {...form} word={`${word.split(' ', 1)[0]}…`}>
    <button type="submit" class="grave">
      {word}
    </button>
  </CollapsedForm>
);
