import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';
import { type Setting, type SettingOptions, setting, type ValueOf, WrongValue } from './setting';

/** A whole number within bounds (both inclusive). */
export function int<const O extends SettingOptions<number> & { min?: number; max?: number }>(
  options: O,
): Setting<ValueOf<O, number>> {
  const min = options.min ?? Number.MIN_SAFE_INTEGER;
  const max = options.max ?? Number.MAX_SAFE_INTEGER;
  const form = `a whole number${describeRange(options.min, options.max)}`;
  const parse = (text: string): number => {
    const value = /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max ? value : wrong(form, text);
  };
  return setting<number, O>(options, { form, parse });
}

/** true or false; also 1 and 0, yes and no, on and off. */
export function bool<const O extends SettingOptions<boolean>>(options: O): Setting<ValueOf<O, boolean>> {
  const form = 'true or false';
  const parse = (text: string): boolean => {
    if (/^(true|1|yes|on)$/i.test(text)) return true;
    if (/^(false|0|no|off)$/i.test(text)) return false;
    return wrong(form, text);
  };
  return setting<boolean, O>(options, { form, parse });
}

/** Any text, or text that matches a pattern, which `form` describes. */
export function string<const O extends SettingOptions<string> & { pattern?: RegExp; form?: string }>(
  options: O,
): Setting<ValueOf<O, string>> {
  const form = options.form ?? 'text';
  const parse = (text: string): string =>
    options.pattern === undefined || options.pattern.test(text) ? text : wrong(form, text);
  return setting<string, O>(options, { form, parse });
}

/** A text that messages never repeat, such as a key or a password. */
export function secret<const O extends SettingOptions<string> & { minLength?: number }>(
  options: O,
): Setting<ValueOf<O, string>> {
  const minLength = options.minLength ?? 1;
  const form = minLength > 1 ? `a secret of at least ${minLength} characters` : 'a secret';
  const parse = (text: string): string => {
    if (text.length < minLength) throw new WrongValue(`it must be ${form}, and has ${text.length}`);
    return text;
  };
  return setting<string, O>(options, { form, parse, isSecret: true, show: () => '(secret)' });
}

/** An absolute URL, handed on as it was written; `protocols` without the colon, such as `['http', 'https']`. */
export function url<const O extends SettingOptions<string> & { protocols?: readonly string[] }>(
  options: O,
): Setting<ValueOf<O, string>> {
  const { protocols } = options;
  const form = protocols ? `a URL beginning with ${protocols.map((name) => `${name}://`).join(' or ')}` : 'a URL';
  const parse = (text: string): string => {
    // Lists of hosts (mongodb://a,b/) are no standard URLs, so only the scheme and a rest are required.
    const scheme = /^([a-z][a-z0-9+.-]*):\/\/\S+$/i.exec(text)?.[1]?.toLowerCase();
    const isKnown = scheme !== undefined && (protocols === undefined || protocols.includes(scheme));
    // URLs carry passwords, so the text is not repeated.
    if (!isKnown) throw new WrongValue(`it must be ${form}`);
    return text;
  };
  return setting<string, O>(options, { form, parse });
}

/** A folder as an absolute path; relative ones count from the working folder. */
export function directory<const O extends SettingOptions<string> & { mustExist?: boolean; mustBeWritable?: boolean }>(
  options: O,
): Setting<ValueOf<O, string>> {
  const parse = (text: string): string => {
    const folder = path.resolve(text);
    if (options.mustExist && !isDirectory(folder)) throw new WrongValue(`there is no folder ${folder}`);
    if (options.mustBeWritable && !isWritable(folder)) throw new WrongValue(`the folder ${folder} is not writable`);
    return folder;
  };
  const absolute = options.default === undefined ? options : { ...options, default: path.resolve(options.default) };
  return {
    ...setting<string, O>(absolute as O, { form: 'a folder', parse }),
    // Unchanged: an absolute path would be that of this machine.
    shownDefault: options.default,
  };
}

