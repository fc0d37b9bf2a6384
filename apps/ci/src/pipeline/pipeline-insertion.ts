import { batched } from '@moothall/background';
import type { EventRecord } from '@moothall/contracts';
import { collectionOf, insertEach, isDuplicateKey } from '@moothall/database';
import { EventPublisher } from '@moothall/messaging';
import { Injectable, Logger } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { Pipeline } from './pipeline.schema';
import { eventsOf } from './pipeline-events';

/** Of one command. */
const most = 200;

export type NewPipeline = Omit<Pipeline, 'createdAt' | 'updatedAt' | 'outbox'>;
type WithEvents = Pipeline & { outbox: EventRecord[] };

/** The pipeline of that schedule and due time exists. */
export class AlreadyTriggered extends Error {
  override name = 'AlreadyTriggered';
}

/**
 * Writes new pipelines with their events. Those made at the same time are written in one command, which is what lets
 * thousands of schedules that are due at once make theirs within the minute.
 */
@Injectable()
export class PipelineInsertion {
  private readonly log = new Logger(PipelineInsertion.name);

  constructor(
    @InjectModel('Pipeline') private readonly model: Model<Pipeline>,
    private readonly publisher: EventPublisher,
  ) {}

  /** @throws AlreadyTriggered when there is one of the same `triggerKey` */
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

  /** @returns what kept some from being written, by their place */
  private async insert(pipelines: WithEvents[]): Promise<Map<number, Error>> {
    // Past Mongoose's casts, which would cost more than the write: these documents are complete and of the right types.
    const failures = await insertEach(collectionOf(this.model), pipelines);
    return new Map(
      [...failures].map(([at, error]) => [at, isTriggered(error) ? new AlreadyTriggered(error.message) : error]),
    );
  }

  /** As the outbox does it; what cannot be sent now stays in the documents, and its periodic job sends it. */
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
