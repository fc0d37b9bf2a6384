import { commonErrors, listProtections, type Page } from '@moothall/contracts';
import { Counters, findPage, isDuplicateKey } from '@moothall/database';
import { RecordsClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { NewProtection } from './new-protection';
import type { ProtectedRef } from './protected-ref.schema';
import { Protections } from './protections';

type Kind = ProtectedRef['kind'];

/** Queries on protected branches and tags. */
@Injectable()
export class ProtectedRefs {
  constructor(
    @InjectModel('ProtectedRef') private readonly refs: Model<ProtectedRef>,
    private readonly counters: Counters,
    private readonly records: RecordsClient,
  ) {}

  /** @returns null when the name is protected already */
  async add(protection: NewProtection): Promise<ProtectedRef | null> {
    const _id = await this.counters.next('protected_refs');
    try {
      return (await this.refs.create({ _id, ...protection })).toObject() as ProtectedRef;
    } catch (error) {
      if (isDuplicateKey(error)) return null;
      throw error;
    }
  }

  /** Adds a protection, or replaces the one of that name. */
  async put({ projectId, kind, name, ...rest }: NewProtection): Promise<void> {
    const added = await this.add({ projectId, kind, name, ...rest });
    if (!added) await this.refs.updateOne({ projectId, kind, name }, { $set: rest });
  }

  page(projectId: number, kind: Kind, input: { page: number; per_page: number }): Promise<Page<ProtectedRef>> {
    return findPage(this.refs, { projectId, kind }, { name: 1 }, input);
  }

  async all(projectId: number, kind: Kind): Promise<ProtectedRef[]> {
    return this.refs.find({ projectId, kind }).sort({ name: 1 }).lean<ProtectedRef[]>();
  }

  /** @throws common.not_found */
  async get(projectId: number, kind: Kind, name: string): Promise<ProtectedRef> {
    const found = await this.refs.findOne({ projectId, kind, name }).lean<ProtectedRef>();
    if (!found) throw commonErrors.notFound();
    return found;
  }

  /** @throws common.not_found */
  async change(projectId: number, name: string, changes: Partial<ProtectedRef>): Promise<ProtectedRef> {
    const changed = await this.refs
      .findOneAndUpdate({ projectId, kind: 'branch', name }, { $set: changes }, { returnDocument: 'after' })
      .lean<ProtectedRef>();
    if (!changed) throw commonErrors.notFound();
    return changed;
  }

  /** @returns false when there was none */
  async remove(projectId: number, kind: Kind, name: string): Promise<boolean> {
    return (await this.refs.deleteOne({ projectId, kind, name })).deletedCount > 0;
  }

  async removeOfProject(projectId: number): Promise<void> {
    await this.refs.deleteMany({ projectId });
  }

  allOf(projectId: number): Promise<ProtectedRef[]> {
    return this.refs.find({ projectId }).lean<ProtectedRef[]>();
  }

  /** All protections of a project, ready to be asked. */
  async readProtections(projectId: number): Promise<Protections> {
    return new Protections(await this.allOf(projectId));
  }

  /** As they are shown beside a repository: those of a copy are the primary's. */
  async readShown(project_id: number): Promise<Protections> {
    if (!this.records.areElsewhere) return this.readProtections(project_id);
    return new Protections(await this.records.call(listProtections, { project_id }));
  }
}
