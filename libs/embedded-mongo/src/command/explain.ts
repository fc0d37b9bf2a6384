import { Int32 } from 'bson';
import type { Document, Value } from '../bson/value';
import { MongoError } from '../errors';
import { type AccessPath } from '../plan/access-path';
import { Execution, PAUSE } from '../plan/execution';
import { above, indexStage, type Measured, stagesOf } from '../plan/explain';
import { type PlannedQuery, planQuery, type Query } from '../plan/plan-query';
import { optionalDocument } from './arguments';
import type { Call, Command } from './command';
import { isCountedByKeys } from './count';
import { hintOf, queryOf } from './find';
import { leadingQuery, type Pipeline, pipelineOf } from './run-pipeline';

const verbosities = new Set(['queryPlanner', 'executionStats', 'allPlansExecution']);

/**
 * Shows how a command would find its documents, and with `executionStats` how many keys and documents that took.
 * Writes are planned and measured, never executed.
 * @see https://www.mongodb.com/docs/manual/reference/command/explain/
 */
export const explain: Command = {
  name: 'explain',
  arguments: ['verbosity'],
  async run(call) {
    const verbosity = call.body.verbosity ?? 'allPlansExecution';
    if (!verbosities.has(String(verbosity)))
      throw new MongoError('FailedToParse', `verbosity string must be one of ${[...verbosities].join(', ')}`);
    const command = optionalDocument(call.body.explain, 'explain') ?? {};
    if (command.aggregate !== undefined)
      return explainPipeline(call, pipelineOf(command, call.database), String(verbosity));
    const explained = explainedQuery(call, command);
    return { ...(await describe(call, explained, String(verbosity))), command, serverInfo, ok: 1 };
  },
};

const serverInfo = { host: 'localhost', port: 0, version: '7.0.0', gitVersion: '' };

/** A pipeline that consists of a query is explained as one; otherwise its query is the first of its stages. */
export async function explainPipeline(call: Call, pipeline: Pipeline, verbosity: string): Promise<Document> {
  const { query, rest } = leadingQuery(pipeline);
  const namespace = `${pipeline.database}.${pipeline.collection}`;
  const described = await describe(call, { namespace, query, wrap: plain }, verbosity);
  if (rest.length === 0) return { ...described, serverInfo, ok: 1 };
  return { explainVersion: '1', stages: [{ $cursor: described }, ...rest], serverInfo, ok: 1 };
}

async function describe(call: Call, { namespace, query, wrap }: Explained, verbosity: string): Promise<Document> {
  const collection = call.engine.catalog.find(namespace) ?? call.engine.emptyCollection(namespace);
  const planned = planQuery(call.engine, collection, query);
  const queryPlanner = {
    namespace,
    indexFilterSet: false,
    parsedQuery: query.filter,
    winningPlan: wrap(planned, stagesOf(planned, query)),
    rejectedPlans: [],
  };
  if (verbosity === 'queryPlanner') return { explainVersion: '1', queryPlanner };
  const measured = await measure(call, planned);
  const executionStats = {
    executionSuccess: true,
    nReturned: new Int32(measured.returned),
    executionTimeMillis: new Int32(Math.round(measured.milliseconds)),
    totalKeysExamined: new Int32(measured.execution.keysExamined),
    totalDocsExamined: new Int32(measured.execution.docsExamined),
    executionStages: wrap(planned, stagesOf(planned, query, measured), measured),
  };
  return { explainVersion: '1', queryPlanner, executionStats };
}

type Wrap = (planned: PlannedQuery, stages: Document, measured?: Measured) => Document;

interface Explained {
  namespace: string;
  query: Query & { projection?: Document | undefined };
  /** Adds the command's own stage above those of its query. */
  wrap: Wrap;
}

const plain: Wrap = (_planned, stages) => stages;
const under =
  (stage: string): Wrap =>
  (_planned, stages, measured) =>
    above(stage, stages, measured);

function explainedQuery(call: Call, command: Document): Explained {
  const [name, target] = Object.entries(command)[0] ?? ['', undefined];
  const namespace = `${call.database}.${String(target)}`;
  switch (name) {
    case 'find':
      return { namespace, query: queryOf({ body: command }), wrap: plain };
    case 'count':
      return { namespace, query: simpleQuery(command, command.query), wrap: countStage };
    case 'distinct':
      return {
        namespace,
        query: { ...simpleQuery(command, command.query), distinct: String(command.key) },
        wrap: plain,
      };
    case 'findAndModify':
    case 'findandmodify':
      return {
        namespace,
        query: { ...simpleQuery(command, command.query), sort: optionalDocument(command.sort, 'sort'), limit: 1 },
        wrap: under(command.remove ? 'DELETE' : 'UPDATE'),
      };
    case 'update':
      return { namespace, query: statementQuery(command.updates), wrap: under('UPDATE') };
    case 'delete':
      return { namespace, query: statementQuery(command.deletes), wrap: under('DELETE') };
    default:
      throw new MongoError('CommandNotSupported', `Explain of '${name}' is not supported`);
  }
}

function simpleQuery(command: Document, filter: Value): Query {
  return {
    filter: optionalDocument(filter, 'query') ?? {},
    hint: hintOf(command.hint),
    collation: optionalDocument(command.collation, 'collation'),
  };
}

function statementQuery(statements: Value): Query {
  const [statement] = (Array.isArray(statements) ? statements : []) as Document[];
  if (!statement) throw new MongoError('BadValue', 'explain needs one statement');
  return simpleQuery(statement, statement.q);
}

const countStage: Wrap = (planned, stages, measured) => {
  const { path } = planned.plan;
  const isByKeys = isCountedByKeys(planned) && path.stage === 'IXSCAN';
  return above(
    'COUNT',
    isByKeys ? indexStage(path as Extract<AccessPath, { stage: 'IXSCAN' }>, measured, 'COUNT_SCAN') : stages,
    measured,
  );
};

async function measure({ engine, budget }: Call, { plan }: PlannedQuery): Promise<Measured> {
  const execution = new Execution(engine.store, plan, budget);
  const start = performance.now();
  let returned = 0;
  try {
    for (let found = execution.next(); found !== undefined; found = execution.next()) {
      if (found === PAUSE) await budget.nextSlice();
      else returned++;
    }
  } finally {
    execution.close();
  }
  return { execution, returned, milliseconds: performance.now() - start };
}
