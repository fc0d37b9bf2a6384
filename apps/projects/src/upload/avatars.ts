import {
  avatarLimit,
  type ContextOf,
  commonErrors,
  getGroupAvatar,
  getProjectAvatar,
  type ParsedOf,
  type UploadedFile,
} from '@moothall/contracts';
import { DataPort, UploadedFiles } from '@moothall/data-port';
import { Handles } from '@moothall/messaging';
import { ObjectStorage, sendObject } from '@moothall/object-storage';
import { Controller, Injectable } from '@nestjs/common';
import { acceptImage, pictures, streamOf } from '../image/accept-image';
import { Namespaces } from '../namespace/namespace.repository';
import { Projects } from '../project/project.repository';

/** An image that stands for a project or group. */
export interface Avatar {
  key: string;
  filename: string;
  contentType: string;
}

@Injectable()
export class Avatars {
  constructor(
    private readonly storage: ObjectStorage,
    private readonly files: UploadedFiles,
  ) {}

  /**
   * What an update sets: undefined for no change, null to remove it. The image has a place of its own for each
   * version, so that whoever reads the old one meanwhile reads it whole.
   * @throws common.invalid_record
   */
  async take(
    kind: 'project' | 'group',
    id: number,
    file: UploadedFile | '' | undefined,
  ): Promise<Avatar | null | undefined> {
    if (file === undefined) return undefined;
    if (file === '') return null;
    const image = await acceptImage(this.files.open(file, avatarLimit), { field: 'avatar', types: pictures });
    const key = `${placeOf(kind, id)}/${Date.now()}`;
    await this.storage.write(key, streamOf(image));
    return { key, filename: image.filename, contentType: image.contentType };
  }

  async forget(kind: 'project' | 'group', id: number): Promise<void> {
    await this.storage.removeAll(placeOf(kind, id));
  }
}

const placeOf = (kind: 'project' | 'group', id: number): string => `avatars/${kind}/${id}`;

@Controller()
export class AvatarOperations {
  constructor(
    private readonly projects: Projects,
    private readonly namespaces: Namespaces,
    private readonly dataPort: DataPort,
    storage: ObjectStorage,
  ) {
    dataPort.serve<Avatar>('avatar', (avatar, _request, response) =>
      sendObject(storage, { ...avatar, isInline: true }, response),
    );
  }

  @Handles(getProjectAvatar)
  async ofProject({ project }: ContextOf<typeof getProjectAvatar>, input: ParsedOf<typeof getProjectAvatar>) {
    return this.presign((await this.projects.get(project.id)).avatar, input.filename);
  }

  @Handles(getGroupAvatar)
  async ofGroup({ group }: ContextOf<typeof getGroupAvatar>, input: ParsedOf<typeof getGroupAvatar>) {
    return this.presign((await this.namespaces.getGroup(group.id)).avatar, input.filename);
  }

  private presign(avatar: Avatar | null, filename: string | undefined) {
    if (!avatar || (filename !== undefined && filename !== avatar.filename)) throw commonErrors.notFound();
    return this.dataPort.presign('avatar', avatar);
  }
}
