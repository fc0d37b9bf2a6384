import { z } from 'zod';
import { writtenProse } from '../collaboration/prose/prose';
import {
  del,
  get,
  id,
  nothing,
  operation,
  page,
  post,
  projectRef,
  put,
  readWebAddress,
  someChangeOf,
} from '../operation';
import { readsReleases, writesReleases } from './access';

export const linkTypes = ['other', 'runbook', 'image', 'package'] as const;
export type LinkType = (typeof linkTypes)[number];

/** A link from a release to something external. See docs/api/releases.md#4. */
export const ReleaseLink = z.object({
  id,
  name: z.string(),
  url: z.string(),
  direct_asset_url: z.string().describe('Below the release where the link has a path there, else `url`'),
  external: z.boolean().describe('It leads to another server'),
  link_type: z.enum(linkTypes),
});
export type ReleaseLink = z.infer<typeof ReleaseLink>;

export const mostLinks = 200;

const isAddress = (text: string): boolean => readWebAddress(text, ['http', 'https', 'ftp']) !== undefined;
const isFilepath = (path: string): boolean => /^(?:\/[-.\w]+)+$/.test(path) && /[0-9A-Za-z]$/.test(path);

const name = writtenProse(255);
const url = z
  .string()
  .max(2048)
  .refine(isAddress, 'is blocked: Only allowed schemes are http, https, ftp')
  .describe('The URL: http, https or ftp');
const filepath = z
  .string()
  .max(128)
  .refine(isFilepath, 'is in an invalid format')
  .describe('Path below the downloads of the release, as `/bin/app`');
const linkType = z.enum(linkTypes);
const places = {
  filepath: filepath.optional().describe('Older name of direct_asset_path'),
  direct_asset_path: filepath.optional(),
};

/** The parameters of a link. */
export const newLink = { name, url, ...places, link_type: linkType.default('other').describe('Kind of the target') };

/** The same in archives of projects. */
export const archivedLink = z.object({ name, url, filepath: filepath.nullable(), link_type: linkType });

const ofRelease = { ...projectRef, tag_name: z.string() };
const link = { ...ofRelease, link_id: id };
const path = '/projects/:id/releases/:tag_name/assets/links';
const refusals = ['release.not_found', 'release.link_not_found'];

export const listReleaseLinks = operation({
  name: 'delivery.release-links.list',
  summary: 'Links of a release, the newest first',
  refusals: ['release.not_found'],
  http: get(path),
  access: readsReleases,
  takesJobToken: true,
  input: z.object(ofRelease),
  output: page(ReleaseLink),
});

export const getReleaseLink = operation({
  name: 'delivery.release-links.get',
  summary: 'One link of a release',
  refusals,
  http: get(`${path}/:link_id`),
  access: readsReleases,
  takesJobToken: true,
  input: z.object(link),
  output: ReleaseLink,
});

export const createReleaseLink = operation({
  name: 'delivery.release-links.create',
  summary: 'Add a link to a release',
  description: 'Name, address and path are each of one link of the release alone.',
  refusals: ['release.not_found', 'release.too_many_links', 'common.invalid_record for what another link has'],
  http: post(path),
  access: writesReleases,
  takesJobToken: true,
  input: z.object({ ...ofRelease, ...newLink }),
  output: ReleaseLink,
});

export const updateReleaseLink = operation({
  name: 'delivery.release-links.update',
  summary: 'Change a link of a release',
  refusals: [...refusals, 'common.invalid_record for what another link has'],
  http: put(`${path}/:link_id`),
  access: writesReleases,
  takesJobToken: true,
  input: z
    .object({
      ...link,
      name: name.optional(),
      url: url.optional(),
      ...places,
      link_type: linkType.optional().describe('Kind of the target'),
    })
    .refine(...someChangeOf('name', 'url', 'filepath', 'direct_asset_path', 'link_type')),
  output: ReleaseLink,
});

export const deleteReleaseLink = operation({
  name: 'delivery.release-links.delete',
  summary: 'Take a link off a release',
  description: 'The answer is the deleted link.',
  refusals,
  http: del(`${path}/:link_id`, { success: 200 }),
  access: writesReleases,
  takesJobToken: true,
  input: z.object(link),
  output: ReleaseLink,
});

export const downloadReleaseLink = operation({
  name: 'delivery.release-links.download',
  summary: 'Where a link of a release leads, by its path',
  description: 'Answered with a redirection to the address of the link that has the path.',
  refusals,
  http: get('/projects/:id/releases/:tag_name/downloads/:direct_asset_path', { endsInPath: true, success: 302 }),
  access: readsReleases,
  takesJobToken: true,
  input: z.object({ ...ofRelease, direct_asset_path: z.string().max(128).describe('As the link has it') }),
  output: nothing(),
});
