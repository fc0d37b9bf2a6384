import { Access, type Caller, commonErrors, forbidden, type ProjectRef } from '@moothall/contracts';
import { secondsIn } from '../pipeline-file/duration';
import type { Artifact } from './artifact.schema';

const longestSeconds = 100 * 365 * 86_400;

/** @param expireIn as runners send it; an invalid time means never */
export function expiryOf(expireIn: string | undefined, now: Date): Pick<Artifact, 'expiresAt'> {
  const seconds = expireIn === undefined ? undefined : secondsIn(expireIn);
  if (!seconds) return {};
  return { expiresAt: new Date(now.getTime() + Math.min(seconds, longestSeconds) * 1000) };
}

const levels = {
  all: Access.None,
  developer: Access.Developer,
  maintainer: Access.Maintainer,
  none: Number.POSITIVE_INFINITY,
};

/** For users who may read the job. */
export const mayReadArtifact = ({ access }: Artifact, project: ProjectRef): boolean =>
  project.accessLevel >= levels[access];

/** The same. @throws common.forbidden, common.unauthorized if a sign-in could help */
export function requireArtifactReader(artifact: Artifact, project: ProjectRef, caller: Caller | undefined): void {
  if (!mayReadArtifact(artifact, project)) throw caller ? forbidden() : commonErrors.unauthorized();
}

/** A file name that is valid on every system. */
export const safeFilename = (name: string): string => name.replace(/[\\/\0\r\n"]/g, '_').slice(-200) || 'artifacts';
