import { eachAlone } from '@moothall/background';
import { Logger } from '@nestjs/common';
import type { Model } from 'mongoose';

/** A label or milestone: records refer to it by id. */
export interface Referred {
  _id: number;
  /** Those that this one replaces; set while the records that refer to them are updated. */
  absorbs?: number[];
}

/** Updates the records that refer to labels or milestones. */
export abstract class References<T extends Referred> {
  private readonly log = new Logger(References.name);

  constructor(private readonly repository: { readonly model: Model<T>; remove(record: T): Promise<void> }) {}

  /** Replaces or clears references on records. Idempotent. */
  protected abstract replace(former: number[], id: number | null): Promise<void>;

  /** Deletes one, and removes it from the records that refer to it before the caller gets an answer. */
  async remove(record: T): Promise<void> {
    await this.repository.remove(record);
    // It is deleted, and consumers of its event complete the rest: the caller does not get an error for what cannot be
    // retried.
    await this.replace([record._id], null).catch((error: unknown) =>
      this.log.warn(`the event will remove the references: ${error}`),
    );
  }

  /** Replaces the former ones. Idempotent. */
  async merge({ _id, absorbs = [] }: T): Promise<void> {
    await this.replace(absorbs, _id);
    const { model } = this.repository as unknown as { model: Model<Referred> };
    await model.deleteMany({ _id: { $in: absorbs } });
    await model.updateOne({ _id }, { $unset: { absorbs: 1 } }, { timestamps: false });
  }

  /** Completes interrupted promotions. */
  protected async mergeUnfinished(signal?: AbortSignal): Promise<void> {
    const unfinished = await this.repository.model.find({ absorbs: { $gt: 0 } } as object).lean<T[]>();
    await eachAlone(unfinished, (record) => this.merge(record), signal);
  }
}
