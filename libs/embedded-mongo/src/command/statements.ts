import { decodeDocument } from '../bson/decode';
import type { Document } from '../bson/value';
import { MongoError } from '../errors';
import { MAX_WRITE_BATCH } from '../protocol/wire';
import { documentList } from './arguments';
import type { Call } from './command';

/**
 * The statements of an update or delete: in the command, or beside it as a document sequence.
 * @throws 40415 for a field no statement has, InvalidLength (16) for none or too many
 */
export function statementsOf({ body, sequences }: Call, name: string, fields: Set<string>): Document[] {
  const command = Object.keys(body)[0]!;
  if (body[name] === undefined && !sequences.has(name)) {
    throw new MongoError(40414, `BSON field '${command}.${name}' is missing but a required field`);
  }
  const statements =
    sequences.get(name)?.map((bytes) => decodeDocument(bytes)) ?? documentList(body[name], `${command}.${name}`);
  if (statements.length < 1 || statements.length > MAX_WRITE_BATCH) {
    throw new MongoError(
      'InvalidLength',
      `Write batch sizes must be between 1 and ${MAX_WRITE_BATCH}. Got ${statements.length} operations.`,
    );
  }
  for (const statement of statements) {
    for (const field of Object.keys(statement)) {
      if (!fields.has(field))
        throw new MongoError(40415, `BSON field '${command}.${name}.${field}' is an unknown field.`);
    }
  }
  return statements;
}
