import { Int32 } from 'bson';
import { MongoError } from '../errors';
import { MAX_WRITE_BATCH } from '../protocol/wire';
import { prepareDocument } from '../write/prepare-document';
import { requireValid } from '../write/validation';
import { runStatements } from '../write/write-step';
import { flag, namespaceOf } from './arguments';
import type { Command } from './command';

/** @see https://www.mongodb.com/docs/manual/reference/command/insert/ */
export const insert: Command = {
  name: 'insert',
  arguments: ['documents', 'ordered', 'bypassDocumentValidation'],
  async run(call) {
    const { engine, body } = call;
    const namespace = namespaceOf(call);
    const documents = (call.sequences.get('documents') ?? body.documents) as Uint8Array[] | undefined;
    if (!Array.isArray(documents))
      throw new MongoError(40414, "BSON field 'insert.documents' is missing but a required field");
    if (documents.length < 1 || documents.length > MAX_WRITE_BATCH) {
      throw new MongoError(
        'InvalidLength',
        `Write batch sizes must be between 1 and ${MAX_WRITE_BATCH}. Got ${documents.length} operations.`,
      );
    }
    const ordered = body.ordered === undefined || flag(body.ordered, 'ordered');
    const bypass = flag(body.bypassDocumentValidation, 'bypassDocumentValidation');
    let inserted = 0;
    const writeErrors = await runStatements(engine, documents, ordered, (bytes) => ({
      tryAtOnce() {
        const { stored, document } = prepareDocument(bytes);
        const collection = engine.catalog.getOrCreate(namespace);
        if (!bypass) requireValid(engine, collection, document);
        collection.insert(stored, document);
        inserted++;
        return true;
      },
      takeTurns: async () => undefined,
    }));
    return { n: new Int32(inserted), ...writeErrors, ok: 1 };
  },
};
