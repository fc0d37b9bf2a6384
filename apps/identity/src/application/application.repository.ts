import { randomBytes, timingSafeEqual } from 'node:crypto';
import { applicationErrors, type Page } from '@moothall/contracts';
import { Counters, findPage, isDuplicateKey } from '@moothall/database';
import { sha256 } from '@moothall/secrets';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { Application } from './application.schema';

export type NewApplication = Omit<Application, '_id' | 'uid' | 'secretHash' | 'createdAt'>;

/** Every query on OAuth applications. */
@Injectable()
export class Applications {
  constructor(
    @InjectModel('Application') private readonly applications: Model<Application>,
    private readonly counters: Counters,
  ) {}

  /** @returns the secret, which is not stored */
  async register(application: NewApplication): Promise<{ application: Application; secret: string }> {
    const secret = randomBytes(32).toString('hex');
    const created = await this.applications.create({
      _id: await this.counters.next('applications'),
      uid: randomBytes(32).toString('hex'),
      secretHash: sha256(secret),
      ...application,
    });
    return { application: created.toObject() as Application, secret };
  }

  /**
   * The application of a replication node with a new id and secret, created if there is none.
   * @returns the secret, which is not stored
   */
  async renewOfNode(
    geoNodeId: number,
    application: Omit<NewApplication, 'geoNodeId'>,
  ): Promise<{ application: Application; secret: string }> {
    const secret = randomBytes(32).toString('hex');
    const fresh = { uid: randomBytes(32).toString('hex'), secretHash: sha256(secret), ...application };
    const known = await this.applications
      .findOneAndUpdate({ geoNodeId }, { $set: fresh }, { returnDocument: 'after' })
      .lean<Application>();
    if (known) return { application: known, secret };
    try {
      const created = await this.applications.create({
        _id: await this.counters.next('applications'),
        geoNodeId,
        ...fresh,
      });
      return { application: created.toObject() as Application, secret };
    } catch (error) {
      if (!isDuplicateKey(error, 'geoNodeId')) throw error;
      // A concurrent request was first.
      return this.renewOfNode(geoNodeId, application);
    }
  }

  findOfNode(geoNodeId: number): Promise<Application | null> {
    return this.applications.findOne({ geoNodeId }).lean<Application>();
  }

  /** Replication nodes that have an application. */
  async nodesWithOne(geoNodeIds: number[]): Promise<number[]> {
    const known = await this.applications
      .find({ geoNodeId: { $in: geoNodeIds } }, { geoNodeId: 1 })
      .lean<Required<Pick<Application, 'geoNodeId'>>[]>();
    return known.map(({ geoNodeId }) => geoNodeId);
  }

  find(id: number): Promise<Application | null> {
    return this.applications.findById(id).lean<Application>();
  }

  findMany(ids: number[]): Promise<Application[]> {
    return this.applications.find({ _id: { $in: ids } }).lean<Application[]>();
  }

  findByUid(uid: string): Promise<Application | null> {
    return this.applications.findOne({ uid }).lean<Application>();
  }

  /** The authenticated application: confidential ones by their secret, others by their id alone. */
  async authenticate(uid: string, secret: string | undefined): Promise<Application | null> {
    const application = await this.findByUid(uid);
    if (!application) return null;
    if (!secret) return application.isConfidential ? null : application;
    return timingSafeEqual(Buffer.from(sha256(secret)), Buffer.from(application.secretHash)) ? application : null;
  }

  page(ownerId: number | null, input: { page: number; per_page: number }): Promise<Page<Application>> {
    return findPage(this.applications, { ownerId }, { _id: 1 }, input);
  }

  listOfOwner(ownerId: number): Promise<Application[]> {
    return this.applications.find({ ownerId }).sort({ _id: 1 }).lean<Application[]>();
  }

  /** @throws application.not_found */
  async require(id: number, ownerId: number | null): Promise<void> {
    if (!(await this.applications.exists({ _id: id, ownerId }))) throw applicationErrors.notFound();
  }

  /** @throws application.not_found */
  async remove(id: number, ownerId: number | null): Promise<void> {
    const { deletedCount } = await this.applications.deleteOne({ _id: id, ownerId });
    if (deletedCount === 0) throw applicationErrors.notFound();
  }
}
