import { createHash } from 'node:crypto';
import type { z } from 'zod';
import {
  BytesOutput,
  type EventContract,
  NoOutput,
  type Operation,
  PageOutput,
  RawOutput,
  writtenRoute,
} from '../operation';
import { type Shape, shapeOf } from './shape';

/** The contracts as others may rely on them: operations with the keys of their shapes, events likewise. */
export interface ContractRecord {
  /** `output` is the kind of the answer, and the key of its shape, or that of its items. */
  operations: Record<string, { routes?: string[]; isByStorage?: true; input: string; output: string }>;
  events: Record<string, string>;
  /** Many contracts share one. */
  shapes: Record<string, Shape>;
}

export function recordOf(operations: readonly Operation[], events: readonly EventContract[]): ContractRecord {
  const shapes: Record<string, Shape> = {};
  const keep = (shape: Shape): string => {
    const key = createHash('sha256').update(JSON.stringify(shape)).digest('hex').slice(0, 10);
    shapes[key] = shape;
    return key;
  };
  const described = operations.map((operation) => {
    const routes = operation.routes.map((route) => `${route.method} ${writtenRoute(route)}`);
    const record = {
      ...(routes.length > 0 && { routes }),
      ...(operation.routedByStorage && { isByStorage: true as const }),
      input: keep(shapeOf(operation.input)),
      output: outputOf(operation, (schema) => keep(shapeOf(schema))),
    };
    return [operation.name, record] as const;
  });
  return {
    operations: sorted(described),
    events: sorted(events.map(({ name, data }) => [name, keep(shapeOf(data))])),
    shapes: sorted(Object.entries(shapes)),
  };
}

function outputOf({ output }: Operation, keyOf: (schema: z.ZodType) => string): string {
  if (output instanceof PageOutput) return `page ${keyOf(output.item)}`;
  if (output instanceof BytesOutput) return 'bytes';
  if (output instanceof RawOutput) return 'raw';
  if (output instanceof NoOutput) return 'nothing';
  return `json ${keyOf(output as z.ZodType)}`;
}

const sorted = <T>(entries: readonly (readonly [string, T])[]): Record<string, T> =>
  Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));

/** One line for each operation, event and shape, so that a change is a line. */
export function render({ operations, events, shapes }: ContractRecord): string {
  const lines = (values: object) =>
    Object.entries(values)
      .map(([key, value]) => `    ${JSON.stringify(key)}: ${JSON.stringify(value)}`)
      .join(',\n');
  const part = (name: string, values: object) => `  "${name}": {\n${lines(values)}\n  }`;
  return `{\n${[part('operations', operations), part('events', events), part('shapes', shapes)].join(',\n')}\n}\n`;
}
