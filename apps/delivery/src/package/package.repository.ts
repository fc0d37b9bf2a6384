import { type PackageStatus, type Page, packageErrors } from '@moothall/contracts';
import { Counters, containing, findPage, isDuplicateKey } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import type { Package } from './package.schema';

interface Wanted {
  order_by: 'created_at' | 'name' | 'version' | 'type' | 'project_path';
  sort: 'asc' | 'desc';
  package_type?: string | undefined;
  package_name?: string | undefined;
  package_version?: string | undefined;
  status: PackageStatus;
  page: number;
  per_page: number;
}

type Named = Pick<Package, 'projectId' | 'name' | 'version'>;

const fields = { created_at: 'createdAt', name: 'name', version: 'version', type: '_id', project_path: 'projectId' };
const slotOf = ({ projectId, name, version }: Named): string => `${projectId}/${name}/${version}`;

/** Every query on packages. */
@Injectable()
export class Packages {
  constructor(
    @InjectModel('Package') private readonly packages: Model<Package>,
    private readonly counters: Counters,
  ) {}

  async page(projectIds: readonly number[], wanted: Wanted): Promise<Page<Package>> {
    const { order_by, sort, package_type, package_name, package_version, status, ...input } = wanted;
    if (package_type !== undefined && package_type !== 'generic') return { items: [], total: 0 };
    const filter: QueryFilter<Package> = {
      projectId: { $in: [...projectIds] },
      status,
      ...(package_name && { name: containing(package_name) }),
      ...(package_version !== undefined && { version: package_version }),
    };
    const direction = sort === 'asc' ? 1 : -1;
    return findPage(this.packages, filter, { [fields[order_by]]: direction, _id: direction }, input);
  }

  /** @throws package.not_found */
  async get(projectId: number, id: number): Promise<Package> {
    const found = await this.packages.findOne({ _id: id, projectId, ...isThere }).lean<Package>();
    if (!found) throw packageErrors.notFound();
    return found;
  }

  find(named: Named): Promise<Package | null> {
    return this.packages.findOne({ slot: slotOf(named) }).lean<Package>();
  }

  async isThere(id: number): Promise<boolean> {
    return (await this.packages.exists({ _id: id, ...isThere })) !== null;
  }

  /** The package of that name and version, created if there is none. @param status unchanged if undefined */
  async findOrMake(named: Named, creatorId: number | null, status: PackageStatus | undefined): Promise<Package> {
    const slot = slotOf(named);
    const change = status === undefined ? {} : { $set: { status } };
    const known = await this.packages.findOneAndUpdate({ slot }, change, { returnDocument: 'after' }).lean<Package>();
    if (known) return known;
    const made = { ...named, slot, creatorId, status: status ?? 'default', createdAt: new Date() };
    try {
      return (await this.packages.create({ ...made, _id: await this.counters.next('packages') })).toObject();
    } catch (error) {
      if (!isDuplicateKey(error, 'slot')) throw error;
      // A concurrent request was first.
      return this.findOrMake(named, creatorId, status);
    }
  }

  /** Hides the package for its removal. @throws package.not_found */
  async beginRemoval(projectId: number, id: number): Promise<void> {
    const { matchedCount } = await this.packages.updateOne(
      { _id: id, projectId, ...isThere },
      { $set: { status: 'removing' }, $unset: { slot: 1 } },
    );
    if (matchedCount === 0) throw packageErrors.notFound();
  }

  beingRemoved(): AsyncIterable<Package> {
    return this.packages.find({ status: 'removing' }).lean<Package>().cursor();
  }

  async endRemoval(id: number): Promise<void> {
    await this.packages.deleteOne({ _id: id, status: 'removing' });
  }

  async forgetProject(projectId: number): Promise<void> {
    await this.packages.deleteMany({ projectId });
  }

  async handOver(userId: number, ghostUserId: number): Promise<void> {
    await this.packages.updateMany({ creatorId: userId }, { $set: { creatorId: ghostUserId } });
  }
}

const isThere = { status: { $ne: 'removing' as const } };
