/** What may be said about any setting. */
export interface SettingOptions<T> {
  /** What the setting is for, in a few words; shown in the settings table. */
  about?: string;
  /** The value when the variable is unset or empty. Without it (and without `optional`) the setting is required. */
  default?: T;
  /** Unset means undefined instead of an error. */
  optional?: boolean;
}

/** One environment variable: how to read it and how to describe it. */
export interface Setting<T> {
  readonly about: string;
  /** What a value looks like, in plain words: "a whole number from 1 to 65535". */
  readonly form: string;
  /** The default as the settings table shows it; undefined when there is none. */
  readonly shownDefault: string | undefined;
  readonly isRequired: boolean;
  /** Never repeated in a message. */
  readonly isSecret: boolean;
  /** The value when the variable is unset; only asked for when the setting is not required. */
  readonly whenUnset: T;
  /** @throws WrongValue when the text is no such value */
  parse(text: string): T;
}

export type Settings = Record<string, Setting<unknown>>;
export type SettingValues<S extends Settings> = { readonly [K in keyof S]: S[K] extends Setting<infer T> ? T : never };

/** The type a setting yields: undefined is possible only where it is declared optional and has no default. */
export type ValueOf<O, T> = O extends { default: T } ? T : O extends { optional: true } ? T | undefined : T;

/** Thrown by `parse`; the message continues the sentence "PORT is wrong: ...". */
export class WrongValue extends Error {}

interface Form<T> {
  form: string;
  parse: (text: string) => T;
  /** How a default is written in the settings table. */
  show?: (value: T) => string;
  isSecret?: boolean;
}

/** Puts the form of a value and the options of one setting together. */
export function setting<T, O extends SettingOptions<T>>(options: O, form: Form<T>): Setting<ValueOf<O, T>> {
  const show = form.show ?? String;
  return {
    about: options.about ?? '',
    form: form.form,
    shownDefault: options.default === undefined ? undefined : show(options.default),
    isRequired: options.default === undefined && !options.optional,
    isSecret: form.isSecret ?? false,
    whenUnset: options.default as ValueOf<O, T>,
    parse: (text) => form.parse(text) as ValueOf<O, T>,
  };
}
