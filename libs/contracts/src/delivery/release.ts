import { z } from 'zod';
import { Milestone } from '../collaboration/milestone/milestone-view';
import { descriptionLimit, prose } from '../collaboration/prose/prose';
import { UserSummary } from '../identity/user';
import {
  bytes,
  commaList,
  del,
  event,
  get,
  groupRef,
  id,
  internal,
  nothing,
  onGroup,
  operation,
  page,
  post,
  projectRef,
  put,
  someChangeOf,
  sorting,
  time,
  timestamp,
} from '../operation';
import { readsCode } from '../repository/access';
import { Commit } from '../repository/commit-view';
import { readsReleases, writesReleases } from './access';
import { linkTypes, mostLinks, newLink, ReleaseLink } from './release-link';

const codeOnly = 'Absent if the caller may not read the code';

/** See docs/api/releases.md#2. */
export const Release = z.object({
  tag_name: z.string().optional().describe(codeOnly),
  name: z.string(),
  description: z.string().nullable(),
  description_html: z.string().nullable().optional().describe('Only if requested'),
  created_at: time,
  released_at: time,
  upcoming_release: z.boolean().describe('It is to be released yet'),
  author: UserSummary.nullable(),
  commit: Commit.nullable().optional().describe(codeOnly),
  milestones: z.array(Milestone).optional().describe('Absent if there are none'),
  commit_path: z.string().optional().describe(codeOnly),
  tag_path: z.string().optional().describe(codeOnly),
  assets: z.object({
    count: z.int(),
    sources: z
      .array(z.object({ format: z.string(), url: z.string() }))
      .optional()
      .describe(codeOnly),
    links: z.array(ReleaseLink),
  }),
  evidences: z.array(z.object({ sha: z.string(), filepath: z.string(), collected_at: time })),
  _links: z.object({
    self: z.string().optional().describe(codeOnly),
    edit_url: z.string().optional().describe('For users who may change it'),
    closed_issues_url: z.string().optional(),
    closed_merge_requests_url: z.string().optional(),
    merged_merge_requests_url: z.string().optional(),
    opened_issues_url: z.string().optional(),
    opened_merge_requests_url: z.string().optional(),
  }),
});
export type Release = z.infer<typeof Release>;

/** The oldest form of a release: the text of a tag. */
export const TagRelease = z.object({ tag_name: z.string(), description: z.string().nullable() });

const withHtml = {
  include_html_description: z.boolean().default(false).describe('Whether `description_html` is wanted'),
};
const tagName = z.string().describe('Name of the tag');
const ofTag = { ...projectRef, tag_name: tagName };
const name = prose(255).describe('The name of the tag unless given');
const description = prose(descriptionLimit);
const releasedAt = timestamp.describe('When it was released, or will be; now unless given');
/** Of one release. */
export const mostReleaseMilestones = 100;
const milestones = commaList(z.string().max(255), mostReleaseMilestones).describe(
  'Titles of milestones of the project and the groups above',
);
const whenMilestones = 'release.milestones_not_found';

export const listReleases = operation({
  name: 'delivery.releases.list',
  summary: 'Releases of a project, the latest first',
  http: get('/projects/:id/releases'),
  access: readsReleases,
  takesJobToken: true,
  input: z.object({ ...projectRef, ...sorting(['released_at', 'created_at']), ...withHtml }),
  output: page(Release),
});

export const listGroupReleases = operation({
  name: 'delivery.group-releases.list',
  summary: 'Releases of the projects below a group, the latest first',
  description: 'Of those that the caller reads.',
  http: get('/groups/:id/releases'),
  access: onGroup({ anonymous: true }),
  input: z.object({ ...groupRef, sort: z.enum(['asc', 'desc']).default('desc') }),
  output: page(Release),
});

export const getRelease = operation({
  name: 'delivery.releases.get',
  summary: 'One release',
  refusals: ['release.not_found'],
  http: get('/projects/:id/releases/:tag_name'),
  access: readsCode,
  takesJobToken: true,
  input: z.object({ ...ofTag, ...withHtml }),
  output: Release,
});

/** The file of an evidence: its SHA-256 is `sha`. See docs/api/releases.md#3. */
export const getReleaseEvidence = operation({
  name: 'delivery.releases.get-evidence',
  onPages: true,
  isRead: true,
  refusals: ['release.not_found', 'release.evidence_not_found'],
  access: readsCode,
  input: z.object({ ...ofTag, evidence_id: id.describe('Starting from 1 in each release') }),
  output: bytes('application/json'),
});

export const getLatestRelease = operation({
  name: 'delivery.releases.get-latest',
  summary: 'Where the latest release is',
  description: 'Redirects to the latest release, with the rest of the path. Upcoming releases do not count.',
  refusals: ['release.not_found'],
  http: [
    get('/projects/:id/releases/permalink/latest', { success: 302 }),
    get('/projects/:id/releases/permalink/latest/:suffix_path', { endsInPath: true, success: 302 }),
  ],
  access: readsCode,
  takesJobToken: true,
  input: z.object({
    ...projectRef,
    suffix_path: z.string().max(1024).optional().describe('Rest of the path, as `downloads/bin/app`'),
  }),
  output: nothing(),
});

