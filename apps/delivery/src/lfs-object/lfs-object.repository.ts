import { isDuplicateKey, writeAll } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { LfsObject } from './lfs-object.schema';

const idOf = (projectId: number, oid: string): string => `${projectId}/${oid}`;
const remains = { isLeaving: { $ne: true } };
/** Batch size. */
const atOnce = 1000;
/** Limit of projects for one object. */
const mostHolders = 100;

/** Every query on the LFS objects of projects. */
@Injectable()
export class LfsObjects {
  constructor(@InjectModel('LfsObject') private readonly objects: Model<LfsObject>) {}

  find(projectId: number, oid: string): Promise<LfsObject | null> {
    return this.objects.findOne({ _id: idOf(projectId, oid), ...remains }).lean<LfsObject>();
  }

  /** The project's objects among some, by oid. */
  async among(projectId: number, oids: readonly string[]): Promise<Map<string, LfsObject>> {
    const ids = oids.map((oid) => idOf(projectId, oid));
    const found = await this.objects.find({ _id: { $in: ids }, ...remains }).lean<LfsObject[]>();
    return new Map(found.map((object) => [object.oid, object]));
  }

  /** Projects that refer to contents, by content; at most a hundred each. */
  async projectsOf(contentIds: readonly number[]): Promise<Map<number, number[]>> {
    const held = { contentId: { $in: [...contentIds] }, ...remains };
    const projects = new Map<number, number[]>();
    const found = this.objects.find(held, { contentId: 1, projectId: 1 }).lean<LfsObject>().cursor();
    for await (const { contentId, projectId } of found) {
      const known = projects.get(contentId) ?? [];
      if (known.length < mostHolders) projects.set(contentId, [...known, projectId]);
    }
    return projects;
  }

  /** Adds an object with its content to a project. */
  async put(given: Pick<LfsObject, 'projectId' | 'oid' | 'sizeBytes' | 'contentId'>): Promise<void> {
    const write = () =>
      this.objects.updateOne(
        { _id: idOf(given.projectId, given.oid) },
        { $set: given, $unset: { isLeaving: 1 } },
        { upsert: true },
      );
    await write().catch((error: unknown) => {
      // A concurrent request inserted it.
      if (isDuplicateKey(error)) return write();
      throw error;
    });
  }

  /** Gives a project some objects of another one. */
  async giveAll(projectId: number, objects: readonly LfsObject[]): Promise<void> {
    const given = objects.map(({ oid, sizeBytes, contentId }) => ({ projectId, oid, sizeBytes, contentId }));
    await writeAll(
      this.objects.collection,
      given.map((object) => ({
        updateOne: { filter: { _id: idOf(projectId, object.oid) }, update: { $set: object }, upsert: true },
      })),
    );
  }

  async take(projectId: number, oids: readonly string[]): Promise<void> {
    await this.objects.deleteMany({ _id: { $in: oids.map((oid) => idOf(projectId, oid)) } });
  }

  /** All objects of a project, in batches. */
  async *ofProject(projectId: number, filter: object = remains): AsyncGenerator<LfsObject[]> {
    for (let after = ''; ; ) {
      const some = await this.objects
        .find({ projectId, _id: { $gt: after }, ...filter })
        .sort({ _id: 1 })
        .limit(atOnce)
        .lean<LfsObject[]>();
      if (some.length > 0) yield some;
      if (some.length < atOnce) return;
      after = some.at(-1)?._id ?? after;
    }
  }

  /** A page in the order of ids. */
  someOf(projectId: number, after: string, limit: number): Promise<LfsObject[]> {
    return this.objects
      .find({ projectId, _id: { $gt: idOf(projectId, after) }, ...remains })
      .sort({ _id: 1 })
      .limit(limit)
      .lean<LfsObject[]>();
  }

  /** Hides the objects of a project, so that no request uses them any more. */
  async beginLeaving(projectId: number): Promise<void> {
    await this.objects.updateMany({ projectId }, { $set: { isLeaving: true } });
  }

  leaving(projectId: number): AsyncGenerator<LfsObject[]> {
    return this.ofProject(projectId, { isLeaving: true });
  }

  async isAnybodys(contentId: number): Promise<boolean> {
    return (await this.objects.exists({ contentId, ...remains })) !== null;
  }

  /** References to a content that is being removed were never confirmed to a client. */
  async forgetContent(contentId: number): Promise<void> {
    await this.objects.deleteMany({ contentId });
  }

  /** Total size by project, for projects with objects. */
  async sizes(projectIds: readonly number[]): Promise<Map<number, number>> {
    const sums = await this.objects.aggregate<{ _id: number; bytes: number }>([
      { $match: { projectId: { $in: [...projectIds] } } },
      { $group: { _id: '$projectId', bytes: { $sum: '$sizeBytes' } } },
    ]);
    return new Map(sums.map(({ _id, bytes }) => [_id, bytes]));
  }
}
