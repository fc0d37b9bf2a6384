import { z } from 'zod';
import {
  Access,
  atLeastOneOf,
  del,
  get,
  id,
  levelOrNone,
  nothing,
  onProject,
  operation,
  page,
  patch,
  post,
  projectRef,
  ruleLevels,
  someChangeOf,
} from '../operation';

/** Maintainers delete packages in any case, so a rule for them would have no effect. */
const deletionLevels = ['owner', 'admin'] as const;

/** The users who may upload to some packages and delete them. See docs/api/packages.md#4. */
export const PackageProtectionRule = z.object({
  id,
  project_id: id,
  package_name_pattern: z.string(),
  package_type: z.literal('generic'),
  minimum_access_level_for_push: z.enum(ruleLevels).nullable(),
  minimum_access_level_for_delete: z.enum(deletionLevels).nullable(),
});

const maintaining = onProject({ level: Access.Maintainer });
const path = '/projects/:id/packages/protection/rules';
const one = { ...projectRef, package_protection_rule_id: id.describe('Id of the rule') };
const pattern = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[A-Za-z0-9._+*-]+$/, 'is invalid')
  .describe('Name of packages; `*` matches any text');
const type = z.enum(['generic']).describe('Kind of the packages: there are no others here');
const levels = {
  minimum_access_level_for_push: levelOrNone(ruleLevels).describe('Lowest level that may upload; empty for developers'),
  minimum_access_level_for_delete: levelOrNone(deletionLevels).describe(
    'Lowest level that may delete; empty for maintainers',
  ),
};

export const listPackageProtectionRules = operation({
  name: 'delivery.package-protection-rules.list',
  summary: 'Rules that protect packages of a project',
  http: get(path),
  access: maintaining,
  input: z.object(projectRef),
  output: page(PackageProtectionRule),
});

export const createPackageProtectionRule = operation({
  name: 'delivery.package-protection-rules.create',
  summary: 'Protect packages of a name',
  refusals: ['package_protection.taken', 'package_protection.too_many', 'package_protection.no_level'],
  http: post(path),
  access: maintaining,
  input: z
    .object({ ...projectRef, package_name_pattern: pattern, package_type: type, ...levels })
    .refine(...atLeastOneOf(...Object.keys(levels))),
  output: PackageProtectionRule,
});

export const updatePackageProtectionRule = operation({
  name: 'delivery.package-protection-rules.update',
  summary: 'Change a rule that protects packages',
  refusals: ['package_protection.not_found', 'package_protection.taken', 'package_protection.no_level'],
  http: patch(`${path}/:package_protection_rule_id`),
  access: maintaining,
  input: z
    .object({
      ...one,
      package_name_pattern: pattern.optional(),
      package_type: type.optional(),
      ...levels,
    })
    .refine(...someChangeOf('package_name_pattern', 'package_type', ...Object.keys(levels))),
  output: PackageProtectionRule,
});

export const deletePackageProtectionRule = operation({
  name: 'delivery.package-protection-rules.delete',
  summary: 'Take a rule away that protects packages',
  refusals: ['package_protection.not_found'],
  http: del(`${path}/:package_protection_rule_id`),
  access: maintaining,
  input: z.object(one),
  output: nothing(),
});
