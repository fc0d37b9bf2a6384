import {
  answerGeoQuestion,
  type ContextOf,
  callerInput,
  commonErrors,
  type ErrorValue,
  forbidden,
  geoQuestions,
  OperationError,
  type ParsedOf,
  present,
  queryPrimary,
  resolveProject,
} from '@moothall/contracts';
import { Handles, OperationClient } from '@moothall/messaging';
import { sha256 } from '@moothall/secrets';
import { settingsToken } from '@moothall/service';
import { Controller, Inject } from '@nestjs/common';
import { PrimarySite, primaryUnavailable } from '../../replication/primary-site';
import type { GeoSettings } from '../../settings/settings';
import { type Answer, KnownAnswers } from '../known-answers';

const questions = new Map(geoQuestions.map((operation) => [operation.name, operation]));

/** Questions of secondaries to their primary, on both sides. See docs/api/geo-replication.md#5. */
@Controller()
export class QuestionOperations {
  private readonly isPrimary: boolean;
  private readonly answers: KnownAnswers;

  constructor(
    private readonly client: OperationClient,
    private readonly primary: PrimarySite,
    @Inject(settingsToken) { GEO_ROLE, GEO_ANSWERS_KEPT, GEO_ANSWERS_KEPT_AWAY }: GeoSettings,
  ) {
    this.isPrimary = GEO_ROLE === 'primary';
    this.answers = new KnownAnswers(Math.round(GEO_ANSWERS_KEPT * 1000), Math.round(GEO_ANSWERS_KEPT_AWAY * 1000));
  }

  @Handles(answerGeoQuestion)
  async answer(_: ContextOf<typeof answerGeoQuestion>, input: ParsedOf<typeof answerGeoQuestion>): Promise<Answer> {
    if (!this.isPrimary) throw forbidden();
    const operation = present(questions.get(input.question), input.question);
    const parameters = operation.input.safeParse(input.parameters);
    if (!parameters.success) throw commonErrors.badRequest();
    try {
      return { answer: await this.client.call(operation, parameters.data, await this.contextOf(input)), refusal: null };
    } catch (error) {
      if (error instanceof OperationError) return { answer: null, refusal: error.value };
      throw error;
    }
  }

  /** The project of this site, as the caller sees it. */
  private async contextOf({ caller, project_id }: ParsedOf<typeof answerGeoQuestion>) {
    if (project_id === undefined) return { caller };
    const { project } = await this.client.call(resolveProject, { project: String(project_id), ...callerInput(caller) });
    return { caller, project };
  }

  @Handles(queryPrimary)
  async ask(_: ContextOf<typeof queryPrimary>, question: ParsedOf<typeof queryPrimary>): Promise<{ answer: unknown }> {
    if (!this.primary.isKnown) throw primaryUnavailable();
    // Questions contain passwords: none stays in memory longer than its request.
    const key = sha256(JSON.stringify(question));
    const { answer, refusal } = await this.answers.get(key, () => this.primary.ask(question));
    if (refusal) throw new OperationError(refusal as ErrorValue);
    return { answer };
  }
}
