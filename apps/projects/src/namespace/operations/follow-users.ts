import { type EventData, type EventRecord, userChanged, userCreated, userSummaries } from '@moothall/contracts';
import { OnEvent, OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { MoveNamespace } from '../../move/move-namespace';
import { Namespaces } from '../namespace.repository';
import { UserNamespaces } from '../user-namespaces';

type Event<E> = EventRecord<EventData<E>>;

/** Creates the namespaces of users, and renames them. */
@Injectable()
export class FollowUsers {
  constructor(
    private readonly userNamespaces: UserNamespaces,
    private readonly namespaces: Namespaces,
    private readonly moves: MoveNamespace,
    private readonly client: OperationClient,
  ) {}

  @OnEvent(userCreated, 'FollowUsers-created')
  async created({ data }: Event<typeof userCreated>): Promise<void> {
    // Reads the user again: an event may be older than a rename or deletion.
    const [user] = await this.client.call(userSummaries, { ids: [data.user_id] });
    if (user) await this.userNamespaces.ensure({ id: user.id, username: user.username, name: user.name });
  }

  @OnEvent(userChanged, 'FollowUsers-changed')
  async changed({ data }: Event<typeof userChanged>): Promise<void> {
    const namespace = await this.namespaces.findOfUser(data.user_id);
    // Reads the user again: the cached summary may be older than this event.
    const [user] = await this.client.call(userSummaries, { ids: [data.user_id] });
    if (!namespace || !user) return;
    if (namespace.path === user.username && namespace.name === user.name) return;
    await this.moves.move(namespace, { name: user.name, path: user.username, parent: null });
  }
}
