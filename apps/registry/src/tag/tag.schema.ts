import { Schema } from 'mongoose';

/** A tag as the registry last showed it, with what its image says. */
export interface Tag {
  repositoryId: number;
  name: string;
  digest: string;
  /** Digest of the image's configuration, without its algorithm. */
  revision: string;
  /** When the image says that it was made. */
  imageCreatedAt: Date | null;
  totalSize: number;
  /** When the look at the registry began that this is from: of two, the later one counts. */
  seenAt: Date;
}

export const tagSchema = new Schema<Tag>(
  {
    repositoryId: Number,
    name: String,
    digest: String,
    revision: String,
    imageCreatedAt: { type: Date, default: null },
    totalSize: Number,
    seenAt: Date,
  },
  { versionKey: false, collection: 'tags' },
);
// Lists by name, and one tag.
tagSchema.index({ repositoryId: 1, name: 1 }, { unique: true });
// What is known of an image from another tag of it; tags of a manifest that was deleted.
tagSchema.index({ repositoryId: 1, digest: 1 });
