import { Access, type AccessLevel, projectErrors, type Visibility } from '@moothall/contracts';
import { PointReads } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import type { UserGrants } from '../access/grants';
import { pathKeyOf, Routes } from '../namespace/routes';
import type { ProjectDocument } from './project.schema';

/** Queries on projects, except the lists of the API. */
@Injectable()
export class Projects {
  private readonly byId: PointReads<ProjectDocument>;

  constructor(
    @InjectModel('Project') readonly model: Model<ProjectDocument>,
    private readonly routes: Routes,
  ) {
    this.byId = new PointReads(model);
  }

  /** For display: the result is shared and must not be changed. @throws project.not_found */
  async getToShow(id: number): Promise<ProjectDocument> {
    const project = await this.byId.find(id);
    if (!project) throw projectErrors.notFound();
    return project;
  }

  /** @throws project.not_found */
  async get(id: number): Promise<ProjectDocument> {
    const project = await this.model.findById(id).lean<ProjectDocument>();
    if (!project) throw projectErrors.notFound();
    return project;
  }

  /**
   * By id or full path, also a former one; one query for a current path.
   * @throws project.not_found
   */
  async resolve(idOrPath: string): Promise<{ project: ProjectDocument; redirected: boolean }> {
    if (/^\d+$/.test(idOrPath)) return { project: await this.get(Number(idOrPath)), redirected: false };
    const project = await this.model.findOne({ pathKey: pathKeyOf(idOrPath) }).lean<ProjectDocument>();
    if (project) return { project, redirected: false };
    const formerId = await this.routes.formerTarget(idOrPath, 'project');
    if (formerId === undefined) throw projectErrors.notFound();
    return { project: await this.get(formerId), redirected: true };
  }

  /** Runs as many commands as a look-up of a moved one. @param looked whether the former path was looked up already */
  async lookAsForMoved(idOrPath: string, looked?: 'formerly'): Promise<void> {
    if (/^\d+$/.test(idOrPath)) return;
    if (!looked) await this.routes.formerTarget(idOrPath, 'project');
    await this.model.findById(0).lean();
  }

  async findByIds(ids: number[]): Promise<ProjectDocument[]> {
    return this.model.find({ _id: { $in: ids } }).lean<ProjectDocument[]>();
  }

  /** In the order of the namespace index. */
  newest(filter: QueryFilter<ProjectDocument>, limit: number) {
    return this.model.find(filter).sort({ createdAt: -1, _id: -1 }).limit(limit).lean<ProjectDocument[]>();
  }

  /** Projects with a due cleanup policy, longest overdue first. */
  async withCleanupDue(now: Date, limit: number): Promise<ProjectDocument[]> {
    const due = this.model.find({ cleanupAt: { $lte: now } }).sort({ cleanupAt: 1 });
    return due.limit(limit).lean<ProjectDocument[]>();
  }

  /** Sets the next date unless it changed meanwhile; `updated_at` stays. */
  async passCleanup(_id: number, cleanupAt: Date, next: Date | null): Promise<void> {
    await this.model.updateOne({ _id, cleanupAt }, { $set: { cleanupAt: next } }, { timestamps: false });
  }
}

const openTo = (isSignedIn: boolean, isExternal: boolean): Visibility[] =>
  isSignedIn && !isExternal ? ['public', 'internal'] : ['public'];

/**
 * Filter for the projects that a user may read, or has at least a level in.
 * @param least Access.None for all readable ones
 */
export function readableBy(grants: UserGrants, least: AccessLevel = Access.None): QueryFilter<ProjectDocument> {
  const { userId, isAdmin, isExternal } = grants.principal;
  if (isAdmin) return {};
  const visible = least === Access.None ? [{ visibility: { $in: openTo(userId !== null, isExternal) } }] : [];
  return { $or: [...visible, ...memberOf(grants, least)] };
}

/**
 * Filter conditions for the projects where a user has a level: directly, through a group, or in their own namespace.
 */
export function memberOf(grants: UserGrants, least: AccessLevel): QueryFilter<ProjectDocument>[] {
  const { userId } = grants.principal;
  const level = Math.max(least, Access.Guest);
  const parts: QueryFilter<ProjectDocument>[] = [
    { _id: { $in: grants.sources('project', level) } },
    { groupIds: { $in: grants.sources('group', level) } },
  ];
  return userId === null ? parts : [...parts, { ownerId: userId }];
}
