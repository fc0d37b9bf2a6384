import { randomBytes } from 'node:crypto';
import { invalidRecord, type Page, runnerErrors } from '@moothall/contracts';
import { addWithin, Counters, changeDocument, findPage } from '@moothall/database';
import { sha256 } from '@moothall/secrets';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import type { Registration, Runner } from './runner.schema';
import { requireUseful } from './runner-rules';

/** Contacts closer together than this are not written. */
const contactPrecisionMs = 30_000;

export const newToken = (): string => randomBytes(15).toString('base64url');
/** By it, the runner program distinguishes an existing runner from a registration, which would create another. */
const createdPrefix = 'glrt-';

type NewRunner = Partial<Runner> & Pick<Runner, 'projectId'>;

/** Every query on runners and their registrations. Only hashes of tokens are stored. */
@Injectable()
export class Runners {
  constructor(
    @InjectModel('Runner') private readonly runners: Model<Runner>,
    @InjectModel('Registration') private readonly registrations: Model<Registration>,
    private readonly counters: Counters,
  ) {}

  /**
   * @param most limit of its project; instance runners have none
   * @returns the runner, and its token, which is never returned again
   * @throws common.invalid_record beyond the limit
   */
  add(runner: NewRunner, most: number): Promise<{ id: number; token: string }> {
    return this.addWith(newToken(), runner, most);
  }

  /** The same for one that a user created, before it is registered. */
  addCreated(runner: NewRunner, most: number): Promise<{ id: number; token: string }> {
    return this.addWith(createdPrefix + newToken(), runner, most);
  }

  private async addWith(token: string, runner: NewRunner, allowed: number): Promise<{ id: number; token: string }> {
    const { projectId } = runner;
    const most = projectId === null ? Number.POSITIVE_INFINITY : allowed;
    const problem = `Maximum number of ci registered project runners (${most}) exceeded`;
    const refusal = () => invalidRecord({ 'runner_projects.base': [problem] });
    const { _id: id } = await addWithin({ model: this.runners, filter: { projectId }, most, refusal }, async () => {
      const _id = await this.counters.next('runners');
      return (await this.runners.create({ ...runner, _id, tokenSha256: sha256(token) })).toObject();
    });
    return { id, token };
  }

  find(id: number): Promise<Runner | null> {
    return this.runners.findById(id).lean<Runner>();
  }

  /** @throws runner.unknown_token */
  async getByToken(token: string): Promise<Runner> {
    const runner = await this.runners.findOne({ tokenSha256: sha256(token) }).lean<Runner>();
    if (!runner) throw runnerErrors.unknownToken();
    return runner;
  }

  async findByIds(ids: number[]): Promise<Map<number, Runner>> {
    if (ids.length === 0) return new Map();
    const found = await this.runners.find({ _id: { $in: [...new Set(ids)] } }).lean<Runner[]>();
    return new Map(found.map((runner) => [runner._id, runner]));
  }

  page(filter: QueryFilter<Runner>, input: { page: number; per_page: number }): Promise<Page<Runner>> {
    return findPage(this.runners, filter, { _id: 1 }, input);
  }

  /** @throws runner.not_found; common.invalid_record for a runner that could not get any job */
  async change(id: number, changes: Partial<Runner>): Promise<Runner> {
    const changed = await changeDocument(this.runners, { _id: id }, ['tags', 'runsUntagged'], (current) => {
      requireUseful({ ...current, ...changes });
      return { $set: changes };
    });
    if (!changed) throw runnerErrors.notFound();
    return changed;
  }

  async remove(id: number): Promise<void> {
    await this.runners.deleteOne({ _id: id });
  }

  /** Records a contact of a runner. */
  async noteContact(runner: Runner, ip: string | null, info: Runner['info']): Promise<void> {
    const now = new Date();
    if (runner.contactedAt && now.getTime() - runner.contactedAt.getTime() < contactPrecisionMs) return;
    const changes = { contactedAt: now, ip, ...(Object.keys(info).length > 0 && { info }) };
    await this.runners.updateOne({ _id: runner._id }, { $set: changes }, { timestamps: false });
  }

  /** @returns the new registration token; the previous one becomes invalid */
  async resetRegistration(projectId: number | null): Promise<string> {
    const token = newToken();
    const _id = projectId === null ? 'instance' : `project ${projectId}`;
    await this.registrations.updateOne({ _id }, { $set: { projectId, tokenSha256: sha256(token) } }, { upsert: true });
    return token;
  }

  /** @throws runner.unknown_token */
  async registrationOf(token: string): Promise<Registration> {
    const registration = await this.registrations.findOne({ tokenSha256: sha256(token) }).lean<Registration>();
    if (!registration) throw runnerErrors.unknownToken();
    return registration;
  }

  async disown(creatorId: number): Promise<void> {
    await this.runners.updateMany({ creatorId }, { $set: { creatorId: null } });
  }

  async removeOfProject(projectId: number): Promise<void> {
    await this.runners.deleteMany({ projectId });
    await this.registrations.deleteMany({ projectId });
  }
}
