import {
  addInstanceLicense,
  type ContextOf,
  commonErrors,
  countIdentityRecords,
  deleteInstanceLicense,
  getInstanceLicense,
  type InstanceLicense,
  licenseErrors,
  listInstanceLicenses,
  mostLicenses,
  type Page,
  type ParsedOf,
  refreshBillableUsers,
  showInstanceLicense,
} from '@moothall/contracts';
import { addWithin, Counters, findPage, isDuplicateKey } from '@moothall/database';
import { Handles, OperationClient } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { LicenseDocument } from './license.schema';
import { digestOf, isOver, readLicenseKey } from './read-license-key';

/** Licences, for programs that add and report them: no feature depends on one. See docs/api/instance.md#9. */
@Controller()
export class Licenses {
  constructor(
    @InjectModel('License') private readonly model: Model<LicenseDocument>,
    private readonly counters: Counters,
    private readonly client: OperationClient,
  ) {}

  @Handles(getInstanceLicense)
  async current(
    _: ContextOf<typeof getInstanceLicense>,
    __: ParsedOf<typeof getInstanceLicense>,
  ): Promise<InstanceLicense | null> {
    const begun = { startsAt: { $lte: today() } };
    const found = await this.model.findOne(begun).sort({ startsAt: -1, _id: -1 }).lean<LicenseDocument>();
    return found && view(found, await this.activeUsers());
  }

  @Handles(listInstanceLicenses)
  async list(
    _: ContextOf<typeof listInstanceLicenses>,
    input: ParsedOf<typeof listInstanceLicenses>,
  ): Promise<Page<InstanceLicense>> {
    const { items, total } = await findPage(this.model, {}, { _id: -1 }, input);
    const activeUsers = await this.activeUsers();
    return { items: items.map((license) => view(license, activeUsers)), total };
  }

  @Handles(showInstanceLicense)
  async show(
    _: ContextOf<typeof showInstanceLicense>,
    { id }: ParsedOf<typeof showInstanceLicense>,
  ): Promise<InstanceLicense> {
    const found = await this.model.findById(id).lean<LicenseDocument>();
    if (!found) throw licenseErrors.notFound();
    return view(found, await this.activeUsers());
  }

  @Handles(addInstanceLicense)
  async add(
    _: ContextOf<typeof addInstanceLicense>,
    { license: key }: ParsedOf<typeof addInstanceLicense>,
  ): Promise<InstanceLicense> {
    const facts = readLicenseKey(key, today());
    const digest = digestOf(key);
    const known = await this.model.findOne({ digest }).lean<LicenseDocument>();
    const activeUsers = await this.activeUsers();
    if (known) return view(known, activeUsers);
    const counted = { mostUsers: activeUsers, createdAt: new Date() };
    const license = { _id: await this.counters.next('licenses'), digest, ...facts, ...counted };
    return view(await this.insert(license), activeUsers);
  }

  /** @returns the stored licence @throws license.too_many */
  private async insert(license: LicenseDocument): Promise<LicenseDocument> {
    try {
      const bound = { model: this.model, filter: {}, most: mostLicenses, refusal: licenseErrors.tooMany };
      return await addWithin(bound, async () => (await this.model.create(license)).toObject());
    } catch (error) {
      if (!isDuplicateKey(error, 'digest')) throw error;
      const known = await this.model.findOne({ digest: license.digest }).lean<LicenseDocument>();
      // Deleted meanwhile.
      if (!known) throw commonErrors.conflict();
      return known;
    }
  }

  @Handles(deleteInstanceLicense)
  async delete(_: ContextOf<typeof deleteInstanceLicense>, { id }: ParsedOf<typeof deleteInstanceLicense>) {
    const { deletedCount } = await this.model.deleteOne({ _id: id });
    if (deletedCount === 0) throw licenseErrors.notFound();
  }

  @Handles(refreshBillableUsers)
  async refresh(_: ContextOf<typeof refreshBillableUsers>, { id }: ParsedOf<typeof refreshBillableUsers>) {
    const mostUsers = await this.activeUsers();
    const { matchedCount } = await this.model.updateOne({ _id: id }, { $max: { mostUsers } });
    if (matchedCount === 0) throw licenseErrors.notFound();
    return { success: true as const };
  }

  private async activeUsers(): Promise<number> {
    return (await this.client.call(countIdentityRecords, {})).active_users;
  }
}

const today = (): string => new Date().toISOString().slice(0, 10);

/** Users who were created after the end of a licence do not count for it. */
function view(license: LicenseDocument, activeUsers: number): InstanceLicense {
  const expired = isOver(license.expiresAt, today());
  const most = expired ? license.mostUsers : Math.max(license.mostUsers, activeUsers);
  const beyond = (expired ? most : activeUsers) - (license.userLimit ?? Number.POSITIVE_INFINITY);
  return {
    id: license._id,
    plan: license.plan,
    created_at: license.createdAt.toISOString(),
    starts_at: license.startsAt,
    expires_at: license.expiresAt,
    historical_max: most,
    maximum_user_count: most,
    expired,
    overage: Math.max(0, beyond),
    user_limit: license.userLimit,
    active_users: activeUsers,
    licensee: license.licensee,
    add_ons: Object.fromEntries(license.addOns.map(({ name, count }) => [name, count])),
  };
}
