import { createHash } from 'node:crypto';
import { avatarLimit, invalidRecord, type UploadedFile } from '@moothall/contracts';
import { UploadedFiles } from '@moothall/data-port';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, Schema } from 'mongoose';
import sharp from 'sharp';

export interface Avatar {
  /** Id of the user. */
  _id: number;
  filename: string;
  image: Buffer;
}

export const avatarSchema = new Schema<Avatar>(
  { _id: Number, filename: String, image: Buffer },
  { versionKey: false, collection: 'avatars' },
);

/** Twice what pages show, for dense screens. */
const side = 192;
const mostPixels = 50_000_000;
const withinSeconds = 10;
const formats = new Set(['png', 'jpeg', 'gif', 'webp', 'tiff']);

// Whatever else the library reads it must not even begin to: an SVG is a program, and a slow one if it wants to be.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['Png', 'Jpeg', 'Nsgif', 'Webp', 'Tiff'].map((kind) => `VipsForeignLoad${kind}`) });

const noImage = () =>
  invalidRecord({ avatar: ['is not an image of an allowed type: png, jpg, jpeg, gif, tiff, webp'] });

/** Pictures of users, judged by their content, small, and of one format. */
@Injectable()
export class Avatars {
  constructor(
    @InjectModel('Avatar') private readonly avatars: Model<Avatar>,
    private readonly files: UploadedFiles,
  ) {}

  /** Reads an uploaded picture and makes it small. @throws common.invalid_record */
  async read(file: UploadedFile): Promise<Omit<Avatar, '_id'>> {
    const image = await small(await this.files.open(file, avatarLimit).bytes());
    // A new picture has a new address, so that old ones may be kept by browsers for ever.
    return { filename: `${createHash('sha256').update(image).digest('hex').slice(0, 16)}.png`, image };
  }

  async keep(userId: number, avatar: Omit<Avatar, '_id'>): Promise<void> {
    await this.avatars.replaceOne({ _id: userId }, { _id: userId, ...avatar }, { upsert: true });
  }

  find(userId: number, filename: string): Promise<Avatar | null> {
    return this.avatars.findOne({ _id: userId, filename });
  }

  async remove(userId: number): Promise<void> {
    await this.avatars.deleteOne({ _id: userId });
  }
}

/** A square of its middle as PNG; what else the file carried, such as where it was taken, is gone. */
async function small(bytes: Buffer): Promise<Buffer> {
  try {
    const picture = sharp(bytes, { limitInputPixels: mostPixels, failOn: 'error' });
    const { format, width = 0, height = 0 } = await picture.metadata();
    if (!formats.has(format ?? '')) throw noImage();
    // What is smaller than that stays so: it would only be blurred.
    const least = Math.min(side, width, height);
    const square = picture.timeout({ seconds: withinSeconds }).rotate().resize(least, least, { fit: 'cover' });
    return await square.png().toBuffer();
  } catch {
    throw noImage();
  }
}
