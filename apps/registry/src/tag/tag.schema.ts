import { Schema } from 'mongoose';

/** A tag as last read from the registry, with metadata of its image. */
export interface Tag {
  repositoryId: number;
  name: string;
  digest: string;
  /** Digest of the image's configuration, without its algorithm. */
  revision: string;
  /** Creation time according to the image. */
  imageCreatedAt: Date | null;
  totalSize: number;
  /** Start of the read from the registry: the later of two reads wins. */
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
// Known metadata of an image with another tag; tags of a deleted manifest.
tagSchema.index({ repositoryId: 1, digest: 1 });
