import { type EventRecord, type Page, releaseErrors } from '@moothall/contracts';
import { Counters, changeDocument, findPage, isDuplicateKey, Outbox } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { EvidenceFiles } from './evidence.repository';
import { type Release } from './release.schema';

interface Wanted {
  order_by: 'released_at' | 'created_at';
  sort: 'asc' | 'desc';
  page: number;
  per_page: number;
}

export type ReleaseChange = Partial<
  Pick<Release, 'name' | 'description' | 'releasedAt' | 'milestoneIds' | 'links' | 'evidences'>
>;
type EventsOf = (release: Release) => EventRecord[];

/** Every query on releases. */
@Injectable()
export class Releases {
  constructor(
    @InjectModel('Release') private readonly releases: Model<Release>,
    private readonly counters: Counters,
    private readonly outbox: Outbox,
    private readonly evidenceFiles: EvidenceFiles,
  ) {}

  page(projectIds: readonly number[], { order_by, sort, ...input }: Wanted): Promise<Page<Release>> {
    const by = order_by === 'released_at' ? 'releasedAt' : 'createdAt';
    const direction = sort === 'asc' ? 1 : -1;
    return findPage(this.releases, { projectId: { $in: [...projectIds] } }, { [by]: direction, _id: direction }, input);
  }

  /** By ascending id, after the given one. */
  ofProject(projectId: number, afterId: number, limit: number): Promise<Release[]> {
    const after = { projectId, _id: { $gt: afterId } };
    return this.releases.find(after).sort({ _id: 1 }).limit(limit).lean<Release[]>();
  }

  find(projectId: number, tagName: string): Promise<Release | null> {
    return this.releases.findOne({ projectId, tagName }).lean<Release>();
  }

  /** @throws release.not_found */
  async get(projectId: number, tagName: string): Promise<Release> {
    const release = await this.find(projectId, tagName);
    if (!release) throw releaseErrors.notFound();
    return release;
  }

  /** The most recently released one that is not upcoming. @throws release.not_found */
  async latest(projectId: number): Promise<Release> {
    const latest = await this.releases
      .findOne({ projectId, releasedAt: { $lte: new Date() } })
      .sort({ releasedAt: -1, _id: -1 })
      .lean<Release>();
    if (!latest) throw releaseErrors.notFound();
    return latest;
  }

  async ofTags(projectId: number, tagNames: readonly string[]): Promise<Pick<Release, 'tagName' | 'description'>[]> {
    return this.releases
      .find({ projectId, tagName: { $in: [...tagNames] } }, { tagName: 1, description: 1 })
      .lean<Release[]>();
  }

  /** @param count of ids for links @returns the first of them */
  takeLinkIds(count: number): Promise<number> {
    return this.counters.take('release_links', count);
  }

  /** @throws release.exists */
  async add(given: Omit<Release, '_id' | 'outbox'>, eventsOf: EventsOf): Promise<Release> {
    const release = { ...given, _id: await this.counters.next('releases') };
    try {
      return await this.outbox.insert(this.releases, release, ...eventsOf(release));
    } catch (error) {
      throw isDuplicateKey(error, 'tagName') ? releaseErrors.exists() : error;
    }
  }

  /**
   * @param basedOn fields that the change depends on
   * @throws release.not_found; errors of `changeOf`
   */
  async change(
    { _id }: Pick<Release, '_id'>,
    basedOn: readonly (keyof Release & string)[],
    changeOf: (current: Release) => ReleaseChange,
    eventsOf: EventsOf,
  ): Promise<Release> {
    const changed = await changeDocument(
      this.releases,
      { _id },
      basedOn,
      (current) => ({ $set: changeOf(current) }),
      (unchanged, update, current) =>
        this.outbox.update(
          this.releases,
          unchanged,
          update,
          ...eventsOf({ ...current, ...(update as { $set: object }).$set }),
        ),
    );
    if (!changed) throw releaseErrors.notFound();
    return changed;
  }

  /** @throws release.not_found if it does not exist */
  async remove({ _id }: Release, ...events: EventRecord[]): Promise<void> {
    if (!(await this.outbox.remove(this.releases, _id, ...events))) throw releaseErrors.notFound();
  }

  /** Releases of deleted tags, if they were created before the deletion. */
  ofGoneTags(projectId: number, tagNames: readonly string[], goneAt: Date): AsyncIterable<Release> {
    return this.releases
      .find({ projectId, tagName: { $in: [...tagNames] }, createdAt: { $lte: goneAt } })
      .lean<Release[]>()
      .cursor();
  }

  async removeGone(release: Release, ...events: EventRecord[]): Promise<void> {
    await this.outbox.remove(this.releases, release._id, ...events);
  }

  async forgetProject(projectId: number): Promise<void> {
    await this.releases.deleteMany({ projectId });
    await this.evidenceFiles.forgetProject(projectId);
  }

  async handOver(userId: number, ghostUserId: number): Promise<void> {
    await this.releases.updateMany({ authorId: userId }, { $set: { authorId: ghostUserId } });
  }
}
