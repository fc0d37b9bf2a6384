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
 * Operations that a secondary calls on its primary, for access control and for records beside its copies. All of them
 * are reads. See docs/api/geo-replication.md#5.
 */

/** No other operation is answered. */
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

/** @throws the error of the operation as an answer, so that the secondary refuses like the primary */
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
 * Calls the primary, or returns its answer of some seconds ago.
 * @throws the error of the primary's operation; common.unavailable if the primary does not answer
 */
export const queryPrimary = operation({
  name: 'geo.questions.ask',
  access: internal(),
  isRead: true,
  input: z.object(question),
  output: z.object({ answer: z.unknown() }),
});
