import { WorksOn } from '@moothall/jobs';
import { ObjectStorage } from '@moothall/object-storage';
import { Injectable } from '@nestjs/common';
import { avatarChecks } from '../image/avatars';
import { Namespaces } from '../namespace/namespace.repository';
import { Projects } from '../project/project.repository';
import { ProjectTopics } from '../project/project-topics';

/** Deletes an avatar that was replaced or removed. */
@Injectable()
export class ForgetFormerAvatar {
  constructor(
    private readonly projects: Projects,
    private readonly namespaces: Namespaces,
    private readonly topics: ProjectTopics,
    private readonly storage: ObjectStorage,
  ) {}

  @WorksOn(avatarChecks)
  async run({ kind, id, key }: { kind: 'project' | 'group' | 'topic'; id: number; key: string }): Promise<void> {
    if (!(await this.isShown(kind, { _id: id, 'avatar.key': key }))) await this.storage.remove(key);
  }

  private async isShown(kind: 'project' | 'group' | 'topic', named: object): Promise<boolean> {
    if (kind === 'project') return (await this.projects.model.exists(named)) !== null;
    if (kind === 'group') return (await this.namespaces.model.exists(named)) !== null;
    return (await this.topics.model.exists(named)) !== null;
  }
}
