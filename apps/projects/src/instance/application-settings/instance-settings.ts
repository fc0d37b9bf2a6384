import {
  ApplicationSettings,
  applicationSettingsChanged,
  defaultApplicationSettings,
  type FileLimit,
  type Given,
  type InstanceLimit,
} from '@moothall/contracts';
import { newEvent, Outbox } from '@moothall/database';
import { settingsToken } from '@moothall/service';
import { Inject, Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { below } from '../../namespace/set-below';
import type { ProjectsSettings } from '../../settings/settings';
import type { ApplicationSettingsDocument } from './application-settings.schema';

const only = 1;

/** What administrators have set for the instance. */
@Injectable()
export class InstanceSettings {
  constructor(
    @InjectModel('ApplicationSettings') private readonly model: Model<ApplicationSettingsDocument>,
    private readonly outbox: Outbox,
    @Inject(settingsToken) private readonly settings: ProjectsSettings,
  ) {}

  async read(): Promise<ApplicationSettings> {
    const document = await this.model.findById(only).lean<ApplicationSettingsDocument>();
    const initial = { ...defaultApplicationSettings, default_projects_limit: this.settings.PROJECTS_LIMIT };
    return ApplicationSettings.parse({ ...initial, ...document?.values });
  }

  /** The limit of a file as it is now; 0 is none. */
  async limit({ bytes: { setting }, tooLarge }: FileLimit<InstanceLimit>): Promise<FileLimit<number>> {
    const { [setting]: megabytes } = await this.read();
    return { bytes: megabytes === 0 ? Number.POSITIVE_INFINITY : megabytes * 1024 ** 2, tooLarge };
  }

  async set(values: Given<ApplicationSettings>): Promise<ApplicationSettings> {
    const event = newEvent(applicationSettingsChanged, { names: Object.keys(values) });
    await this.model.updateOne({ _id: only }, { $setOnInsert: { values: {} } }, { upsert: true });
    await this.outbox.update(this.model, { _id: only }, { $set: below('values', values) }, event);
    return this.read();
  }
}
