import {
  type ContextOf,
  createApplication,
  deleteApplication,
  invalidRecord,
  listApplications,
  type ParsedOf,
  type ResultOf,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { Applications } from '../application.repository';
import type { Application } from '../application.schema';
import { readRegistration, registrationProblems } from '../application-rules';
import { RemoveApplication } from './remove-application';

@Controller()
export class ApplicationOperations {
  constructor(
    private readonly applications: Applications,
    private readonly removal: RemoveApplication,
  ) {}

  @Handles(listApplications)
  async list(
    _context: ContextOf<typeof listApplications>,
    input: ParsedOf<typeof listApplications>,
  ): Promise<ResultOf<typeof listApplications>> {
    const { items, total } = await this.applications.page(null, input);
    return { items: items.map(view), total };
  }

  @Handles(createApplication)
  async create(
    _context: ContextOf<typeof createApplication>,
    input: ParsedOf<typeof createApplication>,
  ): Promise<ResultOf<typeof createApplication>> {
    const registration = readRegistration(input.name, input.redirect_uri, input.scopes);
    const problems = registrationProblems(registration);
    if (Object.keys(problems).length > 0) throw invalidRecord(problems);
    const { application, secret } = await this.applications.register({
      ...registration,
      isConfidential: input.confidential,
      isTrusted: input.trusted,
      ownerId: null,
    });
    return { ...view(application), secret };
  }

  @Handles(deleteApplication)
  async delete(
    _context: ContextOf<typeof deleteApplication>,
    { id }: ParsedOf<typeof deleteApplication>,
  ): Promise<void> {
    await this.removal.remove(id, null);
  }
}

const view = (application: Application) => ({
  id: application._id,
  application_id: application.uid,
  application_name: application.name,
  callback_url: application.redirectUris.join('\n'),
  confidential: application.isConfidential,
});
