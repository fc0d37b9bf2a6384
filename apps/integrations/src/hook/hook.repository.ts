import { hookErrors, type Page, subscriberChanged } from '@moothall/contracts';
import { Counters, findPage, newEvent, Outbox } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { SubscriberCache } from '../events/subscriber-cache';
import type { Hook } from './hook.schema';

/** The owner of hooks. */
export type HookOwner = Pick<Hook, 'kind' | 'parentId'>;
export type MatchingHook = Pick<Hook, '_id' | 'kind' | 'parentId' | 'branchFilter' | 'branchFilterStrategy'>;
export type NewHook = Omit<Hook, '_id' | 'createdAt' | 'outbox'>;

/** Queries on hooks. */
@Injectable()
export class Hooks {
  constructor(
    @InjectModel('Hook') private readonly hooks: Model<Hook>,
    private readonly counters: Counters,
    private readonly outbox: Outbox,
    private readonly subscriberCache: SubscriberCache,
  ) {}

  async add(hook: NewHook): Promise<Hook> {
    const document = { ...hook, _id: await this.counters.next('hooks'), createdAt: new Date() };
    const added = await this.outbox.insert(this.hooks, document, changeOf(hook));
    await this.subscriberCache.invalidate(hook);
    return added;
  }

  page({ kind, parentId }: HookOwner, input: { page: number; per_page: number }): Promise<Page<Hook>> {
    return findPage(this.hooks, { kind, parentId }, { _id: 1 }, input);
  }

  count({ kind, parentId }: HookOwner): Promise<number> {
    return this.hooks.countDocuments({ kind, parentId });
  }

  find(id: number): Promise<Hook | null> {
    return this.hooks.findById(id).lean<Hook>();
  }

  /** Hooks of some owners with an event enabled, without their secrets; all of them if no event is given. */
  matching(owners: readonly HookOwner[], under: string | null): Promise<MatchingHook[]> {
    const $or = owners.map(({ kind, parentId }) => ({ kind, parentId }));
    const on = under !== null && { [`switches.${under}`]: true };
    const shown = { kind: 1, parentId: 1, branchFilter: 1, branchFilterStrategy: 1 } as const;
    return this.hooks.find({ $or, ...on }, shown).lean<MatchingHook[]>();
  }

  /** Ids of an owner's hooks. */
  async idsOf({ kind, parentId }: HookOwner): Promise<number[]> {
    return (await this.hooks.find({ kind, parentId }, { _id: 1 }).lean<Hook[]>()).map(({ _id }) => _id);
  }

  /** @throws hook.not_found also for hooks of another owner */
  async get({ kind, parentId }: HookOwner, id: number): Promise<Hook> {
    const hook = await this.hooks.findOne({ _id: id, kind, parentId }).lean<Hook>();
    if (!hook) throw hookErrors.notFound();
    return hook;
  }

  /** Absent fields stay unchanged, also with concurrent changes of others. @throws hook.not_found */
  async change(
    { kind, parentId }: HookOwner,
    id: number,
    changes: Partial<Omit<Hook, 'switches'>>,
    switches: Hook['switches'],
  ): Promise<Hook> {
    const named = Object.fromEntries(Object.entries(switches).map(([name, isOn]) => [`switches.${name}`, isOn]));
    const update = { $set: { ...changes, ...named } };
    const changed = await this.outbox.update(this.hooks, { _id: id }, update, changeOf({ kind, parentId }));
    if (!changed) throw hookErrors.notFound();
    await this.subscriberCache.invalidate({ kind, parentId });
    return changed;
  }

  async remove(id: number): Promise<void> {
    await this.hooks.deleteOne({ _id: id });
  }
}

const changeOf = ({ kind, parentId }: HookOwner) => newEvent(subscriberChanged, { kind, parent_id: parentId });
