import { BytesOutput, NoOutput, type Operation, operations, PageOutput, RawOutput } from '@moothall/contracts';
import { z } from 'zod';
import { exampleInput, resourceOf } from './example-input';
import { exampleOf, type Schema } from './example-of';

const routed = operations.filter(({ routes }) => routes.length > 0).map((one) => [one.name, one] as const);
const schemaOf = (schema: z.ZodType) => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema;

it.each(routed)('%s accepts its example', (_, operation) => {
  const example = exampleInput(operation, schemaOf(operation.input));
  expect(operation.input.safeParse({ ...filesOf(operation), ...example })).toMatchObject({ success: true });
});

it.each(routed.filter(([, { output }]) => itemOf(output)))('%s may answer its example', (_, operation) => {
  const item = itemOf(operation.output)!;
  const example = exampleOf(schemaOf(item), resourceOf(operation), resourceOf(operation));
  expect(item.safeParse(example)).toMatchObject({ success: true });
});

function itemOf(output: Operation['output']): z.ZodType | undefined {
  if (output instanceof PageOutput) return output.item;
  const isSchema = !(output instanceof NoOutput || output instanceof BytesOutput || output instanceof RawOutput);
  return isSchema ? output : undefined;
}

/** Examples leave out files. */
function filesOf({ input }: Operation): Record<string, unknown> {
  const { properties = {} } = schemaOf(input);
  const names = Object.keys(properties).filter((name) => properties[name]!.file !== undefined);
  return Object.fromEntries(names.map((name) => [name, { ticket: '' }]));
}
