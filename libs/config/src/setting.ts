/** Options of every setting. */
export interface SettingOptions<T> {
  /** The purpose of the setting, in a few words; shown in the settings table. */
  about?: string;
  /** The value when the variable is unset or empty. Without it (and without `optional`) the setting is required. */
  default?: T;
  /** Unset means undefined instead of an error. */
  optional?: boolean;
}

/** One environment variable: how to read it and how to describe it. */
export interface Setting<T> {
  readonly about: string;
  /** The form of a value, in words: "a whole number from 1 to 65535". */
  readonly form: string;
  /** The default in the settings table; undefined if there is none. */
  readonly shownDefault: string | undefined;
  readonly isRequired: boolean;
  /** Never repeated in a message. */
  readonly isSecret: boolean;
  /** The value if the variable is unset; only read if the setting is not required. */
  readonly whenUnset: T;
  /** @throws WrongValue when the text is no such value */
  parse(text: string): T;
}

export type Settings = Record<string, Setting<unknown>>;
export type SettingValues<S extends Settings> = { readonly [K in keyof S]: S[K] extends Setting<infer T> ? T : never };

/** The type of the value: undefined is only possible if the setting is optional and has no default. */
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

/** Combines the form of a value and the options of one setting. */
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
