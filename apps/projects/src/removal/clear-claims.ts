import { eachAlone, PeriodicJob } from '@moothall/background';
import { userSummaries } from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { Injectable, Logger } from '@nestjs/common';
import { Members } from '../member/member.repository';
import { groupKey, projectKey } from '../member/source';
import { Namespaces } from '../namespace/namespace.repository';
import type { RouteDocument } from '../namespace/route.schema';
import { pathKeyOf, Routes } from '../namespace/routes';
import { Projects } from '../project/project.repository';

/** Longer than any creation takes, including the first answer of an import. */
const graceMs = 5 * 60_000;

/** Removes reservations of paths after a crash: written records keep theirs, other paths become free. */
@Injectable()
export class ClearClaims {
  private readonly log = new Logger(ClearClaims.name);

  constructor(
    private readonly routes: Routes,
    private readonly namespaces: Namespaces,
    private readonly projects: Projects,
    private readonly members: Members,
    private readonly client: OperationClient,
  ) {}

  @PeriodicJob('claims on paths', { everySeconds: 300 })
  async run(signal?: AbortSignal): Promise<void> {
    await eachAlone(await this.routes.unsettledFor(graceMs), (route) => this.clear(route), signal);
  }

  private async clear(route: RouteDocument): Promise<void> {
    const written = await this.findWritten(route);
    const isWritten = written?.pathKey === route._id;
    const existsElsewhere = written !== null && !isWritten;
    if (!isWritten && (await this.isOfUser(route))) return;
    this.log.log(`the claim on ${route._id} is ${isWritten ? 'settled' : 'given up'}`);
    if (isWritten) await this.routes.settle(route._id, route);
    // If the project exists elsewhere, its repository must not be removed with the path.
    else if (existsElsewhere) await this.routes.drop(route._id);
    else await this.giveUp(route);
  }

  private findWritten({ kind, targetId }: RouteDocument): Promise<{ pathKey: string } | null> {
    return kind === 'project'
      ? this.projects.model.findById(targetId).lean()
      : this.namespaces.model.findById(targetId).lean();
  }

  /** A created user gets the namespace with the event, even if the event arrives late. */
  private async isOfUser({ userId, _id }: RouteDocument): Promise<boolean> {
    if (!userId) return false;
    const [user] = await this.client.call(userSummaries, { ids: [userId] });
    return user !== undefined && pathKeyOf(user.username) === _id;
  }

  /** The owner of a group is stored before the group. */
  private async giveUp(route: RouteDocument): Promise<void> {
    const source = route.kind === 'project' ? projectKey(route.targetId) : groupKey(route.targetId);
    await this.members.forget(source);
    await this.routes.abandon(route._id, route);
  }
}
