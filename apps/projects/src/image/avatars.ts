import { avatarLimit, type UploadedFile } from '@moothall/contracts';
import { UploadedFiles } from '@moothall/data-port';
import { ObjectStorage } from '@moothall/object-storage';
import { Injectable } from '@nestjs/common';
import { acceptImage, pictures, streamOf } from './accept-image';

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
