import { z } from 'zod';
import { internal, operation } from '../operation';

/**
 * Encrypts values of a service again that are not encrypted with the first key: some documents at a time. It may be
 * repeated, on any replica, during other changes of the same fields.
 */
const resealing = (service: string) =>
  operation({
    name: `${service}.sealed-fields.reseal`,
    access: internal(),
    input: z.object({
      after: z.string().optional().describe('Where the answer before ended; without it, from the beginning'),
      only_count: z.boolean().default(false).describe('Changes nothing'),
    }),
    output: z.object({
      key_name: z.string().describe('Of the key that the process encrypts by'),
      seen: z.int().describe('Fields that were looked at'),
      outdated: z.int().describe('Those of them that were encrypted by another key'),
      resealed: z.int().describe('Records re-encrypted with the first key; others changed in the meantime'),
      unreadable: z.array(z.string()).describe('Fields that no key of the process opens'),
      after: z.string().nullable().describe('null at the end'),
    }),
  });

export const resealIdentity = resealing('identity');
export const resealProjects = resealing('projects');
export const resealRepository = resealing('repository');
export const resealCi = resealing('ci');
export const resealIntegrations = resealing('integrations');

/** Of every service with encrypted fields. */
export const resealings = [resealIdentity, resealProjects, resealRepository, resealCi, resealIntegrations] as const;
