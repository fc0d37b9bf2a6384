import { type ContextOf, OperationError, type ParsedOf, type Reply, takeForm, wordsOf } from '@moothall/contracts';
import { Handles, KnownAppearance } from '@moothall/messaging';
import { redirectTo, renderPage } from '@moothall/pages';
import { Controller, Logger } from '@nestjs/common';
import { Once } from '../forms/once';
import { RefusedForm } from '../forms/refused-form';
import { SentForm } from '../forms/sent-form';
import type { Content, Moved } from '../page/page';
import { formNotTaken } from '../pages/form-not-taken';
import { withSummary } from '../parts/error-summary';
import { isUnseen, type Visit, Visits } from '../visit/visits';
import { type FoundPage, findPage } from './find-page';
import { requestAddressOf } from './resource-address';

/** Takes the forms of all pages. What was typed is shown again unless the form is taken. */
@Controller()
export class TakeForm {
  private readonly log = new Logger(TakeForm.name);

  constructor(
    private readonly visits: Visits,
    private readonly appearance: KnownAppearance,
    private readonly once: Once,
  ) {}

  @Handles(takeForm)
  async take(
    context: ContextOf<typeof takeForm>,
    { path, fields, files }: ParsedOf<typeof takeForm>,
  ): Promise<Reply<string>> {
    const sent = new SentForm(fields, files);
    const [visit, appearance] = await Promise.all([
      this.visits.begin(context, sent.text('csrf')),
      this.appearance.read(),
    ]);
    const content = await this.answer(visit, path, sent);
    if ('movedTo' in content) return redirectTo(content.movedTo, visit.headers);
    const target = { path: requestAddressOf(path).pathname, accessLevel: content.accessLevel };
    return renderPage({ ...content, target, viewer: visit.viewer, headers: visit.headers, appearance });
  }

  private async answer(visit: Visit, path: string, sent: SentForm): Promise<Content | Moved> {
    const { caller, isPasswordDue, isOwnForm } = visit;
    if (!caller || isPasswordDue) return formNotTaken(path, sent, 'signed out');
    if (!isOwnForm) return formNotTaken(path, sent, 'out of date');
    try {
      const page = await findPage(visit, requestAddressOf(path));
      const take = page?.takes?.(sent);
      if (!page || !take) return formNotTaken(path, sent, 'no such page');
      const identity = [caller.id, path, sent];
      const next = await this.once.take(identity, take).catch((error: unknown) => this.showAgain(page, sent, error));
      if (typeof next === 'string') return { movedTo: next };
      if (!('secret' in next)) return next;
      return (await page.show({ issued: next })) ?? formNotTaken(path, sent, 'no such page');
    } catch (error) {
      if (isUnseen(error)) return formNotTaken(path, sent, 'no such page');
      this.report(error);
      return formNotTaken(path, sent, 'failed');
    }
  }

  /** @throws if the page cannot be shown */
  private async showAgain(page: FoundPage, sent: SentForm, error: unknown): Promise<Content | Moved> {
    if (!(error instanceof OperationError)) throw error;
    const refused = new RefusedForm(sent, error);
    const content = await page.show({ refused });
    // Without the page nobody would see why.
    if (!content || 'movedTo' in content) throw error;
    return withSummary(content, refused);
  }

  private report(error: unknown): void {
    if (error instanceof OperationError) this.log.warn(`A form was not taken: ${wordsOf(error)}`);
    else this.log.error(error);
  }
}
