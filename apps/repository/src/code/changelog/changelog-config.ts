import { changelogErrors, versionPattern } from '@moothall/contracts';
import { RE2JS } from 're2js';
import { parse } from 'yaml';

export interface ChangelogConfig {
  categories: Record<string, string>;
  /** In the form of strftime. */
  dateFormat: string;
  /** The version in the name of a tag, if it is a version tag. */
  versionOf(tag: string): string | undefined;
}

export const largestConfig = 64 * 1024;
const longestPattern = 1000;

export const failed = (why: string): Error => changelogErrors.failed(`Failed to generate the changelog: ${why}`);

const plain: ChangelogConfig = {
  categories: {},
  dateFormat: '%Y-%m-%d',
  versionOf: (tag) => (versionPattern.test(tag) ? tag : undefined),
};

/** @param text content of the file, if it exists. @throws changelog.failed */
export function readConfig(text: string | undefined): ChangelogConfig {
  if (text === undefined) return plain;
  const { categories, date_format, tag_regex, template } = readYaml(text);
  if (template !== undefined) throw failed('the configuration has a template of its own, which is not supported');
  return {
    categories: readCategories(categories),
    dateFormat: readText(date_format, 'date_format') ?? plain.dateFormat,
    versionOf: readTagPattern(readText(tag_regex, 'tag_regex')),
  };
}

function readYaml(text: string): Record<string, unknown> {
  try {
    const read: unknown = parse(text, { maxAliasCount: 10 });
    if (read === null || read === undefined) return {};
    if (typeof read === 'object' && !Array.isArray(read)) return read as Record<string, unknown>;
  } catch {
    // Invalid YAML gets the same answer as YAML that is not a mapping.
  }
  throw failed('the configuration is no mapping of YAML');
}

function readCategories(value: unknown): Record<string, string> {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) throw failed('categories of the configuration are no mapping');
  return Object.fromEntries(Object.entries(value).map(([name, heading]) => [name, String(heading)]));
}

function readText(value: unknown, name: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string' || value.length > longestPattern)
    throw failed(`${name} of the configuration is no text`);
  return value;
}

/** The pattern has the groups `major`, `minor` and `patch`, and `pre` for a pre-release suffix. */
function readTagPattern(pattern: string | undefined): ChangelogConfig['versionOf'] {
  if (pattern === undefined) return plain.versionOf;
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(pattern.replaceAll('(?<', '(?P<').replaceAll('(?P<P<', '(?P<'));
  } catch {
    throw failed('tag_regex of the configuration is no regular expression');
  }
  const names = compiled.namedGroups();
  if (!['major', 'minor', 'patch'].every((name) => Object.hasOwn(names, name)))
    throw failed('tag_regex of the configuration names no major, minor and patch');
  return (tag) => {
    const matcher = compiled.matcher(tag);
    if (!matcher.find()) return undefined;
    const pre = Object.hasOwn(names, 'pre') ? matcher.group('pre') : null;
    return `${['major', 'minor', 'patch'].map((name) => matcher.group(name)).join('.')}${pre ? `-${pre}` : ''}`;
  };
}

const two = (number: number): string => String(number).padStart(2, '0');
const months = 'January February March April May June July August September October November December'.split(' ');

/** A date in a form of strftime: only its year, month and day directives. */
export function formatDay(date: Date, form: string): string {
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  const known: Record<string, string> = {
    ...{ Y: String(year), y: two(year % 100), m: two(month + 1), '-m': String(month + 1) },
    ...{ d: two(day), '-d': String(day), e: String(day).padStart(2, ' ') },
    ...{ B: months[month] ?? '', b: (months[month] ?? '').slice(0, 3), F: date.toISOString().slice(0, 10), '%': '%' },
  };
  return form.replace(/%(-?[A-Za-z%])/g, (whole, name: string) => known[name] ?? whole);
}
