import { type EventData, type EventRecord, iterationDeleted } from '@moothall/contracts';
import { OnEvent } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection, Model } from 'mongoose';
import { References } from '../promotion/references';
import { Iterations } from './iteration.repository';
import type { IterationDocument } from './iteration.schema';

interface Referrer {
  iterationId?: number | null;
  revision: number;
}

/** Updates issues when their iteration is deleted. */
@Injectable()
export class IterationReferences extends References<IterationDocument> {
  constructor(
    @InjectConnection() private readonly connection: Connection,
    iterations: Iterations,
  ) {
    super(iterations);
  }

  /** Repeats the update after an interruption. */
  @OnEvent(iterationDeleted, 'IterationBearers-onDeleted')
  async onDeleted({ data }: EventRecord<EventData<typeof iterationDeleted>>): Promise<void> {
    await this.replace([data.iteration_id], null);
  }

  protected async replace(former: number[], iterationId: number | null): Promise<void> {
    const issues: Model<Referrer> = this.connection.model<Referrer>('Issue');
    await issues.updateMany({ iterationId: { $in: former } }, { $set: { iterationId }, $inc: { revision: 1 } });
  }
}