export const createRelease = operation({
  name: 'delivery.releases.create',
  summary: 'Release a tag',
  description: 'A missing tag is created from `ref`.',
  refusals: [
    'release.exists',
    'release.no_ref',
    whenMilestones,
    'git.tag_name_invalid',
    'git.revision_unknown',
    'common.invalid_record for two links of one name, address or path',
  ],
  http: post('/projects/:id/releases'),
  access: writesReleases,
  takesJobToken: true,
  input: z.object({
    ...projectRef,
    tag_name: z.string().min(1).max(255).describe('Name of the tag'),
    tag_message: z.string().max(1_000_000).optional().describe('Makes the new tag an annotated one'),
    name: name.optional(),
    description: description.optional(),
    ref: z.string().min(1).max(1024).optional().describe('Branch, tag or commit from which a missing tag is created'),
    milestones: milestones.optional(),
    assets: z
      .object({ links: z.array(z.object(newLink)).max(mostLinks).optional() })
      .optional()
      .describe('`links`: what belongs to it'),
    released_at: releasedAt.optional(),
  }),
  output: Release,
  timeoutSeconds: 60,
});

export const updateRelease = operation({
  name: 'delivery.releases.update',
  summary: 'Change a release',
  refusals: ['release.not_found', whenMilestones],
  http: put('/projects/:id/releases/:tag_name'),
  access: writesReleases,
  takesJobToken: true,
  input: z
    .object({
      ...ofTag,
      name: name.optional(),
      description: description.optional(),
      released_at: releasedAt.optional(),
      milestones: milestones.optional(),
    })
    .refine(...someChangeOf('name', 'description', 'released_at', 'milestones')),
  output: Release,
});

export const deleteRelease = operation({
  name: 'delivery.releases.delete',
  summary: 'Delete a release',
  description: 'Its tag stays. The answer is the deleted release.',
  refusals: ['release.not_found'],
  http: del('/projects/:id/releases/:tag_name', { success: 200 }),
  access: writesReleases,
  takesJobToken: true,
  input: z.object(ofTag),
  output: Release,
});

export const collectReleaseEvidence = operation({
  name: 'delivery.releases.collect-evidence',
  summary: 'Collect evidence of a release',
  description: 'Stores the current release as JSON, with its SHA-256. The answer is the number 200.',
  refusals: ['release.not_found', 'release.too_many_evidences'],
  http: post('/projects/:id/releases/:tag_name/evidence', { success: 200 }),
  access: writesReleases,
  takesJobToken: true,
  input: z.object(ofTag),
  output: z.literal(200),
});

const ofOldRelease = { ...projectRef, tag_name: tagName, description };

export const createTagRelease = operation({
  name: 'delivery.tag-releases.create',
  summary: 'Give a tag a release with a text',
  refusals: ['release.exists', 'release.tag_not_found'],
  http: post('/projects/:id/repository/tags/:tag_name/release'),
  access: writesReleases,
  input: z.object(ofOldRelease),
  output: TagRelease,
});

export const updateTagRelease = operation({
  name: 'delivery.tag-releases.update',
  summary: 'Change the text of the release of a tag',
  refusals: ['release.not_found'],
  http: put('/projects/:id/repository/tags/:tag_name/release'),
  access: writesReleases,
  input: z.object(ofOldRelease),
  output: TagRelease,
});

/** The releases of tags, for lists of tags; tags without one are omitted. */
export const releasesOfTags = operation({
  name: 'delivery.releases.of-tags',
  access: internal(),
  isRead: true,
  input: z.object({ project_id: id, tag_names: z.array(z.string()).max(1000) }),
  output: z.array(TagRelease),
});

/**
 * A release was created, changed or deleted, by a user or with its tag. `description` is empty above 256 KiB; the
 * commit message has at most 10,000 characters.
 */
export const releaseChanged = event({
  name: 'delivery.release.changed',
  data: z.object({
    action: z.enum(['create', 'update', 'delete']),
    project_id: id,
    user_id: id.nullable().describe('Null if the tag was deleted'),
    release: z.object({
      id,
      tag_name: z.string(),
      name: z.string(),
      description: z.string().nullable(),
      created_at: time,
      released_at: time,
      links: z.array(z.object({ id, name: z.string(), url: z.string(), link_type: z.enum(linkTypes) })),
    }),
    commit: z
      .object({
        id: z.string(),
        title: z.string(),
        message: z.string(),
        timestamp: z.string(),
        url: z.string(),
        author: z.object({ name: z.string(), email: z.string() }),
      })
      .nullable()
      .describe('Null if the tag was deleted'),
  }),
});
