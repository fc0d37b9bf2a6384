import { z } from 'zod';
import { expandUpTo } from './expand';
import { compilePattern, isPattern } from './expression';
import type { Budget } from './file-limits';
import { PipelineFileError, type Variables } from './job-spec';
import { isMap, ownValue, type YamlMap } from './read-yaml';

/*
 * Inputs of a file: a first YAML document declares them under `spec`, the second one uses them as `$[[ inputs.name
 * ]]`, and the including file sets their values. See docs/api/pipeline-files.md#3.
 */

const types = ['string', 'number', 'boolean', 'array'] as const;
type Type = (typeof types)[number];

const declaration = z
  .object({
    type: z.enum(types).default('string'),
    default: z.unknown().optional(),
    description: z.string().optional(),
    options: z.array(z.unknown()).max(50).optional(),
    regex: z.string().max(1000).optional(),
  })
  .strict();
type Declaration = z.infer<typeof declaration>;

const header = z
  .object({
    spec: z
      .object({
        inputs: z.record(
          z.string(),
          declaration.nullable().transform((one) => one ?? declaration.parse({})),
        ),
      })
      .partial()
      .strict()
      .nullable(),
  })
  .strict();

const isOfType: Record<Type, (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  array: Array.isArray,
};

/** The context of a file with inputs. */
export interface InputFacts {
  /** From the `include` of the file; undefined without any. */
  given: YamlMap | undefined;
  known: Variables;
  budget: Budget;
}

/**
 * Inserts the inputs of a file.
 * @param declared its first document; undefined if there is only one, which is then unchanged
 * @throws PipelineFileError for missing, undeclared or invalid inputs
 */
export function withInputs(body: YamlMap, declared: YamlMap | undefined, { given, ...facts }: InputFacts): YamlMap {
  if (!declared) {
    if (given) throw new PipelineFileError('inputs are given to a file that declares none in `spec`');
    return body;
  }
  const { spec } = readHeader(declared);
  const values = valuesOf(spec?.inputs ?? {}, given ?? {});
  return new Interpolation(values, facts).map(body, 0);
}

function readHeader(declared: YamlMap): z.infer<typeof header> {
  const read = header.safeParse(declared);
  if (read.success) return read.data;
  const [issue] = read.error.issues as [z.core.$ZodIssue];
  const wrong = issue.code === 'unrecognized_keys' ? `contains unknown keys: ${issue.keys.join(', ')}` : 'is invalid';
  throw new PipelineFileError(`${['header', ...issue.path.map(String)].join(':')} config ${wrong}`);
}

function valuesOf(declared: Record<string, Declaration>, given: YamlMap): Map<string, unknown> {
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(declared, name));
  if (unknown.length > 0) throw new PipelineFileError(`unknown input arguments: ${unknown.join(', ')}`);
  return new Map(
    Object.entries(declared).map(([name, one]) => {
      const value = ownValue(given, name) ?? one.default;
      const problem = value === undefined ? 'required value has not been provided' : problemOf(value, one);
      if (problem) throw new PipelineFileError(`\`${name}\` input: ${problem}`);
      return [name, value];
    }),
  );
}

function problemOf(value: unknown, { type, options, regex }: Declaration): string | undefined {
  if (!isOfType[type](value)) return `provided value is not ${type === 'array' ? 'an' : 'a'} ${type}`;
  if (options && !options.includes(value))
    return `\`${(typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 100)}\` cannot be used because it is not in the list of allowed options`;
  if (regex === undefined) return undefined;
  const pattern = compilePattern(isPattern(regex) ? regex : `/${regex}/`);
  return pattern.matcher(String(value)).find() ? undefined : 'provided value does not match required RegEx pattern';
}

interface Block {
  start: number;
  end: number;
  /** As `inputs.name | truncate(0, 8)`. */
  inside: string;
}

/** The blocks `$[[ … ]]` of a text, in linear time; those of `matrix` belong to parallel jobs. */
function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let start = text.indexOf('$[[');
  while (start >= 0) {
    const close = text.indexOf(']]', start);
    if (close < 0) break;
    const end = close + 2;
    const inside = text.slice(start + 3, close).trim();
    if (!inside.startsWith('matrix.')) blocks.push({ start, end, inside });
    start = text.indexOf('$[[', end);
  }
  return blocks;
}

class Interpolation {
  /** Total length of the assembled texts. */
  private length = 0;

  constructor(
    private readonly values: ReadonlyMap<string, unknown>,
    private readonly facts: Omit<InputFacts, 'given'>,
  ) {}

  map(value: YamlMap, depth: number): YamlMap {
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [String(this.text(key)), this.any(one, depth + 1)]),
    );
  }

  private any(value: unknown, depth: number): unknown {
    this.facts.budget.spend(1);
    this.facts.budget.requireDepth(depth);
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((one) => this.any(one, depth + 1));
    return isMap(value) ? this.map(value, depth) : value;
  }

  /** A text that consists of one input becomes its value, with its type. */
  private text(text: string): unknown {
    const blocks = blocksOf(text);
    const [only] = blocks;
    if (only && only.start === 0 && only.end === text.length) return this.valueOf(only.inside);
    let from = 0;
    let whole = '';
    for (const { start, end, inside } of blocks) {
      whole += text.slice(from, start) + this.counted(written(this.valueOf(inside)));
      from = end;
    }
    return whole + text.slice(from);
  }

  /** @param inside as `inputs.name | truncate(0, 8)` */
  private valueOf(inside: string): unknown {
    const [name = '', ...functions] = inside.split('|').map((part) => part.trim());
    const [, input = ''] = /^inputs\.([\w-]+)$/.exec(name) ?? [];
    if (!this.values.has(input)) throw new PipelineFileError(`unknown interpolation key: \`${name.slice(0, 100)}\``);
    return functions.reduce((value, one) => this.applied(one, value), this.values.get(input));
  }

  private applied(call: string, value: unknown): unknown {
    const [, name = '', offset, length] = /^(\w+)(?:\(\s*(\d{1,9})\s*,\s*(\d{1,9})\s*\))?$/.exec(call) ?? [];
    if (typeof value !== 'string') throw new PipelineFileError(`\`${call.slice(0, 100)}\` takes a string alone`);
    if (name === 'truncate' && length) return value.slice(Number(offset), Number(offset) + Number(length));
    if (name === 'expand_vars' && !length) {
      return this.counted(expandUpTo(this.facts.budget.limits.sizeBytes, value, this.facts.known));
    }
    if (name === 'posix_escape' && !length) return this.counted(value.replace(/[^\w\-.,:+/@\n]/g, '\\$&'));
    throw new PipelineFileError(`no function matching \`${call.slice(0, 100)}\``);
  }

  /** An input may be long and occur any number of times. */
  private counted(text: string): string {
    this.length += text.length;
    if (this.length > this.facts.budget.limits.sizeBytes) throw new PipelineFileError('The parsed YAML is too big');
    return text;
  }
}

const written = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
