import { scopeMark, WordedScope } from '@moothall/pages';
import { Choices } from './form';

interface Props {
  /** A text about each scope that can be chosen. */
  words: Readonly<Record<string, string>>;
  /** The scopes that are chosen at first. */
  values?: readonly string[];
}

/** The scopes of a new token. */
export const ScopeBoxes = ({ words, values = [] }: Props) => (
  <Choices
    name="scopes"
    label="Scopes"
    values={values}
    options={Object.entries(words).map(([scope, text]) => ({
      value: scope,
      label: <WordedScope scope={scope} words={text} />,
      mark: scopeMark(scope),
    }))}
  />
);
