import { batched } from '@moothall/background';
import { type Caller, issueErrors, type ProjectRef } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { IssueDocument } from './issue.schema';
import { isHiddenFrom } from './visible-issues';

/** An issue by its number in a project. */
interface IssueKey {
  projectId: number;
  iid: number;
}

/** Internal fields of the service. */
const hidden = { journal: 0, outbox: 0 } as const;

/** Single issues; lists are in {@link IssueList}. */
@Injectable()
export class Issues {
  private readonly reads = batched<IssueKey, IssueDocument | null>((keys) => this.readAll(keys, hidden));
  private readonly readsForNotes = batched<IssueKey, IssueDocument | null>((keys) =>
    this.readAll(keys, { ...hidden, description: 0 }),
  );

  constructor(@InjectModel('Issue') readonly model: Model<IssueDocument>) {}

  /** By number in a project, if the caller may see it. @throws issue.not_found */
  async get(project: ProjectRef, iid: number, caller: Caller | undefined): Promise<IssueDocument> {
    return shown(await this.model.findOne({ projectId: project.id, iid }).lean<IssueDocument>(), project, caller);
  }

  /**
   * The same for display. Concurrent calls share one query; the result is shared and must not be changed. @throws
   * issue.not_found
   */
  async getToShow(project: ProjectRef, iid: number, caller: Caller | undefined): Promise<IssueDocument> {
    return shown(await this.reads({ projectId: project.id, iid }), project, caller);
  }

  /** The same without the description, which notes do not need. @throws issue.not_found */
  async getForNotes(project: ProjectRef, iid: number, caller: Caller | undefined): Promise<IssueDocument> {
    return shown(await this.readsForNotes({ projectId: project.id, iid }), project, caller);
  }

  private async readAll(keys: IssueKey[], projection: Record<string, 0>): Promise<(IssueDocument | null)[]> {
    const numbers = new Map<number, Set<number>>();
    for (const { projectId, iid } of keys) numbers.set(projectId, (numbers.get(projectId) ?? new Set()).add(iid));
    const found = await Promise.all(
      [...numbers].map(([projectId, iids]) => this.readOfProject(projectId, [...iids], projection)),
    );
    const issues = new Map(found.flat().map((issue) => [`${issue.projectId}/${issue.iid}`, issue]));
    return keys.map(({ projectId, iid }) => issues.get(`${projectId}/${iid}`) ?? null);
  }

  /** Reads without Mongoose, whose hydration costs as much as the query. */
  private readOfProject(projectId: number, iids: number[], projection: Record<string, 0>): Promise<IssueDocument[]> {
    const filter = { projectId, iid: { $in: iids } };
    return this.model.collection.find<IssueDocument>(filter, { projection }).toArray();
  }

  /** By its global id. @throws issue.not_found */
  async getById(id: number): Promise<IssueDocument> {
    const issue = await this.model.findById(id).lean<IssueDocument>();
    if (!issue) throw issueErrors.notFound();
    return issue;
  }
}

/** @throws issue.not_found, also if the caller may not see it */
function shown(issue: IssueDocument | null, project: ProjectRef, caller: Caller | undefined): IssueDocument {
  if (!issue || isHiddenFrom(issue, caller, project.accessLevel)) throw issueErrors.notFound();
  return issue;
}
