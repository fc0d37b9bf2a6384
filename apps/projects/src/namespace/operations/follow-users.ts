import {
  type EventData,
  type EventRecord,
  userChanged,
  userCreated,
  userDeleted,
  userSummaries,
} from '@moothall/contracts';
import { OnEvent, OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { AccessRequests } from '../../access-request/access-request.repository';
import { EndGroup } from '../../group/end-group';
import { Members } from '../../member/member.repository';
import { RemoveProject } from '../../project/remove-project';
import { ForgetStars } from '../../star/operations/forget-stars';
import { MoveNamespace } from '../../move/move-namespace';
import { Namespaces } from '../namespace.repository';
import { Routes } from '../routes';
import { UserNamespaces } from '../user-namespaces';

type Heard<E> = EventRecord<EventData<E>>;

/** Gives users their namespaces, renames these with them, and takes away what a deleted user leaves. */
@Injectable()
export class FollowUsers {
  constructor(
    private readonly userNamespaces: UserNamespaces,
    private readonly namespaces: Namespaces,
    private readonly moves: MoveNamespace,
    private readonly routes: Routes,
    private readonly members: Members,
    private readonly stars: ForgetStars,
    private readonly requests: AccessRequests,
    private readonly removal: RemoveProject,
    private readonly groups: EndGroup,
    private readonly client: OperationClient,
  ) {}

  @OnEvent(userCreated, 'FollowUsers-created')
  async created({ data }: Heard<typeof userCreated>): Promise<void> {
    // Asked anew: who is renamed or deleted since is not to get the namespace of then.
    const [user] = await this.client.call(userSummaries, { ids: [data.user_id] });
    if (user) await this.userNamespaces.ensure({ id: user.id, username: user.username, name: user.name });
  }

  @OnEvent(userChanged, 'FollowUsers-changed')
  async changed({ data }: Heard<typeof userChanged>): Promise<void> {
    const namespace = await this.namespaces.ofUser(data.user_id);
    // Asked anew: what the directory keeps may be from before this very event.
    const [user] = await this.client.call(userSummaries, { ids: [data.user_id] });
    if (!namespace || !user) return;
    if (namespace.path === user.username && namespace.name === user.name) return;
    await this.moves.move(namespace, { name: user.name, path: user.username, parent: null });
  }

  @OnEvent(userDeleted, 'FollowUsers-deleted')
  async deleted({ data }: Heard<typeof userDeleted>): Promise<void> {
    if (data.hard_delete) await this.removeSoleOwned(data.user_id);
    await this.stars.ofUser(data.user_id);
    await this.requests.forgetUser(data.user_id);
    for (const member of await this.members.allOfUser(data.user_id)) await this.members.end(member);
    const namespace = await this.namespaces.ofUser(data.user_id);
    if (!namespace) return;
    await this.removal.allIn({ namespaceId: namespace._id });
    await this.routes.release('namespace', namespace._id);
    await this.namespaces.model.deleteOne({ _id: namespace._id });
  }

  /** Groups that nobody could look after any more. */
  private async removeSoleOwned(userId: number): Promise<void> {
    for (const group of await this.members.soleOwnedGroups(userId)) await this.groups.end(group);
  }
}
