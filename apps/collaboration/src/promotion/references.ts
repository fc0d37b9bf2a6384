import { eachAlone } from '@moothall/background';
import { Logger } from '@nestjs/common';
import type { Model } from 'mongoose';

/** A label or milestone: records refer to it by its id. */
export interface Referred {
  _id: number;
  /** Those that this one was made to take the place of; set while what refers to them still changes over. */
  absorbs?: number[];
}

/** Keeps what refers to labels, or to milestones, in step with them. */
export abstract class References<T extends Referred> {
  private readonly log = new Logger(References.name);

  constructor(private readonly repository: { readonly model: Model<T>; remove(record: T): Promise<void> }) {}

  /** Lets records refer to another, or to none, in place of former ones. May run again at any point. */
  protected abstract replace(former: number[], id: number | null): Promise<void>;

  /** Removes one for good, from what refers to it before the caller is answered. */
  async remove(record: T): Promise<void> {
    await this.repository.remove(record);
    // It is deleted, and consumers of its event do the rest: the caller does not get a failure that cannot be retried.
    await this.replace([record._id], null).catch((error: unknown) =>
      this.log.warn(`the event will remove the references: ${error}`),
    );
  }

  /** Lets one take the place of those it replaces. May run again at any point. */
  async merge({ _id, absorbs = [] }: T): Promise<void> {
    await this.replace(absorbs, _id);
    const { model } = this.repository as unknown as { model: Model<Referred> };
    await model.deleteMany({ _id: { $in: absorbs } });
    await model.updateOne({ _id }, { $unset: { absorbs: 1 } }, { timestamps: false });
  }

  /** Promotions that a stop has left unfinished. */
  protected async mergeUnfinished(signal?: AbortSignal): Promise<void> {
    const unfinished = await this.repository.model.find({ absorbs: { $gt: 0 } } as object).lean<T[]>();
    await eachAlone(unfinished, (record) => this.merge(record), signal);
  }
}
