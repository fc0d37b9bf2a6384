import { avatarLimit, type UploadedFile } from '@moothall/contracts';
import { acceptImage, type Image, pictures, streamOf, UploadedFiles } from '@moothall/data-port';
import { type JobQueue, Jobs, jobQueue } from '@moothall/jobs';
import { ObjectStorage } from '@moothall/object-storage';
import { Injectable } from '@nestjs/common';

/** The avatar of a project, group or topic. */
export interface Avatar {
  key: string;
  filename: string;
  contentType: string;
}

type Owner = 'project' | 'group' | 'topic';

/** Avatars that are deleted unless a record refers to them by then. */
export const avatarChecks: JobQueue<{ kind: Owner; id: number; key: string }> = jobQueue({
  name: 'projects.avatar-checks',
});

/** Longer than an update, or a download of the former image, takes. */
const checkAfterSeconds = 600;

@Injectable()
export class Avatars {
  constructor(
    private readonly storage: ObjectStorage,
    private readonly files: UploadedFiles,
    private readonly jobs: Jobs,
  ) {}

  /**
   * The avatar field of an update: undefined for no change, null to remove it. Each version has its own key, so
   * concurrent downloads get the complete former image.
   * @param former the image that it replaces
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

  /** The avatar field of an update for a given image. */
  async keep(kind: Owner, id: number, image: Image, former: Avatar | null): Promise<Avatar> {
    const key = `${placeOf(kind, id)}/${Date.now()}`;
    // Of two concurrent updates one image loses, and an update may fail: so the new one is checked as well.
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
