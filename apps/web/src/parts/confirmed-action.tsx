import { CollapsedForm, type CollapsedFormProps } from './collapsed-form';

type Props = Omit<CollapsedFormProps, 'children'> & { consequence: string };

/** An action that cannot be undone: a form that shows its consequence before its button. */
export const ConfirmedAction = ({ word, ...form }: Props) => (
  <CollapsedForm {...form} word={`${word.split(' ', 1)[0]}…`}>
    <button type="submit" class="grave">
      {word}
    </button>
  </CollapsedForm>
);
