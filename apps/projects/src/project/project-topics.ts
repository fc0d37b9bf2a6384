import { randomUUID } from 'node:crypto';
import { eachAlone, PeriodicJob } from '@moothall/background';
import { Counters, isDuplicateKey, Outbox } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { TopicDocument } from '../topic/topic.schema';
import type { ProjectDocument } from './project.schema';

/** Younger marks still belong to the process that wrote them. */
const leftAfterMs = 60_000;
const quietly = { timestamps: false } as const;

export const topicKey = (name: string): string => name.toLowerCase();

/**
 * Topics of projects as records, with the number of projects. Before projects change, their topics are marked; the last
 * process that marked a topic counts. See docs/api/projects.md#7.
 */
@Injectable()
export class ProjectTopics {
  constructor(
    @InjectModel('Topic') readonly model: Model<TopicDocument>,
    @InjectModel('Project') private readonly projects: Model<ProjectDocument>,
    private readonly counters: Counters,
    private readonly outbox: Outbox,
  ) {}

  /** Topics by name, with their stored spelling; missing ones are created. */
  async known(names: string[]): Promise<string[]> {
    const keys = names.map(topicKey);
    const found = await this.model.find({ nameKey: { $in: keys } }, { name: 1, nameKey: 1 }).lean<TopicDocument[]>();
    const byKey = new Map(found.map((topic) => [topic.nameKey, topic.name]));
    for (const name of names) {
      if (!byKey.has(topicKey(name))) byKey.set(topicKey(name), (await this.add({ name })).name);
    }
    return [...new Set(keys.map((key) => byKey.get(key) ?? key))];
  }

  /** The topic of that name: this one, or one that was added meanwhile. */
  private async add({ name }: { name: string }): Promise<TopicDocument> {
    const nameKey = topicKey(name);
    const fields = { _id: await this.counters.next('topics'), name, title: name, description: null, avatar: null };
    try {
      const topic = await this.model
        .findOneAndUpdate(
          { nameKey },
          { $setOnInsert: { ...fields, projectsCount: 0 } },
          { upsert: true, returnDocument: 'after' },
        )
        .lean<TopicDocument>();
      if (topic) return topic;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
    return this.add({ name });
  }

  /** Runs a change of the projects with these topics, and counts again. @throws the errors of `change` */
  async whileChanging<R>(names: string[], change: () => Promise<R>): Promise<R> {
    if (names.length === 0) return change();
    const recount = { id: randomUUID(), at: new Date() };
    const nameKey = { $in: names.map(topicKey) };
    await this.model.updateMany({ nameKey }, { $set: { recount } });
    const result = await change();
    await this.outbox.promptly(this.take(recount.id));
    return result;
  }

  private async take(id: string): Promise<void> {
    for (const topic of await this.model.find({ 'recount.id': id }).lean<TopicDocument[]>()) await this.count(topic);
  }

  private async count({ _id, name, recount }: TopicDocument): Promise<void> {
    const projectsCount = await this.projects.countDocuments({ topics: name });
    if (!recount) return;
    const still = { _id, 'recount.id': recount.id };
    await this.model.updateOne(still, { $set: { projectsCount }, $unset: { recount: '' } });
  }

  /** Applies a new name of a topic, or the replacement of a deleted one, to its projects. Idempotent. */
  async settle(topic: TopicDocument): Promise<void> {
    const { _id, formerNames = [], unsettledAt = new Date() } = topic;
    const isLeaving = topic.leavesTo !== undefined;
    const name = isLeaving ? topic.leavesTo : topic.name;
    const others = formerNames.filter((former) => former !== name);
    await this.whileChanging([...others, ...(name ? [name] : [])], async () => {
      for (const former of others) {
        if (name) await this.projects.updateMany({ topics: former }, { $addToSet: { topics: name } }, quietly);
        await this.projects.updateMany({ topics: former }, { $pull: { topics: former } }, quietly);
      }
      if (isLeaving) await this.model.deleteOne({ _id });
      else await this.model.updateOne({ _id, unsettledAt }, { $unset: { formerNames: '', unsettledAt: '' } });
    });
  }

  @PeriodicJob('topics', { everySeconds: 60 })
  async run(signal?: AbortSignal): Promise<void> {
    const left = { $lt: new Date(Date.now() - leftAfterMs) };
    await eachAlone(
      await this.model.find({ unsettledAt: left }).lean<TopicDocument[]>(),
      (one) => this.settle(one),
      signal,
    );
    await eachAlone(
      await this.model.find({ 'recount.at': left }).lean<TopicDocument[]>(),
      (one) => this.count(one),
      signal,
    );
  }
}

/** Topics that are in only one of the lists. */
export const changedTopics = (before: string[], after: string[]): string[] => [
  ...before.filter((name) => !after.includes(name)),
  ...after.filter((name) => !before.includes(name)),
];
