import { randomBytes } from 'node:crypto';
import { CsrfField } from '@moothall/pages';
import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { type FieldValues, hashesAgain, hashesOf } from '../forms/changes';
import type { RefusedForm } from '../forms/refused-form';
import { withoutPassword } from '../forms/without-password';
import type { Address } from '../page/page';
import type { Visit } from '../visit/visits';

/** The form around a field. */
interface Shown {
  id: string;
  /** Set if it was refused: fields show what was typed. */
  refused: RefusedForm | undefined;
}

const Around = createContext<Shown>({ id: '', refused: undefined });

interface FormProps {
  visit: Visit;
  address: Address;
  /** One of the `forms` of the page. */
  name: string;
  /** Id of the record, if the page has several of these forms. */
  of?: string;
  /** Whether it has a {@link FileField}. */
  sendsFiles?: boolean;
  children: ComponentChildren;
}

/**
 * A form of the page, sent to its address. Each one that is shown has a token of its own: the same form sent twice is
 * taken once.
 */
export const Form = ({ visit: { viewer }, address, name, of = '', sendsFiles, children }: FormProps) => {
  if (!viewer) return null;
  const refused = address.refused?.sent.is(name, of) ? address.refused : undefined;
  if (refused) refused.isShown = true;
  return (
    <form method="post" enctype={sendsFiles ? 'multipart/form-data' : undefined}>
      <CsrfField csrf={viewer.csrf} />
      <Hidden name="token" value={randomBytes(16).toString('base64url')} />
      <Hidden name="form" value={name} />
      {of && <Hidden name="of" value={of} />}
      <Around.Provider value={{ id: [name, of].join('-'), refused }}>{children}</Around.Provider>
    </form>
  );
};

export const Hidden = ({ name, value }: { name: string; value: string }) => (
  <input type="hidden" name={name} value={value} />
);

/** A value that the form sends along: `sent.given(name)`. */
export const Given = ({ name, value }: { name: string; value: string }) => (
  <Hidden name={`given[${name}]`} value={value} />
);

/** The values that the form shows at first. After a conflict those of now, where the user sees them or knows that they differ. */
export const Was = ({ values }: { values: FieldValues }) => {
  const { refused } = useContext(Around);
  const showsNow = (field: string) =>
    refused?.isConflict === true && (refused.typed(field) === undefined || refused.of(field).length > 0);
  return <Hidden name="was" value={refused ? hashesAgain(refused.sent, values, showsNow) : hashesOf(values)} />;
};

interface FieldProps {
  name: string;
  label: string;
  hint?: string;
}

interface TextProps extends FieldProps {
  value?: string | undefined;
  required?: boolean;
}

/** What a form shows of a field; its label is also that of its problems at the top of the page. */
function useField(name: string, label: string) {
  const { id, refused } = useContext(Around);
  refused?.labels.set(name, label);
  const problems = refused?.of(name) ?? [];
  const field = `${id}-${name}`;
  return { refused, problems, field, about: `${field}-hint`, wrong: `${field}-problem` };
}

/** A field with its label, and with what is wrong. */
const Field = ({
  name,
  label,
  hint,
  control,
}: FieldProps & { control: (attributes: ControlAttributes) => ComponentChildren }) => {
  const { refused, problems, field, about, wrong } = useField(name, label);
  return (
    <>
      <label for={field}>{label}</label>
      {hint !== undefined && (
        <p id={about} class="hint">
          {hint}
        </p>
      )}
      <Problems id={wrong} label={label} problems={problems} />
      {control({
        id: field,
        name,
        typed: refused?.typed(name),
        ...stateOf({ hint, problems, about, wrong }),
      })}
    </>
  );
};

/** Of a control: the texts about it, and whether its value was refused. */
function stateOf(field: {
  hint: string | undefined;
  problems: readonly string[];
  about: string;
  wrong: string;
}): State {
  const isWrong = field.problems.length > 0;
  const described = [field.hint !== undefined && field.about, isWrong && field.wrong].filter((one) => one !== false);
  return {
    'aria-describedby': described.length > 0 ? described.join(' ') : undefined,
    'aria-invalid': isWrong ? 'true' : undefined,
  };
}

/** What is wrong with a field. */
const Problems = ({ id, label, problems }: { id: string; label: string; problems: readonly string[] }) =>
  problems.length === 0 ? null : (
    <p id={id} class="wrong">
      {problems.map((problem) => `${label} ${problem}.`).join(' ')}
    </p>
  );

interface State {
  'aria-describedby': string | undefined;
  'aria-invalid': 'true' | undefined;
}

/** Of the input, the text area or the list of a field. */
interface ControlAttributes extends State {
  id: string;
  name: string;
  typed: string | undefined;
}

/** @param suggestions values that a browser offers */
export const TextField = ({
  value,
  required,
  suggestions,
  ...field
}: TextProps & { suggestions?: readonly string[] }) => (
  <Field
    {...field}
    control={({ typed, ...control }) => (
      <>
        <input
          {...control}
          value={typed ?? value}
          required={required}
          list={suggestions && `${control.id}-suggestions`}
        />
        {suggestions && (
          <datalist id={`${control.id}-suggestions`}>
            {suggestions.map((text) => (
              <option key={text} value={text} />
            ))}
          </datalist>
        )}
      </>
    )}
  />
);

