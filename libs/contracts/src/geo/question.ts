import { z } from 'zod';
import { listPipelines } from '../ci';
import { releasesOfTags } from '../delivery';
import {
  authenticateBasic,
  authenticateDeployToken,
  authenticateSshKey,
  authenticateToken,
  callerSchema,
  impersonate,
} from '../identity';
import { administrator, id, internal, nodeScope, type Operation, operation, post } from '../operation';
import { resolveGroup, resolveProject } from '../projects';
import { listProtections } from '../repository';

/*
 * What a secondary asks its primary about to let somebody in and to show what stands beside its copies. All of it reads.
 * See docs/api/geo-replication.md#5.
 */

/** Nothing else is answered. */
export const geoQuestions: readonly Operation[] = [
  authenticateBasic,
  authenticateDeployToken,
  authenticateSshKey,
  authenticateToken,
  impersonate,
  listPipelines,
  listProtections,
  releasesOfTags,
  resolveGroup,
  resolveProject,
];

const question = {
  question: z.enum(geoQuestions.map(({ name }) => name)).describe('Name of the operation between services'),
  parameters: z.record(z.string(), z.unknown()).describe('What that operation is asked'),
  caller: callerSchema.optional().describe('The user for whom the secondary asks'),
  project_id: id.optional().describe('Of the project that it is asked of, as the caller reads it'),
};

const refusal = z.object({
  code: z.string(),
  message: z.unknown().optional(),
  details: z.record(z.string(), z.string()).optional(),
  retryAfterSeconds: z.number().optional(),
});

/** @throws what the operation throws as an answer, so that the secondary refuses as the primary does */
export const answerGeoQuestion = operation({
  name: 'geo.questions.answer',
  summary: 'Answer a question of a secondary about a caller and their rights',
  description:
    'For secondaries, which apply the decisions of the primary. A refusal is an answer: it is in `refusal`, and `answer` is null.',
  refusals: ['common.forbidden on a secondary', 'common.bad_request for parameters that do not belong to the question'],
  http: post('/geo/questions', { success: 200 }),
  access: administrator(),
  scopes: [nodeScope],
  input: z.object(question),
  output: z.object({ answer: z.unknown(), refusal: refusal.nullable() }),
});

/**
 * Asks the primary, or knows what it answered seconds ago.
 * @throws what the primary's operation throws; common.unavailable where the primary does not answer
 */
export const queryPrimary = operation({
  name: 'geo.questions.ask',
  access: internal(),
  isRead: true,
  input: z.object(question),
  output: z.object({ answer: z.unknown() }),
});
