import { createHash } from 'node:crypto';
import path from 'node:path';
import { avatarLimit, type UploadedFile } from '@moothall/contracts';
import { acceptImage, pictures, UploadedFiles } from '@moothall/data-port';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, Schema } from 'mongoose';

export interface Avatar {
  /** Id of the user. */
  _id: number;
  filename: string;
  image: Buffer;
  /** Avatars of older versions are PNG. */
  contentType?: string;
}

export const avatarSchema = new Schema<Avatar>(
  { _id: Number, filename: String, image: Buffer, contentType: String },
  { versionKey: false, collection: 'avatars' },
);

/** Avatars of users, as uploaded; the type is detected from the content. */
@Injectable()
export class Avatars {
  constructor(
    @InjectModel('Avatar') private readonly avatars: Model<Avatar>,
    private readonly files: UploadedFiles,
  ) {}

  /** @throws common.invalid_record for a file that is not an image */
  async read(file: UploadedFile): Promise<Omit<Avatar, '_id'>> {
    const upload = this.files.open(file, avatarLimit);
    const { bytes, contentType, filename } = await acceptImage(upload, { field: 'avatar', types: pictures });
    // A new avatar has a new URL, so browsers may cache old ones for ever.
    const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
    return { filename: `${digest}${path.extname(filename)}`, image: bytes, contentType };
  }

  async keep(userId: number, avatar: Omit<Avatar, '_id'>): Promise<void> {
    await this.avatars.replaceOne({ _id: userId }, { _id: userId, ...avatar }, { upsert: true });
  }

  find(userId: number, filename: string): Promise<Avatar | null> {
    return this.avatars.findOne({ _id: userId, filename });
  }

  /** @param filename unless it was replaced meanwhile; any by default */
  async remove(userId: number, filename?: string): Promise<void> {
    await this.avatars.deleteOne({ _id: userId, ...(filename !== undefined && { filename }) });
  }
}