/** One word out of a list. */
export function oneOf<const W extends string, const O extends SettingOptions<NoInfer<W>>>(
  words: readonly W[],
  options: O,
): Setting<ValueOf<O, W>> {
  const form = `one of ${words.map((word) => `\`${word}\``).join(', ')}`;
  const parse = (text: string): W => words.find((word) => word === text) ?? wrong(form, text);
  return setting<W, O>(options, { form, parse });
}

/** Words separated by commas, each from the list `of` if it is given; white space and empty parts are ignored. */
export function list<const W extends string, const O extends SettingOptions<readonly NoInfer<W>[]>>(
  options: O & { of?: readonly W[] },
): Setting<ValueOf<O, readonly W[]>> {
  const { of } = options;
  const choice = of ? ` out of ${of.map((word) => `\`${word}\``).join(', ')}` : '';
  const form = `words separated by commas${choice}`;
  const parse = (text: string): readonly W[] => {
    const words = text.split(',').map((word) => word.trim());
    const stranger = of && words.find((word) => word !== '' && !of.some((known) => known === word));
    if (stranger) wrong(form, stranger);
    return words.filter((word) => word !== '') as W[];
  };
  return setting<readonly W[], O>(options, { form, parse, show: (value) => value.join(',') });
}

const secondsOf: Record<string, number> = { ms: 0.001, s: 1, m: 60, h: 3_600, d: 86_400 };

/**
 * A time in seconds, written as a number of seconds or with a unit: `90`, `90s`, `15m`, `2h`, `7d`; with `allowsMs`
 * also `250ms`.
 */
export function seconds<const O extends SettingOptions<number> & { min?: number; max?: number; allowsMs?: boolean }>(
  options: O,
): Setting<ValueOf<O, number>> {
  const { min = 0, max = Number.MAX_SAFE_INTEGER, allowsMs = false } = options;
  const range = describeRange(options.min, options.max, ' seconds');
  const form = `a time such as \`90\` or \`90s\`, \`15m\`, \`2h\`, \`7d\`${allowsMs ? ', `250ms`' : ''}${range}`;
  const parse = (text: string): number => {
    const [, amount, unit = 's'] = /^(\d+)(ms|[smhd])?$/.exec(text) ?? [];
    const times = unit === 'ms' && !allowsMs ? undefined : secondsOf[unit];
    const value = Number(amount) * (times ?? Number.NaN);
    return value >= min && value <= max ? value : wrong(form, text);
  };
  return setting<number, O>(options, { form, parse });
}

const bytesOf: Record<string, number> = { B: 1, KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3, TB: 1024 ** 4 };

/** A size in bytes, written as a number of bytes or with a unit in powers of 1024: `4096`, `64KB`, `8MB`, `2GB`. */
export function bytes<const O extends SettingOptions<number> & { min?: number; max?: number }>(
  options: O,
): Setting<ValueOf<O, number>> {
  const { min = 0, max = Number.MAX_SAFE_INTEGER } = options;
  const form = `a size such as \`4096\`, \`64KB\`, \`8MB\`, \`2GB\`${describeRange(options.min, options.max, ' bytes')}`;
  const parse = (text: string): number => {
    const [, amount, unit = 'B'] = /^(\d+) ?([KMGT]?B)?$/i.exec(text) ?? [];
    const value = Number(amount) * (bytesOf[unit.toUpperCase()] ?? Number.NaN);
    return value >= min && value <= max ? value : wrong(form, text);
  };
  return setting<number, O>(options, { form, parse, show: showBytes });
}

function showBytes(value: number): string {
  const unit = Object.keys(bytesOf).findLast((name) => value > 0 && value % (bytesOf[name] ?? 1) === 0) ?? 'B';
  return unit === 'B' ? String(value) : `${value / (bytesOf[unit] ?? 1)}${unit}`;
}

function describeRange(min: number | undefined, max: number | undefined, unit = ''): string {
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}${unit}`;
  if (min !== undefined) return `, at least ${min}${unit}`;
  return max === undefined ? '' : `, at most ${max}${unit}`;
}

function wrong(form: string, text: string): never {
  throw new WrongValue(`it must be ${form.replaceAll('`', '')}, not "${text}"`);
}

function isDirectory(folder: string): boolean {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
