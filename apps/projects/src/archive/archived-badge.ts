import { z } from 'zod';

export const ArchivedBadge = z.object({ name: z.string().nullable(), link_url: z.string(), image_url: z.string() });
