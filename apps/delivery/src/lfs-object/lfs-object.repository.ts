import { isDuplicateKey, writeAll } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { LfsObject } from './lfs-object.schema';

const idOf = (projectId: number, oid: string): string => `${projectId}/${oid}`;
const remains = { isLeaving: { $ne: true } };
/** Walked through at once. */
const atOnce = 1000;
/** Named of one object. */
const mostHolders = 100;

/** Every query on which project has which object. */
@Injectable()
export class LfsObjects {
  constructor(@InjectModel('LfsObject') private readonly objects: Model<LfsObject>) {}

  find(projectId: number, oid: string): Promise<LfsObject | null> {
    return this.objects.findOne({ _id: idOf(projectId, oid), ...remains }).lean<LfsObject>();
  }

  /** Those that the project has, by oid. */
  async among(projectId: number, oids: readonly string[]): Promise<Map<string, LfsObject>> {
    const ids = oids.map((oid) => idOf(projectId, oid));
    const found = await this.objects.find({ _id: { $in: ids }, ...remains }).lean<LfsObject[]>();
    return new Map(found.map((object) => [object.oid, object]));
  }

  /** By contents, which projects have them; a hundred of each at most. */
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

  /** The project has it from now on, with these bytes. */
  async put(given: Pick<LfsObject, 'projectId' | 'oid' | 'sizeBytes' | 'contentId'>): Promise<void> {
    const write = () =>
      this.objects.updateOne(
        { _id: idOf(given.projectId, given.oid) },
        { $set: given, $unset: { isLeaving: 1 } },
        { upsert: true },
      );
    await write().catch((error: unknown) => {
      // Sent twice at once: now it is there.
      if (isDuplicateKey(error)) return write();
      throw error;
    });
  }

  /** Gives a project some of the objects of another. */
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

  /** All of a project, some at a time. */
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

  /** In the order of their names, those after one. */
  someOf(projectId: number, after: string, limit: number): Promise<LfsObject[]> {
    return this.objects
      .find({ projectId, _id: { $gt: idOf(projectId, after) }, ...remains })
      .sort({ _id: 1 })
      .limit(limit)
      .lean<LfsObject[]>();
  }

  /** Nobody finds those of the project any more, and nobody takes bytes as theirs. */
  async beginLeaving(projectId: number): Promise<void> {
    await this.objects.updateMany({ projectId }, { $set: { isLeaving: true } });
  }

  leaving(projectId: number): AsyncGenerator<LfsObject[]> {
    return this.ofProject(projectId, { isLeaving: true });
  }

  async isAnybodys(contentId: number): Promise<boolean> {
    return (await this.objects.exists({ contentId, ...remains })) !== null;
  }

  /** What refers to bytes that are being removed was never confirmed to anybody. */
  async forgetContent(contentId: number): Promise<void> {
    await this.objects.deleteMany({ contentId });
  }

  /** Bytes of projects that have any, by project. */
  async sizes(projectIds: readonly number[]): Promise<Map<number, number>> {
    const sums = await this.objects.aggregate<{ _id: number; bytes: number }>([
      { $match: { projectId: { $in: [...projectIds] } } },
      { $group: { _id: '$projectId', bytes: { $sum: '$sizeBytes' } } },
    ]);
    return new Map(sums.map(({ _id, bytes }) => [_id, bytes]));
  }
}
