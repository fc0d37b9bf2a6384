import { commonErrors, groupErrors } from '@moothall/contracts';
import { FieldReads } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { NamespaceDocument } from './namespace.schema';
import { pathKeyOf, Routes } from './routes';

const alive = { isDeleting: false } as const;

/** Queries on groups and user namespaces, except the lists of the API. */
@Injectable()
export class Namespaces {
  private readonly byId: FieldReads<NamespaceDocument, '_id'>;

  constructor(
    @InjectModel('Namespace') readonly model: Model<NamespaceDocument>,
    private readonly routes: Routes,
  ) {
    this.byId = new FieldReads(model, '_id', { filter: alive });
  }

  /** @throws common.not_found */
  async get(id: number): Promise<NamespaceDocument> {
    const namespace = await this.find(id);
    if (!namespace) throw commonErrors.notFound('404 Namespace Not Found');
    return namespace;
  }

  async find(id: number): Promise<NamespaceDocument | null> {
    return this.model.findOne({ _id: id, ...alive }).lean<NamespaceDocument>();
  }

  async findByPath(fullPath: string): Promise<NamespaceDocument | null> {
    return this.model.findOne({ pathKey: pathKeyOf(fullPath), ...alive }).lean<NamespaceDocument>();
  }

  async findOfUser(userId: number): Promise<NamespaceDocument | null> {
    return this.model.findOne({ ownerId: userId }).lean<NamespaceDocument>();
  }

  /** @throws group.not_found */
  async getGroup(id: number): Promise<NamespaceDocument> {
    const group = await this.model.findOne({ _id: id, kind: 'group', ...alive }).lean<NamespaceDocument>();
    if (!group) throw groupErrors.notFound();
    return group;
  }

  /**
   * A group by id or full path, also a former one; one query for a current path.
   * @throws group.not_found
   */
  async resolveGroup(idOrPath: string): Promise<{ group: NamespaceDocument; redirected: boolean }> {
    if (/^\d+$/.test(idOrPath)) return { group: await this.getGroup(Number(idOrPath)), redirected: false };
    const found = await this.findByPath(idOrPath);
    if (found?.kind === 'group') return { group: found, redirected: false };
    const formerId = await this.routes.formerTarget(idOrPath, 'namespace');
    if (formerId === undefined) throw groupErrors.notFound();
    return { group: await this.getGroup(formerId), redirected: true };
  }

  /** Runs as many commands as a look-up of a moved one. @param looked whether the former path was looked up already */
  async lookAsForMoved(idOrPath: string, looked?: 'formerly'): Promise<void> {
    if (/^\d+$/.test(idOrPath)) return;
    if (!looked) await this.routes.formerTarget(idOrPath, 'namespace');
    await this.model.findById(0).lean();
  }

  async findByIds(ids: Iterable<number>): Promise<Map<number, NamespaceDocument>> {
    const found = await this.byId.findAll(ids);
    return new Map([...found.values()].flat().map((namespace) => [namespace._id, namespace]));
  }

  /** Ids of a group and all groups below it. */
  async listWithDescendants(groupId: number): Promise<number[]> {
    const below = await this.model.find({ ancestorIds: groupId, ...alive }, { _id: 1 }).lean<{ _id: number }[]>();
    return [groupId, ...below.map(({ _id }) => _id)];
  }
}
