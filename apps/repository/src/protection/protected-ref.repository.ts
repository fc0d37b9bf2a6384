import { commonErrors, listProtections, type Page } from '@moothall/contracts';
import { Counters, containing, findInTurn, findPage, isDuplicateKey } from '@moothall/database';
import { RecordsClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { NewProtection } from './new-protection';
import type { ProtectedRef } from './protected-ref.schema';
import { Protections } from './protections';

type Kind = ProtectedRef['kind'];

/** Branches or tags in a query. */
interface Named {
  kind: Kind;
  names: string[];
}

/** Queries on protected branches and tags. */
@Injectable()
export class ProtectedRefs {
  constructor(
    @InjectModel('ProtectedRef') private readonly refs: Model<ProtectedRef>,
    private readonly counters: Counters,
    private readonly records: RecordsClient,
  ) {}

  /** @returns null if the name is already protected */
  async add(protection: NewProtection): Promise<ProtectedRef | null> {
    const _id = await this.counters.next('protected_refs');
    try {
      const isPattern = protection.name.includes('*');
      return (await this.refs.create({ _id, ...protection, isPattern })).toObject() as ProtectedRef;
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

  /** By name, filtered by a text if given. */
  page(
    projectId: number,
    kind: Kind,
    { search, ...input }: { search?: string | undefined; page: number; per_page: number },
  ): Promise<Page<ProtectedRef>> {
    const named = search && { name: containing(search, '') };
    return findPage(this.refs, { projectId, kind, ...named }, { name: 1 }, input);
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

  /** Protections of a project: all of them, or those that may match some branches or tags. */
  async readProtections(projectId: number, about?: Named): Promise<Protections> {
    return new Protections(await (about ? this.concerning(projectId, about) : this.allOf(projectId)));
  }

  /** The protections with these names, and every pattern: the caller selects those that match. */
  private async concerning(projectId: number, { kind, names }: Named): Promise<ProtectedRef[]> {
    return findInTurn(this.refs, () => [
      { filter: { projectId, kind, name: { $in: names } } },
      // Earlier versions stored null.
      { filter: { projectId, kind, isPattern: { $in: [true, null] } } },
    ]);
  }

  /** The protections to show beside a repository: those of a replica are the primary's. */
  async readShown(project_id: number, about: Named): Promise<Protections> {
    if (!this.records.areElsewhere) return this.readProtections(project_id, about);
    return new Protections(await this.records.call(listProtections, { project_id }));
  }
}
