import type { z } from 'zod';
import type { Ability } from './ability';
import { type AccessLevel, type Feature, type GroupRule, onGroup, onProject, type ProjectRule } from './access';
import { groupRef, projectRef } from './fields';

/** Who may call an operation below a project or group. */
export type ParentRule = ProjectRule | GroupRule;

/**
 * The parent of operations that projects and groups share: badges, members and others are declared once, as a
 * function of the parent, and created for both.
 */
export interface Parent<R extends ParentRule> {
  /** As names of operations have it: `projects.project-badges.list`. */
  kind: 'project' | 'group';
  path: '/projects/:id' | '/groups/:id';
  ref: { id: z.ZodString };
  /** Groups have no features: everybody who reads them sees what they own. */
  on<N extends boolean = false>(rule?: {
    level?: AccessLevel;
    anonymous?: N;
    ability?: Ability;
    feature?: Feature | readonly Feature[];
  }): R & { anonymous: N };
}

export const ofProjects: Parent<ProjectRule> = {
  kind: 'project',
  path: '/projects/:id',
  ref: projectRef,
  on: onProject,
};
export const ofGroups: Parent<GroupRule> = { kind: 'group', path: '/groups/:id', ref: groupRef, on: onGroup };
