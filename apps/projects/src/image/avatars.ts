import { avatarLimit, type UploadedFile } from '@moothall/contracts';
import { acceptImage, type Image, pictures, streamOf, UploadedFiles } from '@moothall/data-port';
import { type JobQueue, Jobs, jobQueue } from '@moothall/jobs';
import { ObjectStorage } from '@moothall/object-storage';
import { Injectable } from '@nestjs/common';

/** An image that stands for a project, group or topic. */
export interface Avatar {
  key: string;
  filename: string;
  contentType: string;
}

type Owner = 'project' | 'group' | 'topic';

/** Images that go unless they stand for somebody by then. */
export const avatarChecks: JobQueue<{ kind: Owner; id: number; key: string }> = jobQueue({
  name: 'projects.avatar-checks',
});

/** Longer than an update, and than a reader of the former image needs. */
const checkAfterSeconds = 600;

@Injectable()
export class Avatars {
  constructor(
    private readonly storage: ObjectStorage,
    private readonly files: UploadedFiles,
    private readonly jobs: Jobs,
  ) {}

  /**
   * What an update sets: undefined for no change, null to remove it. The image has a place of its own for each
   * version, so that a concurrent reader gets the old one complete.
   * @param former what it takes the place of
   * @throws common.invalid_record
   */
  async take(
    kind: Owner,
    id: number,
    file: UploadedFile | '' | undefined,
    former: Avatar | null = null,
  ): Promise<Avatar | null | undefined> {
    if (file === undefined) return undefined;
    if (former && file === '') await this.checkLater(kind, id, former.key);
    if (file === '') return null;
    const image = await acceptImage(this.files.open(file, avatarLimit), { field: 'avatar', types: pictures });
    return this.keep(kind, id, image, former);
  }

  /** What an update sets for an image at hand. */
  async keep(kind: Owner, id: number, image: Image, former: Avatar | null): Promise<Avatar> {
    const key = `${placeOf(kind, id)}/${Date.now()}`;
    // Of two updates at once one image is overtaken, and an update may fail: so the new one is looked at as well.
    for (const checked of [key, ...(former ? [former.key] : [])]) await this.checkLater(kind, id, checked);
    await this.storage.write(key, streamOf(image));
    return { key, filename: image.filename, contentType: image.contentType };
  }

  private checkLater(kind: Owner, id: number, key: string): Promise<void> {
    return this.jobs.add(avatarChecks, { kind, id, key }, { id: key, delaySeconds: checkAfterSeconds });
  }

  async forget(kind: Owner, id: number): Promise<void> {
    await this.storage.removeAll(placeOf(kind, id));
  }
}

const placeOf = (kind: Owner, id: number): string => `avatars/${kind}/${id}`;
