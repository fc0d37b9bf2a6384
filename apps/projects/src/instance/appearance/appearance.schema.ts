import { type Outboxed, outboxed } from '@moothall/database';
import { Schema } from 'mongoose';

export const imageKinds = ['logo', 'header_logo', 'favicon'] as const;
export type ImageKind = (typeof imageKinds)[number];

export interface AppearanceImage {
  /** Part of the URL, so that caches distinguish a new image. */
  version: string;
  filename: string;
  contentType: string;
}

/** The single appearance record of an instance. */
export interface AppearanceDocument extends Outboxed {
  _id: number;
  texts: Partial<Record<TextField, string>>;
  isInMails: boolean;
  images: Partial<Record<ImageKind, AppearanceImage | null>>;
}

export const textDefaults = {
  title: '',
  description: '',
  new_project_guidelines: '',
  profile_image_guidelines: '',
  header_message: '',
  footer_message: '',
  message_background_color: '#E75E40',
  message_font_color: '#FFFFFF',
} as const;
export type TextField = keyof typeof textDefaults;

export const appearanceSchema = new Schema<AppearanceDocument>(
  {
    _id: { type: Number, required: true },
    texts: { type: Schema.Types.Mixed, default: {} },
    isInMails: { type: Boolean, default: false },
    images: { type: Schema.Types.Mixed, default: {} },
  },
  { collection: 'appearance', minimize: false },
);
appearanceSchema.plugin(outboxed);
