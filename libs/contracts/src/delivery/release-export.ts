import { z } from 'zod';
import { internalOnProject, operation, timestamp } from '../operation';
import { archivedLink, mostLinks } from './release-link';

/** A release as archives of projects have it. Milestones are named by title, the author as in other records. */
export const ExportedRelease = z.object({
  tag_name: z.string().min(1).max(1024),
  name: z.string().max(1000).nullable(),
  description: z.string().max(1_048_576).nullable(),
  author_id: z.int().positive(),
  released_at: timestamp,
  created_at: timestamp,
  links: z.array(archivedLink).max(mostLinks),
});

/** Releases of the context's project by ascending id after one; `next_after_id` is null at the end. */
export const exportReleases = operation({
  name: 'delivery.export.releases',
  access: internalOnProject(),
  isRead: true,
  input: z.object({ after_id: z.int().default(0) }),
  output: z.object({ releases: z.array(ExportedRelease), next_after_id: z.int().nullable() }),
});

/** Imports releases of an archive into the project. An existing one of a tag stays. Nobody is notified. */
export const importReleases = operation({
  name: 'delivery.import.releases',
  access: internalOnProject(),
  input: z.object({ releases: z.array(ExportedRelease).max(1000) }),
  output: z.object({ created: z.int() }),
});
