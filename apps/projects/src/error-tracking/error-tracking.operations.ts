import {
  type ContextOf,
  configureErrorTracking,
  type ErrorTrackingSettings,
  errorTrackingErrors,
  getErrorTracking,
  invalidParameters,
  invalidRecord,
  type ParsedOf,
  switchErrorTracking,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { SecretBox } from '@moothall/secrets';
import { Controller } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { ErrorTrackingDocument } from './error-tracking.schema';

@Controller()
export class ErrorTrackingOperations {
  constructor(
    @InjectModel('ErrorTracking') private readonly model: Model<ErrorTrackingDocument>,
    private readonly secrets: SecretBox,
  ) {}

  @Handles(getErrorTracking)
  async get({ project }: ContextOf<typeof getErrorTracking>, _: ParsedOf<typeof getErrorTracking>) {
    return view(await this.model.findById(project.id).lean<ErrorTrackingDocument>());
  }

  @Handles(switchErrorTracking)
  async switch({ project }: ContextOf<typeof switchErrorTracking>, input: ParsedOf<typeof switchErrorTracking>) {
    const set = {
      isActive: input.active,
      ...(input.integrated !== undefined && { isIntegrated: input.integrated }),
    };
    const settings = await this.model
      .findByIdAndUpdate(project.id, { $set: set }, { returnDocument: 'after' })
      .lean<ErrorTrackingDocument>();
    return view(settings);
  }

  @Handles(configureErrorTracking)
  async configure(
    { project }: ContextOf<typeof configureErrorTracking>,
    input: ParsedOf<typeof configureErrorTracking>,
  ) {
    const set = {
      isActive: input.active,
      isIntegrated: input.integrated,
      ...trackerOf(input),
      // Without a new token the old one stays.
      ...(input.token !== undefined && { token: this.secrets.seal(input.token) }),
    };
    const settings = await this.model
      .findByIdAndUpdate(project.id, { $set: set }, { upsert: true, returnDocument: 'after' })
      .lean<ErrorTrackingDocument>();
    return view(settings);
  }
}

/** @throws error_tracking.not_configured */
function view(settings: ErrorTrackingDocument | null): ErrorTrackingSettings {
  if (!settings) throw errorTrackingErrors.notConfigured();
  return {
    active: settings.isActive,
    project_name: settings.projectName,
    sentry_external_url: settings.externalUrl,
    tracker_external_url: settings.externalUrl,
    api_url: settings.apiUrl,
    integrated: settings.isIntegrated,
  };
}

/** The tracker of a project. @throws common.invalid_parameters if a required value is missing */
function trackerOf({ integrated, api_url, external_url, project_name }: ParsedOf<typeof configureErrorTracking>) {
  const missing = Object.entries({ api_url, project_name }).flatMap(([name, value]) => (value ? [] : [name]));
  if (!api_url || !project_name) {
    if (!integrated) throw invalidParameters(missing.map((name) => `${name} is missing`).join(', '));
    return { projectName: null, apiUrl: null, externalUrl: null };
  }
  const apiUrl = requireHttp('api_url', api_url);
  const externalUrl = external_url ? requireHttp('external_url', external_url) : pageOf(apiUrl);
  return { projectName: project_name, apiUrl, externalUrl };
}

function requireHttp(field: string, url: string): string {
  const protocol = URL.parse(url)?.protocol ?? '';
  if (!['http:', 'https:'].includes(protocol)) {
    throw invalidRecord({ [field]: ['is blocked: Only allowed schemes are http, https'] });
  }
  return url;
}

/** The page of a project has the URL of its API with a shorter path. */
const pageOf = (apiUrl: string): string => apiUrl.replace('/api/0/projects/', '/');
