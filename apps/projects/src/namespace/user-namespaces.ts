import { defaultGroupSettings, present } from '@moothall/contracts';
import { Counters, isDuplicateKey } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { Namespaces } from './namespace.repository';
import type { NamespaceDocument } from './namespace.schema';
import { pathKeyOf, Routes } from './routes';

interface Owner {
  id: number;
  username: string;
  name: string;
}

/** Personal namespaces. They are created on the user's event, or for the user's first project if that comes earlier. */
@Injectable()
export class UserNamespaces {
  constructor(
    private readonly namespaces: Namespaces,
    private readonly routes: Routes,
    private readonly counters: Counters,
  ) {}

  async ensure(owner: Owner): Promise<NamespaceDocument> {
    return (await this.namespaces.findOfUser(owner.id)) ?? (await this.create(owner));
  }

  private async create(owner: Owner): Promise<NamespaceDocument> {
    const claimedId = await this.routes.claimedFor(owner.id, owner.username);
    const _id = claimedId ?? (await this.counters.next('namespaces'));
    const path = claimedId ? owner.username : await this.claim(owner.username, _id);
    try {
      const created = await this.namespaces.model.create({
        _id,
        kind: 'user',
        name: owner.name,
        path,
        fullPath: path,
        pathKey: pathKeyOf(path),
        fullName: owner.name,
        visibility: 'public',
        ownerId: owner.id,
        settings: defaultGroupSettings,
      });
      await this.routes.settleOrLeave(path, { kind: 'namespace', targetId: _id });
      return created.toObject();
    } catch (error) {
      // Identity reserved the path, whichever process wrote the namespace first. After a timeout the database may have
      // written it.
      if (!claimedId) await this.namespaces.model.deleteOne({ _id });
      if (!claimedId) await this.routes.abandon(path, { kind: 'namespace', targetId: _id });
      if (!isDuplicateKey(error)) throw error;
      return present(await this.namespaces.findOfUser(owner.id), 'the namespace that was in the way');
    }
  }

  // Identity reserves the path of new users. Without a reservation, a number is appended to a taken path.
  private async claim(username: string, targetId: number): Promise<string> {
    for (let attempt = 0; ; attempt += 1) {
      const path = attempt === 0 ? username : `${username}${attempt}`;
      if (await this.routes.claim(path, { kind: 'namespace', targetId })) return path;
    }
  }
}
