import { type Caller, graphqlSchema, OperationError } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import {
  buildSchema,
  type DocumentNode,
  type ExecutionResult,
  execute,
  GraphQLError,
  type GraphQLFormattedError,
  getOperationAST,
  type OperationDefinitionNode,
  validate,
} from 'graphql';
import { answerOf } from '../answer/error-body';
import { wordsIn } from '../answer/graphql-error';
import type { Asking } from './asking';
import { type Inquiry, resolveField } from './fields';
import { graphqlLimits, LimitExceeded } from './limits';
import { type Cost, measure } from './measure';
import { readDocument } from './read-document';

/** A document of a client. */
export interface GraphqlRequest {
  query: string;
  variables: Record<string, unknown>;
  operationName: string | undefined;
}

/** The reason why a request may not change anything; undefined if it may. */
export type WhyReadOnly = string | undefined;

export interface Answered {
  data?: unknown;
  errors?: GraphQLFormattedError[];
}

interface Ready {
  asked: GraphqlRequest;
  document: DocumentNode;
  cost: Cost;
}

const schema = buildSchema(graphqlSchema);
const mostErrors = 10;

/** Executes documents: parses them, computes their cost, and only then calls services. See docs/api/graphql.md#3. */
@Injectable()
export class Graphql {
  /** @returns a response for each document, in order; refused documents make no calls */
  async answer(
    all: readonly GraphqlRequest[],
    caller: Caller | undefined,
    asking: Asking,
    whyReadOnly: WhyReadOnly,
  ): Promise<Answered[]> {
    const spend = spender(graphqlLimits.bytes);
    const mostComplexity = graphqlLimits.complexity[caller ? 'signedIn' : 'anonymous'];
    const total: Cost = { complexity: 0, questions: 0, values: 0 };
    const prepared = all.map((asked): Ready | Answered => {
      try {
        return prepare(asked, mostComplexity, total, whyReadOnly);
      } catch (error) {
        return { errors: errorsIn(error) };
      }
    });
    const answers: Answered[] = [];
    for (const each of prepared) {
      answers.push('document' in each ? await run(each, { asking, cost: each.cost, mostComplexity, spend }) : each);
    }
    return answers;
  }
}

/** @throws GraphQLError, or several as {@link Refused} */
function prepare(asked: GraphqlRequest, mostComplexity: number, total: Cost, whyReadOnly: WhyReadOnly): Ready {
  const document = readDocument(asked.query);
  const operation = operationIn(document, asked.operationName);
  if (operation.operation !== 'query' && whyReadOnly !== undefined) throw new GraphQLError(whyReadOnly);
  const cost = measure(schema, document, operation, asked.variables);
  if (cost.complexity > mostComplexity) {
    throw new GraphQLError(
      `Query has complexity of ${cost.complexity}, which exceeds max complexity of ${mostComplexity}`,
    );
  }
  const errors = validate(schema, document, undefined, { maxErrors: mostErrors });
  if (errors.length > 0) throw new Refused(errors);
  total.questions += cost.questions;
  total.values += cost.values;
  if (total.questions > graphqlLimits.questions || total.values > graphqlLimits.values) {
    throw new GraphQLError(
      'Query may ask for too many records: give `first` a smaller number, or ask for fewer lists in lists',
    );
  }
  return { asked, document, cost };
}

function operationIn(document: DocumentNode, name: string | undefined): OperationDefinitionNode {
  const operation = getOperationAST(document, name);
  if (operation) return operation;
  throw new GraphQLError(name === undefined ? 'An operation name is required' : `No operation named "${name}"`);
}

async function run({ asked, document }: Ready, contextValue: Inquiry): Promise<Answered> {
  const result: ExecutionResult = await execute({
    schema,
    document,
    rootValue: {},
    contextValue,
    variableValues: asked.variables,
    operationName: asked.operationName ?? null,
    fieldResolver: resolveField,
    options: { maxCoercionErrors: mostErrors },
  });
  const { data, errors } = result;
  return { ...(data !== undefined && { data }), ...(errors && { errors: errors.slice(0, mostErrors).map(shown) }) };
}

class Refused extends Error {
  constructor(readonly errors: readonly GraphQLError[]) {
    super('refused');
  }
}

function errorsIn(error: unknown): GraphQLFormattedError[] {
  if (error instanceof Refused) return error.errors.slice(0, mostErrors).map(shown);
  if (error instanceof GraphQLError) return [shown(error)];
  throw error;
}

/** The error for a client; without details for an internal error. */
function shown(error: GraphQLError): GraphQLFormattedError {
  const { originalError } = error;
  const { message: _, ...where } = error.toJSON();
  if (originalError instanceof OperationError)
    return { message: wordsIn(answerOf(originalError.value).body), ...where };
  if (!originalError || originalError instanceof GraphQLError || originalError instanceof LimitExceeded) {
    return { message: error.message, ...where };
  }
  throw originalError;
}

function spender(most: number): Inquiry['spend'] {
  let spent = 0;
  return (characters) => {
    spent += characters;
    if (spent > most) throw new LimitExceeded('The answer is too large');
  };
}
