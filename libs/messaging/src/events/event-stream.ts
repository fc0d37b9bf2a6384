import { eventSubject, onlyGiven } from '@moothall/contracts';
import { Logger } from '@nestjs/common';
import { type JetStreamManager, NatsError, nanos, RetentionPolicy, StorageType, type StreamConfig } from 'nats';

export const eventStream = 'EVENTS';
export const deadLetterStream = 'DEAD_LETTERS';
export const deadLetterSubject = (durable: string): string => `dead_letters.${durable}`;

const day = 24 * 60 * 60;
const keptForDays = 7;
const deadLettersKeptForDays = 90;
const streamNotFound = 10059;
const nameInUse = 10058;
const subjectsOverlap = 10065;

/** The options of an operator; others stay unchanged. */
export interface EventStreamOptions {
  replicas?: number | undefined;
  storage?: 'file' | 'memory' | undefined;
  maxAgeSeconds?: number | undefined;
  duplicateWindowSeconds?: number | undefined;
}

const log = new Logger('EventStream');

/**
 * The stream of the events of all services, which each service consumes at its own pace and after a stop, and the
 * stream of dead letters. An existing stream, created by an operator, is kept, and updated with the configured
 * options.
 */
export async function ensureEventStream(manager: JetStreamManager, options: EventStreamOptions = {}): Promise<void> {
  const wanted = configOf(options);
  await ensure(manager, eventStream, [eventSubject('>')], wanted, {
    max_age: seconds(keptForDays * day),
    duplicate_window: seconds(2 * 60),
  });
  const { num_replicas, storage } = wanted;
  await ensure(
    manager,
    deadLetterStream,
    [deadLetterSubject('>')],
    onlyGiven<StreamConfig>({ num_replicas, storage }),
    {
      max_age: seconds(deadLettersKeptForDays * day),
      duplicate_window: seconds(2 * 60),
    },
  );
}

const seconds = (count: number): number => nanos(count * 1000);

function configOf(options: EventStreamOptions): Partial<StreamConfig> {
  const { replicas, storage, maxAgeSeconds, duplicateWindowSeconds } = options;
  return onlyGiven<StreamConfig>({
    num_replicas: replicas,
    storage: storage && (storage === 'memory' ? StorageType.Memory : StorageType.File),
    max_age: maxAgeSeconds && seconds(maxAgeSeconds),
    duplicate_window: duplicateWindowSeconds && seconds(duplicateWindowSeconds),
  });
}

async function ensure(
  manager: JetStreamManager,
  name: string,
  subjects: string[],
  wanted: Partial<StreamConfig>,
  defaults: Partial<StreamConfig>,
): Promise<void> {
  const found = await configFound(manager, name);
  if (found) return bringUpToDate(manager, found, subjects, wanted);
  try {
    await manager.streams.add({
      storage: StorageType.File,
      retention: RetentionPolicy.Limits,
      ...defaults,
      ...wanted,
      name,
      subjects,
    });
  } catch (error) {
    // Services start side by side, and may be of two versions. The subjects may also belong to a stream of another name.
    const other = mayBeMadeByAnother(error) && (await configFound(manager, name));
    if (!other) throw error;
    await bringUpToDate(manager, other, subjects, wanted);
  }
}

async function configFound(manager: JetStreamManager, name: string): Promise<StreamConfig | undefined> {
  try {
    return (await manager.streams.info(name)).config;
  } catch (error) {
    if (codeOf(error) === streamNotFound) return undefined;
    throw error;
  }
}

/** A failed update is logged and does not prevent the start: events are stored anyway. */
async function bringUpToDate(
  manager: JetStreamManager,
  found: StreamConfig,
  subjects: string[],
  wanted: Partial<StreamConfig>,
): Promise<void> {
  const { storage, ...changeable } = wanted;
  if (storage && storage !== found.storage)
    log.warn(`${found.name} stores events in ${found.storage}; this cannot be changed`);
  const missing = subjects.filter((subject) => !found.subjects.includes(subject));
  const changed = { ...found, ...changeable, subjects: [...found.subjects, ...missing] };
  if (JSON.stringify(changed) === JSON.stringify(found)) return;
  try {
    await manager.streams.update(found.name, changed);
  } catch (error) {
    if (missing.length > 0) throw error;
    log.warn(`${found.name} could not be updated: ${error}`);
  }
}

/** The errors of NATS while another process creates the same stream; they depend on its progress. */
export function mayBeMadeByAnother(error: unknown): boolean {
  const code = codeOf(error);
  return code === nameInUse || code === subjectsOverlap;
}

const codeOf = (error: unknown): number | undefined =>
  error instanceof NatsError ? error.jsError()?.err_code : undefined;
