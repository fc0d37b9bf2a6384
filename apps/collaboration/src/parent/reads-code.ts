import { Access, type ProjectRef } from '@moothall/contracts';

/** Whether somebody who reads a project also reads its code: in private ones not below reporter. See docs/api/access.md#5. */
export const readsCode = ({ visibility, accessLevel }: Pick<ProjectRef, 'visibility' | 'accessLevel'>): boolean =>
  visibility !== 'private' || accessLevel >= Access.Reporter;
