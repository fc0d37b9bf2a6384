import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import Ajv, { type ErrorObject } from 'ajv';
import addFormats from 'ajv-formats';

/** A violation of a schema: the path, such as `/items/0/author` with `*` for every index, and the rule. */
export interface Difference {
  schema: string;
  at: string;
  rule: string;
}

const base = 'https://schemas.invalid/';

/** A folder of JSON schemas (draft 7) that refer to each other by relative paths. */
export class SchemaFolder {
  private readonly ajv = addFormats(new Ajv({ allErrors: true, strict: false }));
  private readonly texts = new Map<string, string>();

  constructor(folder: string) {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'));
    if (names.length === 0) throw new Error(`no JSON schemas in ${folder}`);
    for (const name of names.map((each) => each.split(path.sep).join('/'))) {
      const text = readFileSync(path.join(folder, name), 'utf8');
      this.texts.set(name, text);
      this.ajv.addSchema({ ...JSON.parse(text), $id: base + name });
    }
    // A collection of schemas may be an extract; references to missing schemas are ignored.
    const missing = new Set(
      this.names.flatMap((name) => [...this.parts(name)]).filter((name) => !this.texts.has(name)),
    );
    for (const name of missing) this.ajv.addSchema({ $id: base + name });
  }

  get names(): string[] {
    return [...this.texts.keys()].sort();
  }

  /**
   * @param schema file name; with `#/items` for one record of a list
   * @throws for a schema that is not in the folder
   */
  differences(schema: string, body: unknown): Difference[] {
    const validate = this.ajv.getSchema(base + schema);
    if (!validate) throw new Error(`there is no schema ${schema}`);
    if (validate(body)) return [];
    // If all alternatives failed, only the choice is reported: their reasons would contradict each other.
    const problems = validate.errors!.filter(({ schemaPath }) => !/\/(oneOf|anyOf)\//.test(schemaPath));
    const all = problems.map((error) => `${placeOf(error)} ${error.keyword}`);
    return [...new Set(all)].map((each) => {
      const [at, rule] = each.split(' ') as [string, string];
      return { schema, at, rule };
    });
  }

  /** The schema and those it refers to, directly or indirectly. */
  parts(schema: string): Set<string> {
    const found = new Set<string>();
    const visit = (name: string): void => {
      if (found.has(name)) return;
      found.add(name);
      for (const [, target] of (this.texts.get(name) ?? '').matchAll(/"\$ref":\s*"([^"#]+)/g))
        visit(path.posix.join(path.posix.dirname(name), target!));
    };
    visit(schema.split('#')[0]!);
    return found;
  }
}

function placeOf({ instancePath, params }: ErrorObject): string {
  const named: unknown = params.missingProperty ?? params.additionalProperty;
  const where = named === undefined ? instancePath : `${instancePath}/${named}`;
  return where.replace(/\/\d+(?=\/|$)/g, '/*') || '/';
}
