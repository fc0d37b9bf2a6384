import { z } from 'zod';
import {
  atLeastOneOf,
  del,
  errors,
  get,
  id,
  levelOrNone,
  nothing,
  operation,
  page,
  patch,
  post,
  projectRef,
  ruleLevels,
  someChangeOf,
} from '../operation';
import { cleansImages } from './access';
import { namePattern } from './name-pattern';

export const registryProtectionErrors = errors('registry_protection', {
  notFound: { status: 404, message: '404 Not Found', means: 'The project has no such rule.' },
  taken: {
    status: 422,
    message: 'Pattern has already been taken',
    means: 'The project has a rule of that pattern.',
  },
  tooMany: {
    status: 422,
    message: 'Maximum number of protection rules have been reached.',
    means: 'A project has up to 100 rules for images, and up to 5 for tags.',
  },
  noLevel: {
    status: 422,
    message: 'A rule requires at least a minimum access role for push or a minimum access role for delete',
    means: 'The rule would protect nothing.',
  },
  pathElsewhere: {
    status: 422,
    message: "Repository path pattern should start with the project's full path",
    means: 'The project has no images that the pattern could mean.',
  },
  deletionRefused: {
    status: 403,
    message: '403 Forbidden - Protected by a rule of the project',
    means:
      'A protection rule of the project requires a higher level to delete these images or tags. See docs/api/registry.md#10.',
  },
});

const level = z.enum(ruleLevels);
const maintaining = cleansImages;
const ofRule = { ...projectRef, protection_rule_id: id.describe('Id of the rule') };
const words = {
  push: 'Lowest level that may push; empty for developers',
  delete: 'Lowest level that may delete; empty for no restriction',
};
const levels = {
  minimum_access_level_for_push: levelOrNone(ruleLevels).describe(words.push),
  minimum_access_level_for_delete: levelOrNone(ruleLevels).describe(words.delete),
};
const refusals = ['registry_protection.not_found'];

/** The levels that may push and delete images of a name. See docs/api/registry.md#10. */
export const ImageProtectionRule = z.object({
  id,
  project_id: id,
  repository_path_pattern: z.string(),
  minimum_access_level_for_push: level.nullable(),
  minimum_access_level_for_delete: level.nullable(),
});

const imagePath = '/projects/:id/registry/protection/repository/rules';
const repository_path_pattern = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[a-z0-9._/*-]+$/, 'is invalid')
  .describe('Name of images with the path of the project; `*` matches any text');

export const listImageProtectionRules = operation({
  name: 'registry.image-protection-rules.list',
  summary: 'Rules that protect images of a project',
  http: get(imagePath),
  access: maintaining,
  input: z.object(projectRef),
  output: page(ImageProtectionRule),
});

export const createImageProtectionRule = operation({
  name: 'registry.image-protection-rules.create',
  summary: 'Protect images of a name',
  refusals: [
    'registry_protection.taken',
    'registry_protection.too_many',
    'registry_protection.no_level',
    'registry_protection.path_elsewhere',
  ],
  http: post(imagePath),
  access: maintaining,
  input: z
    .object({ ...projectRef, repository_path_pattern, ...levels })
    .refine(...atLeastOneOf(...Object.keys(levels))),
  output: ImageProtectionRule,
});

export const updateImageProtectionRule = operation({
  name: 'registry.image-protection-rules.update',
  summary: 'Change a rule that protects images',
  refusals: [
    ...refusals,
    'registry_protection.taken',
    'registry_protection.no_level',
    'registry_protection.path_elsewhere',
  ],
  http: patch(`${imagePath}/:protection_rule_id`),
  access: maintaining,
  input: z
    .object({ ...ofRule, repository_path_pattern: repository_path_pattern.optional(), ...levels })
    .refine(...someChangeOf('repository_path_pattern', ...Object.keys(levels))),
  output: ImageProtectionRule,
});

export const deleteImageProtectionRule = operation({
  name: 'registry.image-protection-rules.delete',
  summary: 'Take a rule away that protects images',
  refusals,
  http: del(`${imagePath}/:protection_rule_id`),
  access: maintaining,
  input: z.object(ofRule),
  output: nothing(),
});

/** The levels that may push and delete tags of a name. See docs/api/registry.md#10. */
export const TagProtectionRule = z.object({
  id,
  project_id: id,
  tag_name_pattern: z.string(),
  minimum_access_level_for_push: level,
  minimum_access_level_for_delete: level,
});

const tagPath = '/projects/:id/registry/protection/tag/rules';
const tag_name_pattern = namePattern(100)
  .min(1)
  .describe('Pattern, of RE2, that is found in names of tags: `^v\\d` are all that begin with `v` and a digit');
const tagLevels = {
  minimum_access_level_for_push: level.describe('Lowest level that may push'),
  minimum_access_level_for_delete: level.describe('Lowest level that may delete'),
};
const whenUnreadable = 'common.invalid_parameters for a pattern that is none';

export const listTagProtectionRules = operation({
  name: 'registry.tag-protection-rules.list',
  summary: 'Rules that protect tags of images of a project',
  http: get(tagPath),
  access: maintaining,
  input: z.object(projectRef),
  output: page(TagProtectionRule),
});

export const createTagProtectionRule = operation({
  name: 'registry.tag-protection-rules.create',
  summary: 'Protect tags of a name',
  description:
    'The registry does not know the tag of a push: users below `minimum_access_level_for_push` of any rule cannot push images of the project.',
  refusals: ['registry_protection.taken', 'registry_protection.too_many', whenUnreadable],
  http: post(tagPath),
  access: maintaining,
  input: z.object({ ...projectRef, tag_name_pattern, ...tagLevels }),
  output: TagProtectionRule,
});

export const updateTagProtectionRule = operation({
  name: 'registry.tag-protection-rules.update',
  summary: 'Change a rule that protects tags',
  refusals: [...refusals, 'registry_protection.taken', whenUnreadable],
  http: patch(`${tagPath}/:protection_rule_id`),
  access: maintaining,
  input: z
    .object({
      ...ofRule,
      tag_name_pattern: tag_name_pattern.optional(),
      minimum_access_level_for_push: tagLevels.minimum_access_level_for_push.optional(),
      minimum_access_level_for_delete: tagLevels.minimum_access_level_for_delete.optional(),
    })
    .refine(...someChangeOf('tag_name_pattern', ...Object.keys(tagLevels))),
  output: TagProtectionRule,
});

export const deleteTagProtectionRule = operation({
  name: 'registry.tag-protection-rules.delete',
  summary: 'Take a rule away that protects tags',
  refusals,
  http: del(`${tagPath}/:protection_rule_id`),
  access: maintaining,
  input: z.object(ofRule),
  output: nothing(),
});
