import {
  type ContextOf,
  commonErrors,
  createTopic,
  deleteTopic,
  getTopic,
  getTopicAvatar,
  listTopics,
  mergeTopics,
  onlyGiven,
  type Page,
  type ParsedOf,
  type Topic,
  topicErrors,
  updateTopic,
} from '@moothall/contracts';
import { DataPort } from '@moothall/data-port';
import { Counters, findPage, isDuplicateKey } from '@moothall/database';
import { Handles } from '@moothall/messaging';
import { type ServiceSettings, settingsToken } from '@moothall/service';
import { Controller, Inject } from '@nestjs/common';
import type { QueryFilter, UpdateQuery } from 'mongoose';
import { Avatars } from '../../image/avatars';
import { ProjectTopics, topicKey } from '../../project/project-topics';
import { escapeRegex } from '../../project/search-filter';
import { mostFormerNames, type TopicDocument } from '../topic.schema';

/** Hides topics that are being deleted. */
const shown = { leavesTo: { $exists: false } } as const;

/** Operations on topics. See docs/api/projects.md#7. */
@Controller()
export class Topics {
  private readonly baseUrl: string;

  constructor(
    private readonly topics: ProjectTopics,
    private readonly counters: Counters,
    private readonly avatars: Avatars,
    private readonly dataPort: DataPort,
    @Inject(settingsToken) settings: ServiceSettings,
  ) {
    this.baseUrl = settings.EXTERNAL_URL.replace(/\/$/, '');
  }

  @Handles(listTopics)
  async list(_: ContextOf<typeof listTopics>, input: ParsedOf<typeof listTopics>): Promise<Page<Topic>> {
    const filter: QueryFilter<TopicDocument> = {
      ...shown,
      ...(input.search && { nameKey: { $regex: escapeRegex(topicKey(input.search)) } }),
      ...(input.without_projects && { projectsCount: 0 }),
    };
    const { items, total } = await findPage(this.topics.model, filter, { projectsCount: -1, _id: 1 }, input);
    return { items: items.map((topic) => this.view(topic)), total };
  }

  @Handles(getTopic)
  async get(_: ContextOf<typeof getTopic>, { id }: ParsedOf<typeof getTopic>): Promise<Topic> {
    return this.view(await this.find(id));
  }

  @Handles(createTopic)
  async create(_: ContextOf<typeof createTopic>, input: ParsedOf<typeof createTopic>): Promise<Topic> {
    const _id = await this.counters.next('topics');
    const { name, title = name, description = null } = input;
    if (await this.topics.model.exists({ nameKey: topicKey(name) })) throw topicErrors.taken();
    const avatar = (await this.avatars.take('topic', _id, input.avatar)) ?? null;
    const fields = { _id, name, nameKey: topicKey(name), title, description, avatar, projectsCount: 0 };
    return this.named(async () => this.view((await this.topics.model.create(fields)).toObject()));
  }

  @Handles(updateTopic)
  async update(_: ContextOf<typeof updateTopic>, input: ParsedOf<typeof updateTopic>): Promise<Topic> {
    const { id, name, title, description } = input;
    const topic = await this.find(id);
    const avatar = await this.avatars.take('topic', id, input.avatar, topic.avatar);
    const isRenamed = name !== undefined && name !== topic.name;
    if (isRenamed) requireRoom(topic);
    const changes: UpdateQuery<TopicDocument> = {
      $set: {
        ...onlyGiven({ title, description, avatar }),
        ...(isRenamed && { name, nameKey: topicKey(name), unsettledAt: new Date() }),
      },
      ...(isRenamed && { $addToSet: { formerNames: topic.name } }),
    };
    // Of two concurrent renames the second starts from the name that the first one set.
    const current = { _id: id, ...shown, ...(isRenamed && { name: topic.name }) };
    const changed = await this.named(() =>
      this.topics.model.findOneAndUpdate(current, changes, { returnDocument: 'after' }).lean<TopicDocument>(),
    );
    if (!changed) return this.update(_, input);
    // Also completes a rename that failed and is retried.
    if (changed.unsettledAt) await this.topics.settle(changed);
    return this.view(await this.find(id));
  }

  @Handles(deleteTopic)
  async delete(_: ContextOf<typeof deleteTopic>, { id }: ParsedOf<typeof deleteTopic>): Promise<void> {
    await this.leave(await this.findAlsoLeaving(id, null), null);
  }

  @Handles(mergeTopics)
  async merge(_: ContextOf<typeof mergeTopics>, input: ParsedOf<typeof mergeTopics>): Promise<Topic> {
    if (input.source_topic_id === input.target_topic_id) throw topicErrors.same();
    const target = await this.find(input.target_topic_id);
    const source = await this.findAlsoLeaving(input.source_topic_id, target.name);
    await this.leave(source, target.name);
    return this.view(await this.find(target._id));
  }

  @Handles(getTopicAvatar)
  async avatar(_: ContextOf<typeof getTopicAvatar>, { id, filename }: ParsedOf<typeof getTopicAvatar>) {
    const { avatar } = await this.find(id);
    if (avatar?.filename !== filename) throw commonErrors.notFound();
    return this.dataPort.presign('avatar', avatar);
  }

  /** Frees its name. Idempotent. */
  private async leave({ _id, name }: TopicDocument, leavesTo: string | null): Promise<void> {
    const going = { nameKey: `\0${_id}`, leavesTo, unsettledAt: new Date() };
    const left = await this.topics.model
      .findOneAndUpdate({ _id }, { $set: going, $addToSet: { formerNames: name } }, { returnDocument: 'after' })
      .lean<TopicDocument>();
    if (!left) throw topicErrors.notFound();
    await this.topics.settle(left);
    await this.avatars.forget('topic', _id);
  }

  /** A deletion is complete only after its projects are updated. */
  private async findAlsoLeaving(_id: number, leavesTo: string | null): Promise<TopicDocument> {
    const topic = await this.topics.model.findOne({ _id, $or: [shown, { leavesTo }] }).lean<TopicDocument>();
    if (!topic) throw topicErrors.notFound();
    return topic;
  }

  private async find(_id: number): Promise<TopicDocument> {
    const topic = await this.topics.model.findOne({ _id, ...shown }).lean<TopicDocument>();
    if (!topic) throw topicErrors.notFound();
    return topic;
  }

  private async named<T>(write: () => Promise<T>): Promise<T> {
    try {
      return await write();
    } catch (error) {
      throw isDuplicateKey(error, 'nameKey') ? topicErrors.taken() : error;
    }
  }

  private view({ _id, name, title, description, projectsCount, avatar }: TopicDocument): Topic {
    const path = `${this.baseUrl}/uploads/-/system/projects/topic/avatar/${_id}`;
    return {
      id: _id,
      name,
      title,
      description,
      total_projects_count: projectsCount,
      avatar_url: avatar && `${path}/${encodeURIComponent(avatar.filename)}`,
    };
  }
}

/** @throws common.unavailable while projects still have too many of its former names */
function requireRoom({ formerNames = [] }: TopicDocument): void {
  if (formerNames.length >= mostFormerNames) throw commonErrors.unavailable();
}
