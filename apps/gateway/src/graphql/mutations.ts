import {
  commonErrors,
  createIteration,
  createIterationCadence,
  deleteIteration,
  errorTable,
  getGroup,
  getProject,
  OperationError,
  setIssueIteration,
} from '@moothall/contracts';
import { answerOf } from '../answer/error-body';
import { wordsIn } from '../answer/graphql-error';
import { type Arguments, type Asking, idOf, named, type Question, type Row } from './asking';
import { LimitExceeded } from './limits';

/** One message for missing and forbidden records, so that they cannot be distinguished. */
const notForThem =
  "The resource that you are attempting to access does not exist or you don't have permission to perform this action";

type Given = Record<string, unknown>;

/**
 * A mutation with one argument `input`. Refusals because of the input are in the `errors` of its payload. See
 * docs/api/graphql.md#5.
 * @param cost number of calls
 */
function mutation(cost: number, change: (given: Given, asking: Asking) => Promise<Row>): Question {
  return {
    cost: () => cost,
    ask: async (_: Row, { input }: Arguments, asking: Asking) => {
      const given = input as Given;
      const echoed = { client_mutation_id: given.clientMutationId };
      try {
        return { ...echoed, ...(await change(given, asking)), errors: [] };
      } catch (error) {
        return { ...echoed, errors: [refusalIn(error)] };
      }
    },
  };
}

/** @throws errors that the input did not cause */
function refusalIn(error: unknown): string {
  if (!(error instanceof OperationError)) throw error;
  const status = errorTable.get(error.code)?.status;
  if (status === 401 || status === 403 || status === 404) throw new LimitExceeded(notForThem);
  if (status !== 400 && status !== 409 && status !== 422) throw error;
  return wordsIn(answerOf(error.value).body);
}

/**
 * The number in an id such as `gid://gitlab/Iteration/7`; older clients use other kinds for it. @throws
 * common.not_found
 */
function idIn(globalId: unknown, ...kinds: string[]): number {
  const [, kind, id] = /^gid:\/\/gitlab\/([A-Za-z:]+)\/(\d{1,15})$/.exec(String(globalId)) ?? [];
  if (!kind || !kinds.includes(kind)) throw commonErrors.notFound();
  return Number(id);
}

const iterationIn = (globalId: unknown): number => idIn(globalId, 'Iteration', 'EE::Iteration');

/** @throws common.not_found */
async function groupAt(path: unknown, asking: Asking): Promise<Row> {
  const group = await named(getGroup, 'full_path', { fullPath: path }, asking);
  if (!group) throw commonErrors.notFound();
  return group;
}

/** Absent and null fields are not passed on. */
const given = (input: Given): Given =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined && value !== null));

/** Fields of the root `Mutation`. */
export const mutations: Record<string, Question> = {
  'Mutation.iterationCadenceCreate': mutation(2, async (input, asking) => {
    const group = await groupAt(input.groupPath, asking);
    const { title, description, active, automatic, startDate: start_date, durationInWeeks: duration_in_weeks } = input;
    const values = given({ title, description, active, automatic, start_date, duration_in_weeks });
    return { iteration_cadence: await asking.change(createIterationCadence, { ...values, id: idOf(group) }) };
  }),
  'Mutation.iterationCreate': mutation(2, async (input, asking) => {
    const group = await groupAt(input.groupPath, asking);
    const { iterationsCadenceId, title, description, startDate: start_date, dueDate: due_date } = input;
    const cadence_id = iterationsCadenceId && idIn(iterationsCadenceId, 'Iterations::Cadence');
    const values = given({ cadence_id, title, description, start_date, due_date });
    return { iteration: await asking.change(createIteration, { ...values, id: idOf(group) }) };
  }),
  'Mutation.iterationDelete': mutation(2, async ({ id }, asking) => {
    const { group_id } = await asking.change(deleteIteration, { iteration_id: iterationIn(id) });
    return { group: await asking.one(getGroup, { id: String(group_id) }) };
  }),
  'Mutation.issueSetIteration': mutation(2, async ({ projectPath, iid, iterationId }, asking) => {
    const project = await named(getProject, 'path_with_namespace', { fullPath: projectPath }, asking);
    if (!project || !/^\d{1,9}$/.test(String(iid))) throw commonErrors.notFound();
    const iteration_id = iterationId == null ? null : iterationIn(iterationId);
    const input = { id: idOf(project), issue_iid: Number(iid), iteration_id };
    return { issue: await asking.change(setIssueIteration, input) };
  }),
};
