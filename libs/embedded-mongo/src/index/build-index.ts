import type { Document } from '../bson/value';
import type { Engine } from '../engine';
import type { Collection } from '../storage/collection';
import { CollectionScan } from '../storage/scan';
import { Index } from './index-spec';

/** How long one turn of a build may hold the writer. */
const TURN_MS = 6;

/**
 * Makes an index on what the collection holds, while it is read and written on. New documents get their entries
 * from the start; those there already get theirs turn by turn. A build that fails, or is cut off by a crash, leaves no index.
 * @throws DuplicateKey (11000), CannotIndexParallelArrays (171)
 */
export async function buildIndex(engine: Engine, collection: Collection, spec: Document): Promise<void> {
  const { writer } = engine.store;
  const index = await writer.run(() => {
    collection.requirePresent();
    const made = new Index(engine.catalog.newIndexRecord(spec, collection.count === 0));
    collection.indexes = [...collection.indexes, made];
    engine.catalog.recordChanged(collection);
    return made;
  });
  if (index.record.ready) return;
  try {
    await fill(engine, collection, index);
  } catch (error) {
    await writer.run(() => engine.catalog.dropIndex(collection, index));
    engine.sweeper.wake();
    throw error;
  }
}

async function fill(engine: Engine, collection: Collection, index: Index): Promise<void> {
  const scan = new CollectionScan(engine.store, collection.id, false);
  const turn = (): boolean => {
    collection.requirePresent();
    const end = performance.now() + TURN_MS;
    while (performance.now() < end) {
      const recordId = scan.next();
      if (recordId === undefined) return finish(engine, collection, index);
      collection.addEntries(index, recordId, scan.bytes!);
    }
    scan.pause();
    return false;
  };
  while (!(await engine.store.writer.run(turn)));
}

function finish(engine: Engine, collection: Collection, index: Index): true {
  index.record.ready = true;
  engine.catalog.recordChanged(collection);
  return true;
}
