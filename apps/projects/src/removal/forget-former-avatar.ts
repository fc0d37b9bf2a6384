import { WorksOn } from '@moothall/jobs';
import { ObjectStorage } from '@moothall/object-storage';
import { Injectable } from '@nestjs/common';
import { avatarChecks } from '../image/avatars';
import { Namespaces } from '../namespace/namespace.repository';
import { Projects } from '../project/project.repository';

/** Removes an image in whose place another one stands, or none. */
@Injectable()
export class ForgetFormerAvatar {
  constructor(
    private readonly projects: Projects,
    private readonly namespaces: Namespaces,
    private readonly storage: ObjectStorage,
  ) {}

  @WorksOn(avatarChecks)
  async run({ kind, id, key }: { kind: 'project' | 'group'; id: number; key: string }): Promise<void> {
    const named = { _id: id, 'avatar.key': key };
    const isShown = kind === 'project' ? this.projects.model.exists(named) : this.namespaces.model.exists(named);
    if (!(await isShown)) await this.storage.remove(key);
  }
}
