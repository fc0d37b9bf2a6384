import { batched } from '@moothall/background';
import type { EventRecord } from '@moothall/contracts';
import { collectionOf, insertEach, isDuplicateKey } from '@moothall/database';
import { EventPublisher } from '@moothall/messaging';
import { Injectable, Logger } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { Pipeline } from './pipeline.schema';
import { eventsOf } from './pipeline-events';

/** Limit of one command. */
const most = 200;

export type NewPipeline = Omit<Pipeline, 'createdAt' | 'updatedAt' | 'outbox'>;
type WithEvents = Pipeline & { outbox: EventRecord[] };

/** The pipeline of that schedule and due time exists. */
export class AlreadyTriggered extends Error {
  override name = 'AlreadyTriggered';
}

/**
 * Writes new pipelines with their events. Concurrent ones are written in one command, so that thousands of due
 * schedules create theirs within a minute.
 */
@Injectable()
export class PipelineInsertion {
  private readonly log = new Logger(PipelineInsertion.name);

  constructor(
    @InjectModel('Pipeline') private readonly model: Model<Pipeline>,
    private readonly publisher: EventPublisher,
  ) {}

  /** @throws AlreadyTriggered if one with the same `triggerKey` exists */
  async add(pipeline: NewPipeline): Promise<Pipeline> {
    const now = new Date();
    const dated = { ...pipeline, createdAt: now, updatedAt: now };
    return this.written({ ...dated, outbox: eventsOf(null, dated) });
  }

  private readonly written = batched<WithEvents, Pipeline>(
    async (pipelines) => {
      const failures = await this.insert(pipelines);
      await this.relay(pipelines.filter((_, index) => !failures.has(index)));
      return pipelines.map((pipeline, index) => failures.get(index) ?? pipeline);
    },
    { most },
  );

  /** @returns the failures, by index */
  private async insert(pipelines: WithEvents[]): Promise<Map<number, Error>> {
    // Without Mongoose's casts, which would cost more than the write: these documents are complete and of the right
    // types.
    const failures = await insertEach(collectionOf(this.model), pipelines);
    return new Map(
      [...failures].map(([at, error]) => [at, isTriggered(error) ? new AlreadyTriggered(error.message) : error]),
    );
  }

  /** Publishes the events like the outbox; after a failure they stay in the documents, for its periodic job. */
  private async relay(pipelines: WithEvents[]): Promise<void> {
    const events = pipelines.flatMap(({ outbox }) => outbox);
    if (events.length === 0) return;
    try {
      await Promise.all(events.map((event) => this.publisher.publish(event)));
      const ids = { _id: { $in: pipelines.map(({ _id }) => _id) } };
      const sent = { outbox: { id: { $in: events.map(({ id }) => id) } } };
      await collectionOf(this.model).updateMany(ids, { $pull: sent });
    } catch (error) {
      this.log.warn(`the periodic job will send ${events.length} events: ${error}`);
    }
  }
}

const isTriggered = (error: Error): boolean => isDuplicateKey(error, 'triggerKey');
