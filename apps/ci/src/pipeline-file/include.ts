import { z } from 'zod';
import { holds } from './expression';
import { PipelineFileError, type Variables } from './job-spec';

/** Where an included file is. What it includes by `local` is in the same place. */
export type IncludedFile =
  | { kind: 'local'; path: string }
  | { kind: 'project'; project: string; ref: string | null; path: string }
  | { kind: 'template'; name: string }
  | { kind: 'remote'; url: string };

/** Content of included files by {@link keyOf}, as far as it is known. */
export type IncludedFiles = Readonly<Record<string, string>>;

export const keyOf = (file: IncludedFile): string => JSON.stringify(file);

/** Files that have to be read before it goes on. */
export class FilesWanted extends Error {
  override name = 'FilesWanted';

  constructor(readonly files: IncludedFile[]) {
    super('included files are wanted');
  }
}

/** Of an address or path once variables are put in. */
const maxLength = 4096;

const conditions = {
  rules: z.array(z.object({ if: z.string().optional(), when: z.string().optional() }).strict()).optional(),
};
const entry = z.union([
  z.string().transform((text) => (/^https?:\/\//.test(text) ? { remote: text } : { local: text })),
  z.object({ local: z.string(), ...conditions }).strict(),
  z.object({ remote: z.string(), ...conditions }).strict(),
  z.object({ template: z.string(), ...conditions }).strict(),
  z
    .object({
      project: z.string(),
      file: z.union([z.string(), z.array(z.string())]),
      ref: z.union([z.string(), z.number()]).optional(),
      ...conditions,
    })
    .strict(),
]);
type Entry = z.infer<typeof entry>;

/**
 * The files that `include` names, in its order.
 * @param from the file that it stands in; null for the project's own
 * @param known what variables in it stand for
 * @throws PipelineFileError for what cannot be included
 */
export function readIncludes(include: unknown, from: IncludedFile | null, known: Variables): IncludedFile[] {
  return [include].flat().flatMap((given) => {
    const read = entry.safeParse(given);
    if (!read.success) {
      throw new PipelineFileError(
        `Include \`${JSON.stringify(given)?.slice(0, 200)}\` needs to match exactly one accessor: local, project, remote or template`,
      );
    }
    return isWanted(read.data, known) ? filesOf(read.data, from, known) : [];
  });
}

function isWanted(one: Entry, known: Variables): boolean {
  if (!('rules' in one) || !one.rules) return true;
  const rule = one.rules.find((each) => each.if === undefined || holds(each.if, known));
  return rule !== undefined && rule.when !== 'never';
}

function filesOf(one: Entry, from: IncludedFile | null, known: Variables): IncludedFile[] {
  const filled = (text: string) => {
    const whole = expand(text, known);
    if (whole.length > maxLength) throw new PipelineFileError(`Include \`${text.slice(0, 200)}\` is too long`);
    return whole;
  };
  if ('remote' in one) return [{ kind: 'remote', url: filled(one.remote) }];
  if ('template' in one) return [{ kind: 'template', name: filled(one.template) }];
  if ('project' in one) {
    const ref = one.ref === undefined ? null : filled(String(one.ref));
    const project = filled(one.project).replace(/^\//, '');
    return [one.file].flat().map((file) => ({ kind: 'project', project, ref, path: pathOf(filled(file)) }));
  }
  const path = pathOf(filled(one.local));
  if (from === null || from.kind === 'local') return [{ kind: 'local', path }];
  if (from.kind === 'project') return [{ ...from, path }];
  throw new PipelineFileError(`Local file \`${path}\` cannot be included by a file of another place`);
}

function pathOf(text: string): string {
  if (text.includes('*')) throw new PipelineFileError(`Include \`${text}\`: patterns of files are not supported`);
  return text.replace(/^\/+/, '');
}

/** A text with `$NAME` and `${NAME}` replaced; what is not known is empty. */
export const expand = (text: string, known: Variables): string =>
  text.replace(/\$(?:(\w+)|\{(\w+)\})/g, (_all, bare?: string, braced?: string) => {
    const name = bare ?? braced ?? '';
    return Object.hasOwn(known, name) ? (known[name] ?? '') : '';
  });
