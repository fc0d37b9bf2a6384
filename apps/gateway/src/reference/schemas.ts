import * as contracts from '@moothall/contracts';
import { z } from 'zod';

type Json = Record<string, unknown>;

interface Described {
  /** How a document refers to it: by name where it has one. */
  reference: Json;
  inline: Json;
}

const names = new Map<unknown, string>(
  Object.entries(contracts).flatMap(([name, value]) => (value instanceof z.ZodType ? [[value, name] as const] : [])),
);

/** Schemas of answers; those that many operations share, such as Project, stand in a document once. */
export class Schemas {
  readonly components: Record<string, Json> = {};
  private readonly known = new Map<z.ZodType, Described>();

  describe(schema: z.ZodType): Described {
    const known = this.known.get(schema);
    if (known) return known;
    const { $schema: _, ...inline } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Json;
    const name = names.get(schema);
    if (name) this.components[name] = inline;
    const described = { reference: name ? { $ref: `#/components/schemas/${name}` } : inline, inline };
    this.known.set(schema, described);
    return described;
  }
}
