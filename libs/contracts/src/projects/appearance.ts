import { z } from 'zod';
import {
  administrator,
  anyone,
  bytes,
  event,
  get,
  imageLimit,
  internal,
  operation,
  put,
  uploadedFile,
} from '../operation';
import { Banner } from './broadcast-message';

/** How the instance presents itself. See docs/api/instance.md#2. */
export const Appearance = z.object({
  title: z.string(),
  description: z.string(),
  logo: z.string().nullable(),
  header_logo: z.string().nullable(),
  favicon: z.string().nullable(),
  new_project_guidelines: z.string(),
  profile_image_guidelines: z.string(),
  header_message: z.string(),
  footer_message: z.string(),
  message_background_color: z.string(),
  message_font_color: z.string(),
  email_header_and_footer_enabled: z.boolean(),
});
export type Appearance = z.infer<typeof Appearance>;

/** The path of @gitbeaker/rest. */
const misspelt = '/application/appearence';

export const getAppearance = operation({
  name: 'projects.appearance.get',
  summary: 'How the instance presents itself',
  http: [get('/application/appearance'), get(misspelt, { deprecated: true })],
  access: administrator(),
  input: z.object({}),
  output: Appearance,
});

export const imageBytes = 1024 ** 2;

/** A file replaces an image, an empty value removes it. */
const image = (field: string) =>
  z.union([uploadedFile(imageLimit(field, imageBytes)), z.literal(''), z.null()]).optional();

export const updateAppearance = operation({
  name: 'projects.appearance.update',
  summary: 'Change how the instance presents itself',
  description: 'A file replaces an image, an empty value removes it.',
  http: [put('/application/appearance'), put(misspelt, { deprecated: true })],
  access: administrator(),
  input: z.object({
    title: z.string().optional(),
    description: z.string().optional(),
    logo: image('logo'),
    header_logo: image('header_logo'),
    favicon: image('favicon'),
    new_project_guidelines: z.string().optional(),
    profile_image_guidelines: z.string().optional(),
    header_message: z.string().optional(),
    footer_message: z.string().optional(),
    message_background_color: z.string().optional(),
    message_font_color: z.string().optional(),
    email_header_and_footer_enabled: z.boolean().optional(),
  }),
  output: Appearance,
});

export const getAppearanceImage = operation({
  name: 'projects.appearance.get-image',
  summary: 'An image of the appearance',
  description: 'For all callers, because the sign-in page shows it.',
  http: get('/uploads/-/system/appearance/:kind/:version/:filename', { atRoot: true }),
  access: anyone(),
  input: z.object({
    kind: z.enum(['logo', 'header_logo', 'favicon']),
    version: z.string(),
    filename: z.string(),
  }),
  output: bytes('image/png'),
});

/** As pages show it. */
const ShownAppearance = Appearance.extend({
  banners: z.array(Banner).optional().describe('Broadcast messages of now and of the next minutes, latest first'),
});
export type ShownAppearance = z.infer<typeof ShownAppearance>;

/** The same as for administrators, for pages and mails. */
export const readAppearance = operation({
  name: 'projects.appearance.read',
  access: internal(),
  isRead: true,
  input: z.object({}),
  output: ShownAppearance,
});

export const appearanceChanged = event({ name: 'projects.appearance.changed', data: z.object({}) });
