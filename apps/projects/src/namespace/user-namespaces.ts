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

/** Namespaces of users. They follow from the user's event, or from the first project where that is faster. */
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
      // The namespace has the path that identity reserved, whichever process wrote it first. A database that did not answer
      // may have written it all the same.
      if (!claimedId) await this.namespaces.model.deleteOne({ _id });
      if (!claimedId) await this.routes.abandon(path, { kind: 'namespace', targetId: _id });
      if (!isDuplicateKey(error)) throw error;
      return present(await this.namespaces.findOfUser(owner.id), 'the namespace that was in the way');
    }
  }

  // Identity claims the path of whom it writes. For users without a claim numbers are added where it is taken.
  private async claim(username: string, targetId: number): Promise<string> {
    for (let attempt = 0; ; attempt += 1) {
      const path = attempt === 0 ? username : `${username}${attempt}`;
      if (await this.routes.claim(path, { kind: 'namespace', targetId })) return path;
    }
  }
}
