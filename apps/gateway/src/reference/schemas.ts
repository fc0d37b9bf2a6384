import * as contracts from '@moothall/contracts';
import { type Operation, PageOutput } from '@moothall/contracts';
import { z } from 'zod';
import { resourceOf } from './example-input';
import { exampleOf, type Schema } from './example-of';
import { readable } from './readable';

type Json = Record<string, unknown>;

const prefix = '#/components/schemas/';
const options = { io: 'input', unrepresentable: 'any' } as const;

/**
 * The schemas of responses, each once: exported schemas of contracts keep their names, others are named after the first
 * operation that returns them, as `ci.lint.check.answer`. A nested schema with a name is a `$ref`.
 */
export class Schemas {
  private readonly names = z.registry<{ id: string }>();
  private readonly examples = new Map<string, unknown>();
  private readonly all: Record<string, Json>;
  private readonly used = new Set<string>();

  constructor(operations: readonly Operation[]) {
    for (const [name, value] of Object.entries(contracts)) {
      if (value instanceof z.ZodObject && !this.names.has(value)) this.names.add(value, { id: name });
    }
    for (const operation of operations) {
      const { output } = operation;
      const schema = output instanceof PageOutput ? output.item : output;
      if (schema instanceof z.ZodType) this.addAnswer(schema, operation);
    }
    const { schemas } = z.toJSONSchema(this.names, { ...options, uri: (id) => `${prefix}${id}` });
    this.all = schemas as Record<string, Json>;
  }

  private addAnswer(schema: z.ZodType, operation: Operation): void {
    if (!this.names.has(schema)) this.names.add(schema, { id: `${operation.name}.answer` });
    const { id } = this.names.get(schema) as { id: string };
    if (this.examples.has(id)) return;
    const resource = resourceOf(operation);
    this.examples.set(id, exampleOf(z.toJSONSchema(schema, options) as Schema, resource, resource));
  }

  /** @param schema the response of an operation, or an item of it */
  refer(schema: z.ZodType): Json {
    const { id } = this.names.get(schema) as { id: string };
    this.use(id);
    return { $ref: `${prefix}${id}` };
  }

  /** All referenced schemas, including nested ones. */
  get components(): Record<string, Json> {
    return Object.fromEntries(
      [...this.used].sort().map((id) => {
        const { $schema: _, $id: __, ...schema } = this.all[id] as Json;
        const example = this.examples.get(id);
        return [id, { ...readable(schema), ...(example !== undefined && { examples: [example] }) }];
      }),
    );
  }

  private use(id: string): void {
    if (this.used.has(id)) return;
    this.used.add(id);
    for (const [, inside] of JSON.stringify(this.all[id]).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g))
      this.use(inside as string);
  }
}
