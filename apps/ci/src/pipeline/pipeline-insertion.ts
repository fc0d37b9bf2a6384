import type { EventRecord } from '@moothall/contracts';
import { EventPublisher } from '@moothall/messaging';
import { Injectable, Logger } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, mongo } from 'mongoose';
import { gather } from '../gather';
import type { Pipeline } from './pipeline.schema';
import { eventsOf } from './pipeline-events';

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

  private readonly written = gather<WithEvents, Pipeline>(async (pipelines) => {
    const failures = await this.insert(pipelines);
    await this.relay(pipelines.filter((_, index) => !failures.has(index)));
    return pipelines.map((pipeline, index) => failures.get(index) ?? pipeline);
  });

  /** @returns what kept some from being written, by their place */
  private async insert(pipelines: WithEvents[]): Promise<Map<number, Error>> {
    try {
      // Past Mongoose's casts, which would cost more than the write: these documents are complete and of the right types.
      await this.model.collection.insertMany(pipelines as never[], { ordered: false });
      return new Map();
    } catch (error) {
      if (!(error instanceof mongo.MongoBulkWriteError)) throw error;
      return new Map([error.writeErrors].flat().map((failure) => [failure.index, failureOf(failure)]));
    }
  }

  /** As the outbox does it; what cannot be sent now stays in the documents, and its sweep sends it. */
  private async relay(pipelines: WithEvents[]): Promise<void> {
    const events = pipelines.flatMap(({ outbox }) => outbox);
    if (events.length === 0) return;
    try {
      await Promise.all(events.map((event) => this.publisher.publish(event)));
      const ids = { _id: { $in: pipelines.map(({ _id }) => _id) } };
      const sent = { outbox: { id: { $in: events.map(({ id }) => id) } } };
      await this.model.collection.updateMany(ids as never, { $pull: sent } as never);
    } catch (error) {
      this.log.warn(`the sweep will send ${events.length} events: ${error}`);
    }
  }
}

const duplicateKey = 11_000;

/** In failures of a batch the driver keeps the server's text, but not the name of the key. */
function failureOf({ code, errmsg = '' }: mongo.WriteError): Error {
  const isTriggered = code === duplicateKey && errmsg.includes('triggerKey');
  return isTriggered ? new AlreadyTriggered(errmsg) : new mongo.MongoServerError({ message: errmsg, code });
}
