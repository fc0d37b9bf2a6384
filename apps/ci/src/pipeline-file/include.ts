import { z } from 'zod';
import { componentAt } from './component';
import { expand } from './expand';
import { PipelineFileError, type Variables } from './job-spec';
import { isMap, type YamlMap } from './read-yaml';
import type { RepositoryPaths } from './repository-paths';
import { flattened, ruleHolds, rulesKeyword } from './rules-keyword';

/** The place of an included file. Its `local` includes are in the same place. */
export type IncludedFile =
  | { kind: 'local'; path: string }
  | { kind: 'project'; project: string; ref: string | null; path: string }
  | { kind: 'template'; name: string }
  | { kind: 'artifact'; job: string; path: string }
  | { kind: 'component'; project: string; name: string; version: string; path: string | null }
  | { kind: 'remote'; url: string };

/** Content of included files by {@link keyOf}, as far as it is known. */
export type IncludedFiles = Readonly<Record<string, string>>;

export const keyOf = (file: IncludedFile): string => JSON.stringify(file);

/** Files that must be read first. */
export class FilesWanted extends Error {
  override name = 'FilesWanted';

  constructor(readonly files: IncludedFile[]) {
    super('included files are wanted');
  }
}

/** Limit of an address or path with resolved variables. */
const maxLength = 4096;

const common = {
  rules: rulesKeyword({ when: z.string().optional() }).optional(),
  inputs: z.record(z.string(), z.unknown()).optional(),
};
/** The forms of an entry, by the keyword that each of them has alone. */
const forms = {
  local: z.object({ local: z.string(), ...common }).strict(),
  project: z
    .object({
      project: z.string(),
      file: z.union([z.string(), z.array(z.string())]),
      ref: z.union([z.string(), z.number()]).optional(),
      ...common,
    })
    .strict(),
  remote: z.object({ remote: z.string(), ...common }).strict(),
  template: z.object({ template: z.string(), ...common }).strict(),
  artifact: z.object({ artifact: z.string(), job: z.string(), ...common }).strict(),
  component: z.object({ component: z.string(), ...common }).strict(),
};
type Entry = z.infer<(typeof forms)[keyof typeof forms]>;

/** The context of an `include`. */
export interface IncludeFacts {
  /** The file that contains it; null for the project's own. */
  from: IncludedFile | null;
  /** Variables in it. */
  known: Variables;
  paths: RepositoryPaths;
}

/** A file that another includes. */
export interface Inclusion {
  file: IncludedFile;
  /** Its inputs; undefined without any. */
  inputs: YamlMap | undefined;
}

/**
 * The files of an `include`, in its order.
 * @throws PipelineFileError for an invalid include
 */
export function readIncludes(include: unknown, facts: IncludeFacts): Inclusion[] {
  return [flattened(include)].flat().flatMap((given) => {
    const entry = readEntry(given);
    return isWanted(entry, facts) ? filesOf(entry, facts).map((file) => ({ file, inputs: entry.inputs })) : [];
  });
}

function readEntry(given: unknown): Entry {
  if (typeof given === 'string') return /^https?:\/\//.test(given) ? { remote: given } : { local: given };
  const shown = `Include \`${JSON.stringify(given)?.slice(0, 200)}\``;
  const [form, another] = Object.entries(forms).filter(([name]) => isMap(given) && Object.hasOwn(given, name));
  if (!form || another)
    throw new PipelineFileError(`${shown} needs to match exactly one accessor: ${Object.keys(forms).join(', ')}`);
  const read = form[1].safeParse(given);
  if (read.success) return read.data;
  const [{ path, message }] = read.error.issues as [z.core.$ZodIssue];
  throw new PipelineFileError(`${shown}: ${path.length > 0 ? `\`${path.join(':')}\` config is invalid` : message}`);
}

function isWanted(one: Entry, { known, paths }: IncludeFacts): boolean {
  if (!one.rules) return true;
  const rule = one.rules.find((each) => ruleHolds(each, known, paths));
  return rule !== undefined && rule.when !== 'never';
}

function filesOf(one: Entry, { from, known, paths }: IncludeFacts): IncludedFile[] {
  const filled = (text: string) => {
    const whole = expand(text, known);
    if (whole.length > maxLength) throw new PipelineFileError(`Include \`${text.slice(0, 200)}\` is too long`);
    return whole;
  };
  if ('remote' in one) return [{ kind: 'remote', url: filled(one.remote) }];
  if ('template' in one) return [{ kind: 'template', name: filled(one.template) }];
  if ('artifact' in one) return [{ kind: 'artifact', job: filled(one.job), path: pathOf(filled(one.artifact)) }];
  if ('component' in one) return [componentAt(filled(one.component), known)];
  if ('project' in one) {
    const ref = one.ref === undefined ? null : filled(String(one.ref));
    const project = filled(one.project).replace(/^\//, '');
    return [one.file].flat().map((file) => ({ kind: 'project', project, ref, path: pathOf(filled(file)) }));
  }
  const path = pathOf(filled(one.local));
  if (from?.kind === 'remote' || from?.kind === 'template') {
    throw new PipelineFileError(`Local file \`${path}\` cannot be included by a file of another place`);
  }
  if (from?.kind === 'component') return [{ ...from, path }];
  const { project, ref } = from?.kind === 'project' ? from : { project: null, ref: null };
  const all = path.includes('*') ? paths.matching(path, { project, ref }).filter(isYaml) : [path];
  return all.map((each) => (from?.kind === 'project' ? { ...from, path: each } : { kind: 'local', path: each }));
}

const pathOf = (text: string): string => text.replace(/^\/+/, '');

/** Patterns mean files of this kind alone. */
const isYaml = (path: string): boolean => /\.ya?ml$/.test(path);
