import { type ContextOf, commonErrors, getGroupAvatar, getProjectAvatar, type ParsedOf } from '@moothall/contracts';
import { DataPort } from '@moothall/data-port';
import { Handles } from '@moothall/messaging';
import { ObjectStorage, sendObject } from '@moothall/object-storage';
import { Controller } from '@nestjs/common';
import { Namespaces } from '../../namespace/namespace.repository';
import { Projects } from '../../project/project.repository';
import type { Avatar } from '../avatars';

@Controller()
export class AvatarOperations {
  constructor(
    private readonly projects: Projects,
    private readonly namespaces: Namespaces,
    private readonly dataPort: DataPort,
    storage: ObjectStorage,
  ) {
    dataPort.serve<Avatar>('avatar', (avatar, request, response) =>
      sendObject(storage, { ...avatar, isInline: true }, request, response),
    );
  }

  @Handles(getProjectAvatar)
  async getOfProject({ project }: ContextOf<typeof getProjectAvatar>, input: ParsedOf<typeof getProjectAvatar>) {
    return this.presign((await this.projects.get(project.id)).avatar, input.filename);
  }

  @Handles(getGroupAvatar)
  async getOfGroup({ group }: ContextOf<typeof getGroupAvatar>, input: ParsedOf<typeof getGroupAvatar>) {
    return this.presign((await this.namespaces.getGroup(group.id)).avatar, input.filename);
  }

  private presign(avatar: Avatar | null, filename: string | undefined) {
    if (!avatar || (filename !== undefined && filename !== avatar.filename)) throw commonErrors.notFound();
    return this.dataPort.presign('avatar', avatar);
  }
}
