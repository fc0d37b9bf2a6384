import type { Document } from '../bson/value';
import type { Engine } from '../engine/engine';
import { Index } from '../index/index-spec';
import { findExisting } from '../index/validate-spec';
import type { Collection } from '../storage/collection';
import { CollectionScan } from '../storage/scan';

/** How long one step of a build may block the writer. */
const TURN_MS = 6;

/** Running builds: another request for the same index waits for it. */
const building = new WeakMap<Index, Promise<void>>();

/**
 * Builds an index of existing documents during reads and writes. New documents get their entries from the start,
 * existing ones step by step. A build that fails, or is interrupted by a crash, leaves no index. An existing index is
 * not changed.
 * @throws DuplicateKey (11000), CannotIndexParallelArrays (171); IndexOptionsConflict (85), IndexKeySpecsConflict
 * (86)
 */
export async function buildIndex(engine: Engine, collection: Collection, spec: Document): Promise<void> {
  // Checked and added in one transaction: two concurrent clients request the same index.
  const { index, isNew } = await engine.store.writer.run(() => {
    collection.requirePresent();
    const existing = findExisting(collection.indexes, spec);
    if (existing) return { index: existing, isNew: false };
    const made = new Index(engine.catalog.newIndexRecord(spec, collection.count === 0));
    collection.indexes = [...collection.indexes, made];
    engine.catalog.recordChanged(collection);
    return { index: made, isNew: true };
  });
  if (isNew && !index.record.ready) building.set(index, fillOrDrop(engine, collection, index));
  await building.get(index);
}

async function fillOrDrop(engine: Engine, collection: Collection, index: Index): Promise<void> {
  try {
    await fill(engine, collection, index);
  } catch (error) {
    await engine.store.writer.run(() => engine.catalog.dropIndex(collection, index));
    engine.garbageRemover.wake();
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
      if (recordId === undefined) return true;
      collection.addEntries(index, recordId, scan.bytes!);
    }
    scan.pause();
    return false;
  };
  while (!(await engine.store.writer.run(turn)));
  // Its last entries are stored by now: earlier queries would miss documents.
  await engine.store.writer.run(() => {
    collection.requirePresent();
    index.record.ready = true;
    engine.catalog.recordChanged(collection);
  });
}