/**
 * A secret: no page shows it, not even again after a refusal. Forms repeat no field whose name begins with `secret_`.
 */
export const SecretField = ({ name, label, hint = '' }: FieldProps) => {
  const wasTyped = useContext(Around).refused?.sent.text(name);
  return (
    <Field
      name={name}
      label={label}
      hint={wasTyped ? `${hint} Enter it again: this page does not repeat it.`.trim() : hint}
      control={({ typed: _, ...control }) => <input {...control} type="password" autocomplete="new-password" />}
    />
  );
};

/** The same of several lines. Their spelling is not checked: some browsers send it to a server for that. */
export const SecretArea = ({ name, label, hint = '', rows }: FieldProps & { rows: number }) => {
  const wasTyped = useContext(Around).refused?.sent.text(name);
  return (
    <Field
      name={name}
      label={label}
      hint={wasTyped ? `${hint} Enter all lines again: this page does not repeat them.`.trim() : hint}
      control={({ typed: _, ...control }) => (
        <textarea {...control} rows={rows} autocomplete="off" spellcheck={false} />
      )}
    />
  );
};

/** A file, in a form with `sendsFiles`: `sent.file(name)`. Without a chosen one nothing is sent. */
export const FileField = ({ name, label, hint, accept }: Required<FieldProps> & { accept: string }) => {
  const wasChosen = useContext(Around).refused?.sent.file(name) !== undefined;
  return (
    <Field
      name={name}
      label={label}
      hint={wasChosen ? `${hint} Choose the file again: browsers do not repeat it.` : hint}
      control={({ typed: _, ...control }) => <input {...control} type="file" accept={accept} />}
    />
  );
};

/** A URL that may contain a password: no page repeats one that was typed. @param value without a password, or with a mask */
export const UrlField = ({ name, label, hint = '', value = '', required }: TextProps & { required?: boolean }) => {
  const typed = useContext(Around).refused?.typed(name) ?? value;
  const shown = typed === value ? value : withoutPassword(typed);
  return (
    <Field
      name={name}
      label={label}
      hint={shown === typed ? hint : `${hint} Enter the password again: this page does not repeat it.`.trim()}
      control={({ typed: _, ...control }) => <input {...control} value={shown} required={required} />}
    />
  );
};

export const DayField = ({ value, ...field }: TextProps) => (
  <Field {...field} control={({ typed, ...control }) => <input {...control} type="date" value={typed ?? value} />} />
);

export const TextArea = ({ value, required, rows, ...field }: TextProps & { rows: number }) => (
  <Field
    {...field}
    control={({ typed, ...control }) => (
      <textarea {...control} rows={rows} required={required} value={wholeText(typed ?? value ?? '')} />
    )}
  />
);

/** HTML drops a line end at the beginning of a text area. */
export const wholeText = (text: string): string => (text.startsWith('\n') ? `\n${text}` : text);

/** A value of a `Choice`. */
export interface Option {
  value: string;
  label: string;
}

/** One of several values. */
export const Choice = ({
  value,
  options,
  ...field
}: FieldProps & { value?: string | undefined; options: readonly Option[] }) => (
  <Field
    {...field}
    control={({ typed, ...control }) => (
      <select {...control}>
        {options.map((option) => (
          <option key={option.value} value={option.value} selected={option.value === (typed ?? value)}>
            {option.label}
          </option>
        ))}
      </select>
    )}
  />
);

interface BoxOption {
  value: string;
  label: ComponentChildren;
  /** A class of the style sheet. */
  mark?: string | undefined;
}

/** Any of several values. */
export const Choices = ({
  name,
  label,
  values,
  options,
}: FieldProps & { values: readonly string[]; options: readonly BoxOption[] }) => {
  const { refused, problems, wrong } = useField(name, label);
  const chosen = new Set(refused?.sent.list(name) ?? values);
  return (
    <fieldset aria-describedby={problems.length > 0 ? wrong : undefined}>
      <legend>{label}</legend>
      <Problems id={wrong} label={label} problems={problems} />
      {options.map((option) => (
        <label key={option.value} class={option.mark}>
          <input type="checkbox" name={`${name}[]`} value={option.value} checked={chosen.has(option.value)} />
          <span>{option.label}</span>
        </label>
      ))}
    </fieldset>
  );
};

/** Yes or no; sent as `1` or not at all: `sent.flag(name)`. */
export const Check = ({ name, label, hint, value }: FieldProps & { value: boolean }) => {
  const { refused, problems, about, wrong } = useField(name, label);
  const typed = refused?.typed(name);
  return (
    <>
      <label>
        <input
          type="checkbox"
          name={name}
          value="1"
          checked={typed === undefined ? value : typed === '1'}
          {...stateOf({ hint, problems, about, wrong })}
        />
        <span>{label}</span>
      </label>
      {hint !== undefined && (
        <p id={about} class="hint">
          {hint}
        </p>
      )}
      <Problems id={wrong} label={label} problems={problems} />
    </>
  );
};

/** A form without visible fields. @param children hidden ones */
export const Action = ({
  word,
  look,
  children,
  ...form
}: Omit<FormProps, 'children'> & { word: string; look?: 'quiet' | 'grave'; children?: ComponentChildren }) => (
  <Form {...form}>
    {children}
    <button type="submit" class={look}>
      {word}
    </button>
  </Form>
);
