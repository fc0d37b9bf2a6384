import { z } from 'zod';

/** A user in the records of an archive, matched by name and public email address. */
export const ArchivedUser = z.object({
  id: z.int().positive(),
  username: z.string(),
  public_email: z.string().nullable(),
  /** Group archives do not have it. */
  name: z.string().max(1000).optional(),
});
export type ArchivedUser = z.infer<typeof ArchivedUser>;

export const ArchivedMember = z.object({
  username: z.string(),
  public_email: z.string().nullable(),
  access_level: z.union([z.literal(10), z.literal(20), z.literal(30), z.literal(40), z.literal(50)]),
  expires_at: z.string().nullable(),
});
export type ArchivedMember = z.infer<typeof ArchivedMember>;
