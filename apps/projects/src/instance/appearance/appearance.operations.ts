import {
  type Appearance,
  appearanceChanged,
  type ContextOf,
  commonErrors,
  getAppearance,
  getAppearanceImage,
  imageBytes,
  imageLimit,
  invalidRecord,
  type ParsedOf,
  readAppearance,
  updateAppearance,
} from '@moothall/contracts';
import { acceptImage, DataPort, pictures, streamOf, UploadedFiles } from '@moothall/data-port';
import { newEvent, Outbox } from '@moothall/database';
import { Handles } from '@moothall/messaging';
import { ObjectStorage, sendObject } from '@moothall/object-storage';
import { Controller } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { below } from '../../namespace/set-below';
import { findBanners } from '../broadcast-message/banners';
import type { BroadcastMessageDocument } from '../broadcast-message/broadcast-message.schema';
import {
  type AppearanceDocument,
  type AppearanceImage,
  type ImageKind,
  imageKinds,
  type TextField,
  textDefaults,
} from './appearance.schema';

const only = 1;
type Input = ParsedOf<typeof updateAppearance>;

/** Appearance of the instance: name, logos, texts. */
@Controller()
export class AppearanceOperations {
  constructor(
    @InjectModel('Appearance') private readonly model: Model<AppearanceDocument>,
    @InjectModel('BroadcastMessage') private readonly messages: Model<BroadcastMessageDocument>,
    private readonly outbox: Outbox,
    private readonly storage: ObjectStorage,
    private readonly dataPort: DataPort,
    private readonly files: UploadedFiles,
  ) {
    dataPort.serve<AppearanceImage & { key: string }>('appearance-image', (image, request, response) =>
      sendObject(storage, { ...image, isInline: true }, request, response),
    );
  }

  @Handles(getAppearance)
  async get(_: ContextOf<typeof getAppearance>, __: ParsedOf<typeof getAppearance>) {
    return this.read();
  }

  @Handles(readAppearance)
  async readForServices(_: ContextOf<typeof readAppearance>, __: ParsedOf<typeof readAppearance>) {
    const [appearance, banners] = await Promise.all([this.read(), findBanners(this.messages)]);
    return { ...appearance, banners };
  }

  @Handles(updateAppearance)
  async update(_: ContextOf<typeof updateAppearance>, input: Input): Promise<Appearance> {
    requireColors(input);
    const images = await this.takeImages(input);
    const given = Object.keys(textDefaults).filter((field) => input[field as TextField] !== undefined);
    const texts = Object.fromEntries(given.map((field) => [field, input[field as TextField]]));
    const set = {
      ...below('texts', texts),
      ...below('images', images),
      ...(input.email_header_and_footer_enabled !== undefined && { isInMails: input.email_header_and_footer_enabled }),
    };
    await this.model.updateOne({ _id: only }, { $setOnInsert: { isInMails: false } }, { upsert: true });
    const event = newEvent(appearanceChanged, {});
    await this.outbox.update(this.model, { _id: only }, { $set: set }, event);
    return this.read();
  }

  @Handles(getAppearanceImage)
  async image(_: ContextOf<typeof getAppearanceImage>, input: ParsedOf<typeof getAppearanceImage>) {
    const document = await this.model.findById(only).lean<AppearanceDocument>();
    const image = document?.images?.[input.kind];
    if (!image || image.version !== input.version || image.filename !== input.filename) throw commonErrors.notFound();
    return this.dataPort.presign('appearance-image', { ...image, key: keyOf(input.kind, image.version) });
  }

  private async read(): Promise<Appearance> {
    const document = await this.model.findById(only).lean<AppearanceDocument>();
    return {
      ...textDefaults,
      ...document?.texts,
      logo: addressOf('logo', document),
      header_logo: addressOf('header_logo', document),
      favicon: addressOf('favicon', document),
      email_header_and_footer_enabled: document?.isInMails ?? false,
    };
  }

  /** Validates all images before the first is stored. @throws common.invalid_record */
  private async takeImages(input: Input): Promise<Partial<Record<ImageKind, AppearanceImage | null>>> {
    const given = imageKinds.flatMap((kind) => (input[kind] === undefined ? [] : [{ kind, file: input[kind] }]));
    const judged = await Promise.all(
      given.map(async ({ kind, file }) => {
        const types = kind === 'favicon' ? ['png', 'ico'] : pictures;
        if (!file) return { kind, image: null };
        const upload = this.files.open(file, imageLimit(kind, imageBytes));
        return { kind, image: await acceptImage(upload, { field: kind, types }) };
      }),
    );
    const taken: Partial<Record<ImageKind, AppearanceImage | null>> = {};
    for (const { kind, image } of judged) {
      const version = String(Date.now());
      if (image) await this.storage.write(keyOf(kind, version), streamOf(image));
      taken[kind] = image && { version, filename: image.filename, contentType: image.contentType };
    }
    return taken;
  }
}

const keyOf = (kind: ImageKind, version: string): string => `appearance/${kind}/${version}`;

function addressOf(kind: ImageKind, document: AppearanceDocument | null): string | null {
  const image = document?.images?.[kind];
  return image ? `/uploads/-/system/appearance/${kind}/${image.version}/${image.filename}` : null;
}

const color = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i;

/** @throws common.invalid_record */
function requireColors(input: Input): void {
  const fields = ['message_font_color', 'message_background_color'] as const;
  const wrong = fields.filter((field) => input[field] !== undefined && !color.test(input[field]));
  if (wrong.length === 0) return;
  throw invalidRecord(Object.fromEntries(wrong.map((field) => [field, ['must be a valid color code']])));
}
